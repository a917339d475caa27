// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A smearing as a contributor would add it, for additions.cmake: hypercubic blocking (A. Hasenfratz and F. Knechtli,
// hep-lat/0103029) with plain loops, for one rank, without a force.
#include <vector>

#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::gauge {
namespace {

using Link = Matrix<double>;

template <int W>
class HypLinks final : public SmearedLinks<double, W> {
 public:
  HypLinks(const std::array<double, 3>& alpha, const Lattice& lattice) : alpha_(alpha), smeared_(lattice, "HYP links") {
    if (lattice.ranks().size() != 1) fail_input("HYP smearing works on one rank only");
  }

  const GaugeField<double, W>& smear(const GaugeField<double, W>& u) const override {
    // thin(x, mu): thin links; one(x, mu, eta): decorated once, in direction eta only; two(x, mu, nu): decorated in all
    // directions except nu.
    const Lattice& lattice = u.lattice();
    const auto volume = std::size_t(lattice.volume());
    std::vector<Link> thin(volume * 4), one(volume * 16), two(volume * 16);
    for (std::size_t x = 0; x < volume; ++x)
      for (int mu = 0; mu < 4; ++mu) {
        const auto numbers = u.link(lattice.coordinate(std::int64_t(x)), mu);
        for (int k = 0; k < 9; ++k) thin[4 * x + mu](k / 3, k % 3) = {numbers[2 * k], numbers[2 * k + 1]};
      }
    const auto step = [&](std::size_t x, int mu, int by) {
      Coordinate at = lattice.coordinate(std::int64_t(x));
      at[mu] = (at[mu] + by + lattice.size(mu)) % lattice.size(mu);
      return std::size_t(lattice.lexicographic(at));
    };
    // The sum of the two staples of a mu link in the plane (mu, nu), made of links along(x) in direction mu and
    // across(x) in direction nu.
    const auto staples = [&](std::size_t x, int mu, int nu, const auto& along, const auto& across) {
      const std::size_t up = step(x, nu, 1), down = step(x, nu, -1), ahead = step(x, mu, 1);
      return across(x) * along(up) * adjoint(across(ahead)) +
             adjoint(across(down)) * along(down) * across(step(down, mu, 1));
    };
    const auto blocked = [](double alpha, const Link& link, double count, const Link& sum) {
      return project_polar((1 - alpha) * link + (alpha / count) * sum);
    };
    for (std::size_t x = 0; x < volume; ++x)
      for (int mu = 0; mu < 4; ++mu)
        for (int eta = 0; eta < 4; ++eta)
          if (eta != mu)
            one[16 * x + 4 * mu + eta] = blocked(alpha_[2], thin[4 * x + mu], 2,
                                                 staples(
                                                     x, mu, eta, [&](std::size_t y) { return thin[4 * y + mu]; },
                                                     [&](std::size_t y) { return thin[4 * y + eta]; }));
    for (std::size_t x = 0; x < volume; ++x)
      for (int mu = 0; mu < 4; ++mu)
        for (int nu = 0; nu < 4; ++nu) {
          if (nu == mu) continue;
          Link sum = Link::zero();
          for (int rho = 0; rho < 4; ++rho) {
            if (rho == mu || rho == nu) continue;
            const int eta = 6 - mu - nu - rho;
            sum = sum + staples(
                            x, mu, rho, [&](std::size_t y) { return one[16 * y + 4 * mu + eta]; },
                            [&](std::size_t y) { return one[16 * y + 4 * rho + eta]; });
          }
          two[16 * x + 4 * mu + nu] = blocked(alpha_[1], thin[4 * x + mu], 4, sum);
        }
    for (std::size_t x = 0; x < volume; ++x)
      for (int mu = 0; mu < 4; ++mu) {
        Link sum = Link::zero();
        for (int nu = 0; nu < 4; ++nu)
          if (nu != mu)
            sum = sum + staples(
                            x, mu, nu, [&](std::size_t y) { return two[16 * y + 4 * mu + nu]; },
                            [&](std::size_t y) { return two[16 * y + 4 * nu + mu]; });
        const Link v = blocked(alpha_[0], thin[4 * x + mu], 6, sum);
        std::array<double, 18> numbers{};
        for (int k = 0; k < 9; ++k) {
          numbers[2 * k] = v(k / 3, k % 3).re;
          numbers[2 * k + 1] = v(k / 3, k % 3).im;
        }
        smeared_.set_link(lattice.coordinate(std::int64_t(x)), mu, numbers);
      }
    smeared_.exchange();
    return smeared_;
  }

  void add_force(const GaugeField<double, W>&, double, const AlgebraField<double, W>&) const override {
    fail("HYP smearing has no force");
  }

 private:
  std::array<double, 3> alpha_;
  GaugeField<double, W> smeared_;
};

}  // namespace

Smearing scratch_smearing() {
  return smearing({.name = "hypercubic",
                   .keys = {{"alpha_1", 0.75, 0, 1}, {"alpha_2", 0.6, 0, 1}, {"alpha_3", 0.3, 0, 1}},
                   .has_force = false},
                  []<int W>(const SmearingParameters& parameters, const Lattice& lattice) {
                    return std::make_unique<const HypLinks<W>>(
                        std::array{parameters.values.at("alpha_1"), parameters.values.at("alpha_2"),
                                   parameters.values.at("alpha_3")},
                        lattice);
                  });
}

}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/naive_links.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/solver/conjugate_gradient.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"

namespace trellis::app {
namespace {

// All links, on every rank: the bits of other ranks' links are zero here, so the sum gives the owner's
// bits.
template <int W>
NaiveLinks naive(const GaugeField<double, W>& u) {
  NaiveLinks links(u.lattice().size());
  std::vector<std::uint64_t> bits(links.volume() * 72);
  for (std::size_t x = 0; x < links.volume(); ++x)
    if (u.lattice().owns(links.coordinate(x)))
      for (int mu = 0; mu < 4; ++mu) {
        const auto numbers = u.link(links.coordinate(x), mu);
        for (std::size_t k = 0; k < 18; ++k)
          bits[x * 72 + std::size_t(mu) * 18 + k] = std::bit_cast<std::uint64_t>(numbers[k]);
      }
  u.lattice().ranks().sum("links for naive loops", bits);
  for (std::size_t x = 0; x < links.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu)
      for (std::size_t k = 0; k < 9; ++k) {
        const auto* number = &bits[x * 72 + std::size_t(mu) * 18 + 2 * k];
        links(x, mu)[k / 3][k % 3] = {std::bit_cast<double>(number[0]), std::bit_cast<double>(number[1])};
      }
  return links;
}

template <int W>
GaugeField<double, W> field(const NaiveLinks& links, const Lattice& lattice) {
  const GaugeField<double, W> u(lattice);
  for (std::size_t x = 0; x < links.volume(); ++x) {
    if (!lattice.owns(links.coordinate(x))) continue;
    for (int mu = 0; mu < 4; ++mu) {
      std::array<double, 18> numbers{};
      for (std::size_t k = 0; k < 9; ++k) {
        numbers[2 * k] = links(x, mu)[k / 3][k % 3].real();
        numbers[2 * k + 1] = links(x, mu)[k / 3][k % 3].imag();
      }
      u.set_link(links.coordinate(x), mu, numbers);
    }
  }
  u.exchange();
  return u;
}

// Colour vectors on all sites, as fields of both parities.
template <int W>
struct Vectors {
  ColourVectorField<double, W> even, odd;
  explicit Vectors(const Lattice& lattice) : even(lattice, 0), odd(lattice, 1) {}
  const ColourVectorField<double, W>& at(const Coordinate& x) const {
    return (x[0] + x[1] + x[2] + x[3]) % 2 == 0 ? even : odd;
  }
};

template <int W>
Vectors<W> field(const NaiveLinks& links, const std::vector<NaiveVector>& psi, const Lattice& lattice) {
  Vectors<W> v(lattice);
  for (std::size_t n = 0; n < psi.size(); ++n) {
    const auto x = links.coordinate(n);
    if (!lattice.owns(x)) continue;
    std::array<double, 6> numbers{};
    for (std::size_t i = 0; i < 3; ++i) {
      numbers[2 * i] = psi[n][i].real();
      numbers[2 * i + 1] = psi[n][i].imag();
    }
    v.at(x).set(x, numbers);
  }
  return v;
}

// The largest difference of a component from D psi, with D the library's operator.
template <int W>
double distance(const dirac::StaggeredOperator<double, W>& d, const NaiveLinks& links,
                const std::vector<NaiveVector>& psi, const std::vector<NaiveVector>& expected) {
  const auto in = field<W>(links, psi, d.lattice());
  const Vectors<W> out(d.lattice());
  d.hop(in.even, out.odd);
  d.hop(in.odd, out.even);
  double worst = 0;
  for (std::size_t n = 0; n < psi.size(); ++n) {
    const auto x = links.coordinate(n);
    if (!d.lattice().owns(x)) continue;
    const auto found = out.at(x).at(x);
    for (std::size_t i = 0; i < 3; ++i)
      worst = std::max(worst, std::abs(std::complex(found[2 * i], found[2 * i + 1]) - expected[n][i]));
  }
  d.lattice().ranks().maximum("largest difference", {&worst, 1});
  return worst;
}

std::vector<NaiveVector> random_vector(std::size_t volume, std::uint64_t seed) {
  const RandomStream stream{seed, 0, RandomPurpose::test};
  std::vector<NaiveVector> psi(volume);
  for (std::size_t n = 0; n < volume; ++n)
    for (std::uint32_t i = 0; i < 3; ++i) {
      const auto [a, b] = stream.uniform(n, 1 + i);
      psi[n][i] = {2 * a - 1, 2 * b - 1};
    }
  return psi;
}

// Random SU(3) matrices, one per site.
template <int W>
std::vector<NaiveMatrix> random_transformation(const Lattice& lattice, std::uint64_t seed) {
  const GaugeField<double, W> random(lattice);
  gauge::hot_start({seed, 0, gauge::gauge_transformation_purpose}, random);
  const auto links = naive(random);
  std::vector<NaiveMatrix> g(links.volume());
  for (std::size_t x = 0; x < g.size(); ++x) g[x] = links(x, 0);
  return g;
}

std::vector<NaiveVector> transformed(const std::vector<NaiveMatrix>& g, const std::vector<NaiveVector>& psi) {
  std::vector<NaiveVector> result(psi.size());
  for (std::size_t x = 0; x < psi.size(); ++x) result[x] = g[x] * psi[x];
  return result;
}

// psi^dagger (m^2 - D_eo D_oe)^-1 psi of the even part of psi.
template <int W>
double inverse_of(const dirac::StaggeredOperator<double, W>& a, const ColourVectorField<double, W>& psi) {
  const auto x = psi.like(), ax = psi.like();
  solver::require_converged(solver::conjugate_gradient(a, psi, x, {1e-10, 50000}), "gauge covariance");
  return a(x, ax)[0];
}

double relative(double a, double b) { return a == b ? 0 : std::abs(a - b) / std::abs(b); }

}  // namespace

template <int W>
void check_operators(const VerifyCase<W>& c, VerifyReport& report) {
  const auto& lattice = c.u.lattice();
  const auto& quarks = c.input.quarks;
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  const bool has_quarks = !quarks.flavours.empty();
  const NaiveLinks links = naive(c.u);
  const auto psi = random_vector(links.volume(), seed);

  const auto& smearing = quarks.smearing;
  const auto fat = gauge::smeared_links<W>(smearing, lattice),
             fat_transformed = gauge::smeared_links<W>(smearing, lattice);
  const GaugeField<double, W>& smeared = fat->smear(c.u);
  // Loops of our own where there are any for this smearing; else the operator's check begins with the smeared links.
  const auto naive_smearing = [&](const NaiveLinks& u) {
    return smearing.kind == "stout" ? naive_stout(u, smearing.values.at("rho"), int(smearing.values.at("levels")))
                                    : naive(gauge::smeared_links<W>(smearing, lattice)->smear(field<W>(u, lattice)));
  };
  if (has_quarks) {
    report.section("Smearing and the staggered operator: largest difference from naive loops over the sites");
    const NaiveLinks naive_smeared = naive_smearing(links);
    if (smearing.kind == "stout" && smearing.values.at("levels") > 0)
      report.check(fmt::format("links after {}", gauge::describe(smearing)),
                   [&] { return at_most(hmc::largest_difference(smeared, field<W>(naive_smeared, lattice)), 1e-12); });
    for (const auto& flavour : quarks.flavours)
      report.check(fmt::format("D psi of flavour '{}'", flavour.name), [&] {
        const dirac::StaggeredOperator<double, W> d(dirac::StaggeredLinks<double, W>(smeared),
                                                    phases_of(quarks, flavour), flavour.mass);
        return at_most(distance(d, links, psi, naive_staggered(naive_smeared, quarks, flavour, psi)), 1e-12);
      });
  }

  report.section("Gauge covariance: what a random transformation changes");
  const auto g = random_transformation<W>(lattice, seed);
  const auto v = field<W>(naive_transformed(links, g), lattice);
  report.check("links: these do change", [&] { return at_least(hmc::largest_difference(v, c.u), 0.5); });
  report.check("plaquette",
               [&] { return at_most(std::abs(gauge::plaquette(v).average - gauge::plaquette(c.u).average), 1e-13); });
  const gauge::Action action{c.input.action.beta, c.input.action.c1};
  report.check("gauge action S, relative", [&] {
    const double difference = gauge::action_difference(action, v, c.u);
    return at_most(difference == 0 ? 0 : std::abs(difference / gauge::action(action, c.u)), 1e-13);
  });
  for (const auto& term : c.accurate_terms) {
    if (term->has_pseudofermions()) continue;
    report.check(fmt::format("size of the force of '{}', relative", term->name()), [&] {
      const AlgebraField<double, W> before(lattice), after(lattice), zero(lattice);
      term->add_force(c.u, 1, before);
      term->add_force(v, 1, after);
      return at_most(
          relative(hmc::distance(after, zero).root_mean_square, hmc::distance(before, zero).root_mean_square), 1e-12);
    });
  }
  if (!has_quarks) return;
  const GaugeField<double, W>& smeared_v = fat_transformed->smear(v);
  const dirac::StaggeredLinks<double, W> before(smeared), after(smeared_v);
  for (const auto& flavour : quarks.flavours) {
    const auto phases = phases_of(quarks, flavour);
    const dirac::StaggeredOperator<double, W> d(before, phases, flavour.mass), dg(after, phases, flavour.mass);
    report.check(fmt::format("'{}': g D psi and D^g g psi, largest difference", flavour.name), [&] {
      const auto expected = transformed(g, naive_staggered(naive_smearing(links), quarks, flavour, psi));
      return at_most(distance(dg, links, transformed(g, psi), expected), 1e-12);
    });
    report.check(fmt::format("'{}': largest eigenvalue of -D_eo D_oe, relative", flavour.name), [&] {
      const ColourVectorField<double, W> like(lattice, 0);
      const solver::LanczosParameters exact{400, 1e-6};
      const RandomStream stream{seed, 0, solver::spectrum_purpose};
      return at_most(relative(solver::largest_eigenvalue(dg, like, stream, exact).value,
                              solver::largest_eigenvalue(d, like, stream, exact).value),
                     1e-8);
    });
    report.check(fmt::format("'{}': psi^dagger (m^2 - D_eo D_oe)^-1 psi, relative", flavour.name), [&] {
      return at_most(relative(inverse_of(dg, field<W>(links, transformed(g, psi), lattice).even),
                              inverse_of(d, field<W>(links, psi, lattice).even)),
                     1e-9);
    });
  }
}

#define TRELLIS_INSTANTIATE(W) template void check_operators<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

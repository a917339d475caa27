// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Three-point functions: against the inverse of the dense matrix, and as derivatives with respect to the mass.
#include "trellis/measure/hadrons/current.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/hadrons.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;
const reference::Site kLattice{2, 2, 2, 4};
const Coordinate kSource{1, 0, 1, 3};

dirac::WilsonParameters quark(double kappa) { return {.kappa = kappa, .clover = 1.1, .clover_temporal = 1.1}; }

// All sums of the definition, from every site to every site.
class AllToAll {
 public:
  AllToAll(const reference::GaugeConfiguration& u, double kappa)
      : lattice_(u),
        inverse_(reference::inverse(reference::dense_wilson({u, {kappa, 1.1, 1.1}}))),
        factor_(2 * kappa) {}

  reference::Propagator from_source() const {
    reference::Propagator s(lattice_.volume(), reference::DenseMatrix(12));
    for (int n = 0; n < lattice_.volume(); ++n) s[n] = block(n, lattice_.index(kSource));
    return s;
  }
  // sum_y S(x, y) Gamma exp(i q (y - x0)) psi(y)
  reference::Propagator from_current(const QuarkCurrent& current, const reference::SpinMatrix& gamma,
                                     const reference::Propagator& psi) const {
    reference::Propagator s(lattice_.volume(), reference::DenseMatrix(12));
    for (int y = 0; y < lattice_.volume(); ++y) {
      const auto at = lattice_.site(y);
      if (current.time && (kSource[3] + *current.time) % kLattice[3] != at[3]) continue;
      double angle = 0;
      for (int j = 0; j < 3; ++j)
        angle += 2 * std::numbers::pi * current.momentum[j] * (at[j] - kSource[j]) / kLattice[j];
      reference::DenseMatrix right(12);
      for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column)
          for (int spin = 0; spin < 4; ++spin)
            right(row, column) += std::polar(1.0, angle) * gamma(row / 3, spin) * psi[y](3 * spin + row % 3, column);
      for (int x = 0; x < lattice_.volume(); ++x) s[x] = s[x] + block(x, y) * right;
    }
    return s;
  }

 private:
  reference::DenseMatrix block(int x, int y) const {
    reference::DenseMatrix b(12);
    for (int row = 0; row < 12; ++row)
      for (int column = 0; column < 12; ++column) b(row, column) = factor_ * inverse_(12 * x + row, 12 * y + column);
    return b;
  }

  reference::GaugeConfiguration lattice_;
  reference::DenseMatrix inverse_;
  double factor_;
};

TEST(QuarkCurrents, AreThoseOfAllToAllPropagators) {
  const auto u = reference::hot_configuration(kLattice, 41);
  const AllToAll l(u, 0.12), s(u, 0.11);
  const auto light = l.from_source(), strange = s.from_source();
  const auto seen = [](const reference::Propagator& p) {
    return reference::seen_from_source(kLattice, p, kSource, {0, 0, 0, 1});
  };
  const auto gammas = reference::sixteen_gammas();
  for (std::size_t g = 0; g < 16; g += 3) {
    HadronSelection selection{.positions = {kSource},
                              .momenta = {{0, 0, 0}, {1, 0, 1}},
                              .channels = {"pion", "axial_t", "proton"},
                              .inverse = {.residual = 1e-13}};
    // On the light quark, with momentum and a change of flavour, and once more.
    const QuarkCurrent at_time{0, meson_channels()[g].name, {1, 0, 1}, 2}, again{2, "vector_t", {0, 0, 0}, {}},
        to_strange{0, "axial_y", {0, 1, 0}, 1};
    selection.quarks = {{"l", quark(0.12)},
                        {"s", quark(0.11)},
                        {"l_j", quark(0.12), at_time},
                        {"l_jj", quark(0.12), again},
                        {"l_s", quark(0.11), to_strange}};
    selection.combinations = {{2, 1}, {1, 2}, {3, 0}, {4, 1}, {0, 0, 2}, {2, 0, 1}};
    const auto once = l.from_current(at_time, gammas[g].matrix, light);
    const std::vector<reference::Propagator> p{
        seen(light), seen(strange), seen(once), seen(l.from_current(again, reference::gamma_matrix(3), once)),
        seen(s.from_current(to_strange, reference::gamma_matrix(1) * reference::gamma5(), light))};
    const auto m = measure_hadrons(selection, test::from_reference<double, 1>(u));
    const auto hadrons = selection.hadrons();
    for (std::size_t k = 0; k < hadrons.size(); ++k)
      for (std::size_t n = 0; n < 2; ++n) {
        const auto& q = hadrons[k].combination;
        const auto& momentum = selection.momenta[n];
        const auto at = [&](std::size_t i) -> const reference::Propagator& { return p[std::size_t(q[i])]; };
        reference::Correlator wanted;
        double scale = 0;
        if (q.size() == 2) {
          const auto gamma =
              hadrons[k].channel == "pion" ? reference::gamma5() : reference::gamma_matrix(3) * reference::gamma5();
          wanted = reference::meson_correlator(kLattice, at(0), at(1), gamma, gamma, momentum);
          for (auto& c : wanted) c *= reference::meson_sign(gamma);
        } else if (q[0] == q[1]) {
          wanted = reference::proton_correlator(kLattice, at(0), at(2), 1, momentum);
        } else {
          // The part that is linear in the current, of light quarks with propagators S + z S_J.
          auto both = at(0), opposite = at(0);
          for (std::size_t x = 0; x < both.size(); ++x) {
            both[x] = at(1)[x] + at(0)[x];
            opposite[x] = at(1)[x] - at(0)[x];
          }
          wanted = reference::proton_correlator(kLattice, both, at(2), 1, momentum);
          scale = std::abs(wanted[0]);
          const auto minus = reference::proton_correlator(kLattice, opposite, at(2), 1, momentum);
          for (std::size_t t = 0; t < wanted.size(); ++t) wanted[t] = (wanted[t] - minus[t]) / 2.0;
        }
        for (const auto& c : wanted) scale = std::max(scale, std::abs(c));
        EXPECT_GT(scale, 0);
        for (std::size_t t = 0; t < 4; ++t)
          EXPECT_LT(std::abs(m.at(k)[4 * n + t] - wanted[t]), 1e-10 * scale)
              << gammas[g].name << " " << hadrons[k].quarks << " " << hadrons[k].channel << " " << n << t;
      }
  }
}

// d C / d m of one quark is minus the scalar current summed over all times, on every quark line of this mass.
TEST(QuarkCurrents, TheScalarIsTheDerivativeWithRespectToTheMass) {
  const auto u = test::from_reference<double, 1>(reference::hot_configuration({2, 2, 2, 8}, 43));
  const auto at_mass = [](double mass) { return quark(1 / (2 * mass + 8)); };
  const double mass = 0.3, step = 1e-3;
  HadronSelection selection{.positions = {kSource},
                            .momenta = {{0, 0, 0}, {0, 1, 0}},
                            .channels = {"pseudoscalar", "vector_x", "tensor_yt", "proton", "lambda", "decuplet"},
                            .inverse = {.residual = 1e-13}};
  selection.quarks = {{"l", at_mass(mass)}, {"s", at_mass(0.5)}};
  selection.combinations = {{0, 0}, {0, 1}, {0, 0, 1}};
  std::vector<HadronMeasurement> at;
  for (const double shift : {-2.0, -1.0, 1.0, 2.0}) {
    auto moved = selection;
    moved.quarks[0].parameters = at_mass(mass + shift * step);
    at.push_back(measure_hadrons(moved, u));
  }
  auto scalar = selection;
  scalar.quarks.push_back({"l_1", at_mass(mass), QuarkCurrent{0, "scalar", {0, 0, 0}, {}}});
  // One combination for each quark line; a proton's two are in one.
  scalar.combinations = {{2, 0}, {0, 2}, {2, 1}, {2, 0, 1}, {0, 2, 1}};
  const auto m = measure_hadrons(scalar, u);
  const auto parts = scalar.hadrons(), all = selection.hadrons();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::vector<std::string> lines = all[k].quarks == "l.l"   ? std::vector<std::string>{"l_1.l", "l.l_1"}
                                           : all[k].quarks == "l.s" ? std::vector<std::string>{"l_1.s"}
                                           : all[k].channel == "proton"
                                               ? std::vector<std::string>{"l_1.l.s"}
                                               : std::vector<std::string>{"l_1.l.s", "l.l_1.s"};
    double scale = 0;
    for (const auto& c : at[1].at(k)) scale = std::max(scale, std::abs(c));
    for (std::size_t i = 0; i < at[0].at(k).size(); ++i) {
      const auto derivative =
          (at[0].at(k)[i] - 8.0 * at[1].at(k)[i] + 8.0 * at[2].at(k)[i] - at[3].at(k)[i]) / (12 * step);
      Complex sum = 0;
      for (std::size_t j = 0; j < parts.size(); ++j)
        for (const auto& line : lines)
          if (parts[j].quarks == line && parts[j].channel == all[k].channel) sum += m.at(j)[i];
      EXPECT_LT(std::abs(derivative + sum), 1e-8 * std::abs(sum) + 1e-9 * scale)
          << all[k].quarks << " " << all[k].channel << " " << i;
    }
  }
}

}  // namespace
}  // namespace trellis::measure

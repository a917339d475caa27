// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Hybrid Monte Carlo with boundaries in time.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

const gauge::Boundary open{.kind = gauge::BoundaryKind::open, .c_g = 1.3};
const gauge::Boundary functional{.kind = gauge::BoundaryKind::schroedinger_functional,
                                 .c_g = 0.9,
                                 .extent = 6,
                                 .phi = {-1, 0.2, 0.8},
                                 .phi_prime = {-3, 1, 2}};

template <int W>
GaugeField<double, W> start(const gauge::Boundary& boundary, const Coordinate& size) {
  GaugeField<double, W> u{Lattice(size, W)};
  gauge::hot_start({3, 0, gauge::hot_start_purpose}, u);
  gauge::impose_boundary(boundary, u);
  return u;
}

template <int W>
HybridMonteCarlo<double, W> trajectories(const gauge::Boundary& boundary, const gauge::LoopWeights& weights,
                                         const Lattice& lattice, int steps, bool in_single = false) {
  const std::vector<GaugeTerm> terms{{"gauge", weights, boundary}};
  const HmcParameters parameters{0.5, {{minimum_norm_2(), steps, {"gauge"}}}};
  std::shared_ptr<const SinglePrecisionDynamics<W>> single;
  if (in_single)
    single = single_precision_dynamics<W>(parameters, lattice,
                                          [&]<int WS>(const Lattice&) { return make_gauge_terms<float, WS>(terms); });
  return {parameters, make_gauge_terms<double, W>(terms), lattice, single};
}

TEST(BoundaryHmc, IsReversibleAndConservesEnergyToSecondOrder) {
  const Coordinate size{4, 4, 4, 8};
  for (const auto& boundary : {open, functional})
    for (const double c1 : {0.0, -1.0 / 12}) {
      if (c1 != 0 && boundary == functional) continue;
      const auto dH = [&](int steps) {
        const auto u = start<wide>(boundary, size), before = u.clone();
        const auto record = trajectories<wide>(boundary, gauge::Action{5.5, c1}, u.lattice(), steps)(
            {.seed = 1, .trajectory = 0, .accept_always = true, .check_reversibility = true}, u);
        EXPECT_LT(record.reversibility->links, 1e-12);
        EXPECT_LT(record.reversibility->momenta, 1e-12);
        // The boundary is where it was.
        const auto again = u.clone();
        gauge::impose_boundary(boundary, again);
        EXPECT_EQ(largest_difference(again, u), 0);
        EXPECT_GT(largest_difference(before, u), 0.1);
        return record.dH;
      };
      const double coarse = dH(20), fine = dH(40);
      EXPECT_NEAR(coarse / fine, 4, 0.5) << c1;
    }
}

// Two flavours of quarks on stout links, with their boundaries.
TEST(BoundaryHmc, OfQuarksIsReversibleAndConservesEnergyToSecondOrder) {
  const Coordinate size{4, 4, 4, 8};
  for (const auto& boundary : {open, functional}) {
    QuarkAction action;
    action.smearing = gauge::stout_smearing(0.12, 1);
    action.smearing.boundary = boundary;
    action.molecular_dynamics_error = 1e-12;
    action.molecular_dynamics_residual = 1e-11;
    const QuarkTerm quark{"quark", 0.3, 0, 0.5, 1, {.boundary = boundary}};
    const auto dH = [&](int steps) {
      const auto u = start<wide>(boundary, size);
      auto terms = make_gauge_terms<double, wide>({{"gauge", gauge::Action{5.5, 0}, boundary}});
      for (auto& term : make_quark_terms<wide>(action, {quark}, u.lattice())) terms.push_back(std::move(term));
      const HybridMonteCarlo<double, wide> hmc({0.5, {{minimum_norm_2(), steps, {"gauge", "quark"}}}}, terms,
                                               u.lattice());
      const auto record = hmc({.seed = 1, .trajectory = 0, .accept_always = true, .check_reversibility = true}, u);
      EXPECT_LT(record.reversibility->links, 1e-11);
      EXPECT_LT(record.reversibility->momenta, 1e-11);
      // The spectrum of the operator is within its bound.
      EXPECT_GT(record.terms[1].solver->largest_eigenvalue, 1);
      EXPECT_LT(record.terms[1].solver->largest_eigenvalue, 16);
      const auto again = u.clone();
      gauge::impose_boundary(boundary, again);
      EXPECT_EQ(largest_difference(again, u), 0);
      return record.dH;
    };
    const double coarse = dH(16), fine = dH(32);
    EXPECT_NEAR(coarse / fine, 4, 0.6);
  }
}

TEST(BoundaryHmc, SinglePrecisionKeepsOpenBoundaries) {
  const Coordinate size{4, 4, 4, 8};
  const auto u = start<wide>(open, size), v = u.clone();
  const gauge::Action action{5.5, -1.0 / 12};
  const TrajectoryRequest request{.seed = 1, .trajectory = 0, .accept_always = true};
  const auto in_double = trajectories<wide>(open, action, u.lattice(), 20)(request, u);
  const auto in_single = trajectories<wide>(open, action, v.lattice(), 20, true)(request, v);
  EXPECT_NEAR(in_single.dH, in_double.dH, 2e-2);
  EXPECT_LT(largest_difference(u, v), 1e-3);
  const auto again = v.clone();
  gauge::impose_boundary(open, again);
  EXPECT_EQ(largest_difference(again, v), 0);
}

// At strong coupling plaquettes are beta / 18 to first order, whatever their neighbours, with the weight of the loop:
// those in space on the boundaries have beta c_G / 2.
TEST(BoundaryHmc, StrongCouplingShowsTheWeights) {
  const Coordinate size{4, 4, 4, 4};
  const double beta = 0.6;
  auto boundary = open;
  boundary.c_g = 4;  // 2 beta there
  double hmc_edge = 0, hmc_inside = 0, heatbath_edge = 0, heatbath_inside = 0;
  const int count = 200;
  const auto measure = [&](const auto& u, double& edge, double& inside) {
    const auto slices = gauge::slice_observables(boundary, u);
    const double sum = slices[1].energy_plaquette + slices[2].energy_plaquette;
    edge += (slices[0].energy_plaquette + slices[3].energy_plaquette) / (2 * count);
    inside += sum / (2 * count);
  };
  const auto u = start<wide>(boundary, size), v = u.clone();
  const auto hmc = trajectories<wide>(boundary, gauge::Action{beta, 0}, u.lattice(), 6);
  for (std::uint32_t k = 0; k < std::uint32_t(count); ++k) {
    hmc({.seed = 5, .trajectory = k}, u);
    measure(u, hmc_edge, hmc_inside);
    gauge::heatbath_update({gauge::Action{beta, 0}, 1, boundary}, {9, k, gauge::heatbath_purpose}, v);
    gauge::reunitarise(v);
    measure(v, heatbath_edge, heatbath_inside);
  }
  // 2 [w n_s 3 (1 - P_s) + 1/2 n_t 3 (1 - P_t)], P = b / 18 + b^2 / 216 + O(b^4)
  const auto plaquette = [](double b) { return b / 18 + b * b / 216; };
  const double inside = 18 * (1 - plaquette(beta)) + 18 * (1 - plaquette(beta));
  const double edge = 9 * (1 - plaquette(2 * beta)) + 9 * (1 - plaquette(beta));
  const double statistical = 4 * 36 / std::sqrt(2.0 * 64 * 6 * 8 * count);
  EXPECT_NEAR(hmc_inside, inside, statistical);
  EXPECT_NEAR(heatbath_inside, inside, statistical);
  EXPECT_NEAR(hmc_edge, edge, statistical);
  EXPECT_NEAR(heatbath_edge, edge, statistical);
}

}  // namespace
}  // namespace trellis::hmc

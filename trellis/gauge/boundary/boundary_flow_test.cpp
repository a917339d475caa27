// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Gradient flow, sums over time slices, heatbath and overrelaxation with boundaries in time.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/boundary.hpp"
#include "reference/loops.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::to_reference;

const Boundary periodic{};
const Boundary open{.kind = BoundaryKind::open};
Boundary schroedinger_functional(int extent) {
  return {
      .kind = BoundaryKind::schroedinger_functional, .extent = extent, .phi = {-1, 0.2, 0.8}, .phi_prime = {-3, 1, 2}};
}

template <int W>
GaugeField<double, W> warm_links(const Boundary& boundary, const Coordinate& size) {
  const auto u = GaugeField<double, W>::unit(Lattice(size, W));
  const AlgebraField<double, W> p(u.lattice());
  draw_momenta({5, 0, momenta_purpose}, p);
  update_links(0.5, p, u);
  impose_boundary(boundary, u);
  return u;
}

reference::TimeBoundary of(const Boundary& b, const Coordinate& size) {
  return {b.kind == BoundaryKind::schroedinger_functional, b.last_slice(size), 1};
}

TEST(BoundaryFlow, AgreesWithReference) {
  const struct {
    Boundary boundary;
    double c1;
    Coordinate size;
  } cases[]{{open, 0, {4, 4, 2, 4}},
            {open, -1.0 / 12, {4, 4, 4, 4}},
            {schroedinger_functional(4), 0, {4, 2, 4, 6}},
            {schroedinger_functional(3), -1.0 / 12, {4, 2, 4, 4}}};
  for (const auto& c : cases) {
    const auto expected =
        reference::flow_step(to_reference(warm_links<1>(c.boundary, c.size)), 0.02, c.c1, of(c.boundary, c.size));
    for_each_lane_count(c.size, [&]<int W>() {
      const auto u = warm_links<W>(c.boundary, c.size);
      flow({.c1 = c.c1, .step = 0.02, .time_max = 0.02, .measure_every = 0.02, .boundary = c.boundary}, u);
      EXPECT_LT(test::distance(to_reference(u), expected), 1e-13) << W << " " << c.c1;
    });
  }
}

// Euler's step is exp(step Z), so the third-order step tends to it, with a difference of second order.
TEST(BoundaryFlow, EulerIsOfFirstOrder) {
  const Coordinate size{4, 4, 4, 4};
  const auto difference = [&](double step) {
    const auto u = warm_links<test::wide>(open, size), v = u.clone();
    FlowParameters parameters{.step = step, .time_max = step, .measure_every = step, .boundary = open};
    flow(parameters, u);
    parameters.integrator = FlowIntegrator::euler;
    flow(parameters, v);
    return test::distance(to_reference(u), to_reference(v));
  };
  const double coarse = difference(0.02), fine = difference(0.01);
  EXPECT_GT(fine, 1e-6);
  EXPECT_NEAR(coarse / fine, 4, 0.3);
  const auto u = warm_links<test::wide>(open, size);
  EXPECT_THROW(flow({.tolerance = 1e-3, .integrator = FlowIntegrator::euler}, u), InputError);
}

// With its mirror image an open lattice of T slices is a periodic one of 2 (T - 1): the flow of both is the same.
TEST(BoundaryFlow, IsThatOfTheMirroredLattice) {
  const int slices = 6;
  for (const double c1 : {0.0}) {
    const auto u = warm_links<1>(open, {4, 4, 4, slices});
    const GaugeField<double, 1> mirrored{Lattice({4, 4, 4, 2 * (slices - 1)})};
    for (std::int64_t n = 0; n < mirrored.lattice().volume(); ++n) {
      const auto x = mirrored.lattice().coordinate(n);
      for (int mu = 0; mu < 4; ++mu) {
        Coordinate y = x;
        if (x[3] < slices - 1 || (x[3] == slices - 1 && mu != 3)) {
          mirrored.set_link(x, mu, u.link(y, mu));
          continue;
        }
        // A link in time is passed backwards.
        y[3] = 2 * (slices - 1) - x[3] - (mu == 3 ? 1 : 0);
        auto link = u.link(y, mu);
        if (mu == 3) {
          const auto from = link;
          for (std::size_t k = 0; k < 18; ++k)
            link[k] = (k % 2 == 0 ? 1 : -1) * from[(k % 6 / 2) * 6 + k / 6 * 2 + k % 2];
        }
        mirrored.set_link(x, mu, link);
      }
    }
    mirrored.exchange();
    const FlowParameters parameters{.c1 = c1, .step = 0.05, .time_max = 0.5, .measure_every = 0.5};
    auto with_boundary = parameters;
    with_boundary.boundary = open;
    flow(with_boundary, u);
    flow(parameters, mirrored);
    for (std::int64_t n = 0; n < u.lattice().volume(); ++n) {
      const auto x = u.lattice().coordinate(n);
      for (int mu = 0; mu < (x[3] == slices - 1 ? 3 : 4); ++mu) {
        const auto found = u.link(x, mu), expected = mirrored.link(x, mu);
        for (std::size_t k = 0; k < 18; ++k) ASSERT_NEAR(found[k], expected[k], 1e-12) << n << " " << mu;
      }
    }
  }
}

TEST(BoundaryFlow, PeriodicSlicesAddUpToTheLattice) {
  const Coordinate size{4, 4, 4, 8};
  std::vector<SliceObservables> first;
  for_each_lane_count(size, [&]<int W>() {
    const auto u = warm_links<W>(periodic, size);
    const auto slices = slice_observables(periodic, u);
    const auto sum = clover_of(slices, periodic, size), whole = clover_observables(u);
    EXPECT_NEAR(sum.energy_spatial, whole.energy_spatial, 1e-13);
    EXPECT_NEAR(sum.energy_temporal, whole.energy_temporal, 1e-13);
    EXPECT_NEAR(sum.topological_charge, whole.topological_charge, 1e-13);
    double plaquettes = 0;
    for (const auto& slice : slices) plaquettes += slice.energy_plaquette / size[3];
    EXPECT_NEAR(plaquettes, 36 * (1 - plaquette(u).average), 1e-12);
    if (W == 1) first = slices;
    for (std::size_t t = 0; t < 8; ++t) {
      EXPECT_EQ(slices[t].energy_spatial, first[t].energy_spatial);
      EXPECT_EQ(slices[t].energy_temporal, first[t].energy_temporal);
      EXPECT_EQ(slices[t].energy_plaquette, first[t].energy_plaquette);
      EXPECT_EQ(slices[t].topological_charge, first[t].topological_charge);
    }
  });
}

TEST(BoundaryFlow, OpenSlicesAddUpToTheAction) {
  const Coordinate size{4, 4, 4, 8};
  const auto u = warm_links<test::wide>(open, size);
  const auto slices = slice_observables(open, u);
  double sum = 0;
  for (const auto& slice : slices) sum += slice.energy_plaquette;
  EXPECT_NEAR(64 * sum, action(Action{6.0, 0}, open, u), 1e-10);
  for (const int t : {0, 7}) EXPECT_EQ(slices[std::size_t(t)].topological_charge, 0);
  // Of unit links all are 1.
  const auto cold = GaugeField<double, test::wide>::unit(Lattice(size, test::wide));
  impose_boundary(open, cold);
  const auto loops = plaquette(open, cold);
  EXPECT_NEAR(loops.average, 1, 1e-15);
  EXPECT_NEAR(loops.spatial, 1, 1e-15);
  EXPECT_NEAR(loops.temporal, 1, 1e-15);
  EXPECT_NEAR(rectangle(open, cold), 1, 1e-15);
}

TEST(BoundaryHeatbath, OverrelaxationKeepsTheActionAndInactiveLinks) {
  auto strong = open;
  strong.c_g = 1.6;
  auto functional = schroedinger_functional(6);
  functional.c_g = 0.7;
  const struct {
    Boundary boundary;
    Action action;
    Coordinate size;
  } cases[]{
      {strong, {5.8, 0}, {4, 4, 2, 4}}, {strong, {5.8, -1.0 / 12}, {4, 4, 4, 8}}, {functional, {5.8, 0}, {4, 4, 2, 8}}};
  for (const auto& c : cases) {
    std::vector<reference::Matrix> links;
    for_each_lane_count(c.size, [&]<int W>() {
      const auto u = warm_links<W>(c.boundary, c.size), before = u.clone();
      overrelaxation_sweep(c.action, u, c.boundary);
      const double s = action(c.action, c.boundary, before);
      EXPECT_NEAR(action_difference(c.action, c.boundary, u, before), 0, 1e-11 * s) << W;
      heatbath_update({c.action, 1, c.boundary}, {7, 1, heatbath_purpose}, u);
      EXPECT_GT(std::abs(action_difference(c.action, c.boundary, u, before)), 1e-3 * s);
      reunitarise(u);
      const auto found = to_reference(u), start = to_reference(before);
      if (links.empty()) links = found.links;
      EXPECT_EQ(found.links, links) << W;
      for (int n = 0; n < found.volume(); ++n)
        for (int mu = 0; mu < 4; ++mu) {
          const auto i = std::size_t(4 * n + mu);
          const bool moves = reference::is_variable(found.site(n), mu, of(c.boundary, c.size));
          ASSERT_EQ(found.links[i] == start.links[i], !moves) << W << " site " << n << " direction " << mu;
        }
    });
  }
}

}  // namespace
}  // namespace trellis::gauge

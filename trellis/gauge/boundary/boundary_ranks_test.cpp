// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Boundaries in time on process grids, also where these or the lanes cut t, have the bits of one process.
#include <vector>

#include "tests/support/grid_lattices.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/fixing/gauge_fixing.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

// Links after forces, a heatbath, a flow and gauge fixing, momenta, and numbers.
template <int W>
struct Found {
  GaugeField<double, W> links;
  AlgebraField<double, W> p;
  std::vector<double> numbers;

  Found(const Boundary& boundary, const Action& action, const Lattice& lattice) : links(lattice), p(lattice) {
    hot_start({2026, 0, hot_start_purpose}, links);
    impose_boundary(boundary, links);
    draw_momenta({2026, 0, momenta_purpose}, p);
    clear_inactive(boundary, p);
    const auto before = links.clone();
    LoopForceWork<double, W> work;
    for (int k = 0; k < 2; ++k) {
      add_force(action, boundary, links, 0.05, p, work);
      update_links(0.1, p, links);
    }
    reunitarise(links);
    numbers = {gauge::action(action, boundary, links), action_difference(action, boundary, links, before)};
    heatbath_update({action, 1, boundary}, {2026, 1, heatbath_purpose}, links);
    reunitarise(links);
    const auto points = flow(
        {.c1 = action.c1, .step = 0.02, .time_max = 0.04, .measure_every = 0.04, .slices = true, .boundary = boundary},
        links);
    for (const auto& slice : points.back().slices)
      numbers.insert(numbers.end(),
                     {slice.energy_spatial, slice.energy_temporal, slice.energy_plaquette, slice.topological_charge});
    for (const auto& point : points) numbers.insert(numbers.end(), {point.energy_clover, point.plaquette});
    for (const Gauge gauge : {Gauge::coulomb, Gauge::landau}) {
      const auto report = fix_gauge({.gauge = gauge, .residual = 1e-3}, links, boundary);
      numbers.insert(numbers.end(), {report.reached.functional, report.reached.residual, double(report.iterations)});
    }
  }
};

void expect_bits_of_one_process(const Boundary& boundary, const Action& action, const Coordinate& size) {
  const Found<1> alone(boundary, action, Lattice(size));
  testing::on_lattices(size, [&]<int W>(const Lattice& lattice) {
    const Found<W> found(boundary, action, lattice);
    testing::expect_same_momenta(found.p, alone.p, "momenta");
    testing::expect_same_links(found.links, alone.links, "links");
    EXPECT_EQ(found.numbers, alone.numbers);
  });
}

TEST(RanksBoundary, Open) {
  const Boundary open{.kind = BoundaryKind::open, .c_g = 1.2};
  expect_bits_of_one_process(open, {5.8, 0}, {4, 4, 4, 16});
  expect_bits_of_one_process(open, {5.8, -1.0 / 12}, {4, 4, 4, 16});
}

// Which have no heatbath.
TEST(RanksBoundary, OpenWithParallelograms) {
  const Coordinate size{4, 4, 4, 16};
  const Boundary open{.kind = BoundaryKind::open, .c_g = 1.2};
  const LoopWeights weights{5.8, -0.3, 0.7};
  const auto force_and_action = [&]<int W>(const Lattice& lattice) {
    const GaugeField<double, W> u(lattice);
    const AlgebraField<double, W> p(lattice);
    hot_start({2026, 0, hot_start_purpose}, u);
    impose_boundary(open, u);
    LoopForceWork<double, W> work;
    add_force(weights, open, u, 0.05, p, work);
    return std::pair{p, gauge::action(weights, open, u)};
  };
  const auto alone = force_and_action.template operator()<1>(Lattice(size));
  testing::on_lattices(size, [&]<int W>(const Lattice& lattice) {
    const auto found = force_and_action.template operator()<W>(lattice);
    testing::expect_same_momenta(found.first, alone.first, "momenta");
    EXPECT_EQ(found.second, alone.second);
  });
}

TEST(RanksBoundary, SchroedingerFunctional) {
  Boundary functional{.kind = BoundaryKind::schroedinger_functional,
                      .c_g = 0.9,
                      .extent = 14,
                      .phi = {-1, 0.2, 0.8},
                      .phi_prime = {-3, 1, 2}};
  expect_bits_of_one_process(functional, {5.8, 0}, {4, 4, 4, 16});
  functional.rectangles = BoundaryRectangles::weighted;
  functional.c1 = -1.0 / 12;
  expect_bits_of_one_process(functional, {5.8, functional.c1}, {4, 4, 4, 16});
  // Fixed slices two steps from where a rank begins, and next to each other.
  functional.extent = 7;
  expect_bits_of_one_process(functional, {5.8, functional.c1}, {4, 4, 4, 8});
  functional.extent = 6;
  expect_bits_of_one_process(functional, {5.8, functional.c1}, {4, 4, 4, 8});
}

}  // namespace
}  // namespace trellis::gauge

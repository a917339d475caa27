// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// All code that reads neighbours or changes links, on process grids, gives the bits of one process. Each step reads the
// ghosts that the previous one left.
#include <cstdlib>
#include <string>

#include "tests/support/grid_lattices.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/gauge/defect/defect_action.hpp"
#include "trellis/gauge/defect/translation.hpp"
#include "trellis/gauge/fixing/gauge_fixing.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/heatbath/coloured_tiles.hpp"
#include "trellis/gauge/heatbath/cooling.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/link_halo.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/spatial_stout.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::gauge {
namespace {

const Coordinate size{4, 4, 4, 16};  // eight ranks leave two time slices each
const Action wilson{5.7, 0}, symanzik{4.1, -1.0 / 12};
const LoopWeights one_loop = one_loop_symanzik(6.0, 0.86, 4);

template <class T, int W>
struct Found {
  GaugeField<T, W> u;
  AlgebraField<T, W> p;
  std::vector<double> numbers;

  explicit Found(const Lattice& lattice) : u(lattice), p(lattice) {
    hot_start({2026, 0, hot_start_purpose}, u);
    draw_momenta({2026, 1, momenta_purpose}, p);
  }
};

// walk(Found&) on all lattices. No number may be NaN.
template <class T, class F>
void expect_bits_of_one_process(const Coordinate& extents, const F& walk) {
  Found<T, 1> alone{Lattice(extents)};
  walk(alone);
  testing::on_lattices(extents, [&]<int W>(const Lattice& lattice) {
    Found<T, W> found(lattice);
    walk(found);
    EXPECT_EQ(found.numbers, alone.numbers);
    testing::expect_same_links(found.u, alone.u, "links");
    testing::expect_same_momenta(found.p, alone.p, "momenta");
  });
}
template <class F>
void expect_bits_of_one_process(const F& walk) {
  expect_bits_of_one_process<double>(size, walk);
}

// Observables of u that look near, at corners and two steps away.
template <class T, int W>
void observe(Found<T, W>& found) {
  const auto& u = found.u;
  const Plaquette p = plaquette(u);
  const CloverObservables clover = clover_observables(u);
  for (const double number :
       {p.average, p.spatial, p.temporal, rectangle(u), link_trace(u), unitarity_violation(u), action(wilson, u),
        action(symanzik, u), action(one_loop, u), parallelogram(u), clover.energy_density, clover.energy_spatial,
        clover.energy_temporal, clover.topological_charge})
    found.numbers.push_back(number);
}

TEST(RanksGauge, Observables) {
  expect_bits_of_one_process([](auto& found) {
    observe(found);
    found.numbers.push_back(kinetic_energy(found.p));
    for (int mu = 0; mu < 4; ++mu) {
      const auto loop = polyakov_loop(found.u, mu);
      found.numbers.push_back(loop.real());
      found.numbers.push_back(loop.imag());
    }
  });
}

// The same where surfaces come first, and the rest while messages are under way, as between machines and GPUs.
template <class T, class F>
void expect_bits_where_messages_overlap(const Coordinate& extents, const F& walk) {
  const char* const given = std::getenv("TRELLIS_OVERLAP");
  const std::string before = given != nullptr ? given : "";
  ::setenv("TRELLIS_OVERLAP", "1", 1);
  bool overlapped = false;
  expect_bits_of_one_process<T>(extents, [&](auto& found) {
    overlapped = overlapped || tiles_apart(found.u.lattice()).inside.count > 1;
    walk(found);
  });
  EXPECT_TRUE(overlapped);
  ::setenv("TRELLIS_OVERLAP", before.c_str(), 1);
}

const Coordinate long_size{4, 4, 4, 32};  // on eight ranks two time slices are inside

TEST(RanksGauge, LinksThatOverlapTheirMessages) {
  expect_bits_where_messages_overlap<double>(long_size, [](auto& found) {
    for (const double step : {0.1, -0.3, 0.2}) {
      update_links(step, found.p, found.u);
      observe(found);
    }
  });
}

TEST(RanksGauge, ForcesThatOverlapTheirMessages) {
  expect_bits_where_messages_overlap<double>(long_size, []<int W>(Found<double, W>& found) {
    LoopForceWork<double, W> work;
    for (int k = 0; k < 3; ++k) {
      add_force(symanzik, found.u, 0.1, found.p, work, begin_updating_links(0.1, found.p, found.u));
      add_force(one_loop, found.u, 0.1, found.p, work, begin_updating_links(-0.1, found.p, found.u));
      update_links(0.2, found.p, found.u);
      add_force(symanzik, found.u, 0.1, found.p, work);
      add_force(wilson, found.u, 0.1, found.p, work, begin_updating_links(0.2, found.p, found.u));
    }
  });
}

TEST(RanksGauge, ForcesInSinglePrecisionThatOverlapTheirMessages) {
  expect_bits_where_messages_overlap<float>(long_size, []<int W>(Found<float, W>& found) {
    LoopForceWork<float, W> work;
    for (int k = 0; k < 3; ++k) {
      add_force(symanzik, found.u, 0.1, found.p, work, begin_updating_unitary_links(0.1, found.p, found.u));
      update_unitary_links(0.2, found.p, found.u);
    }
  });
}

TEST(RanksGauge, StoutLinksThatOverlapTheirMessages) {
  expect_bits_where_messages_overlap<double>(long_size, []<int W>(Found<double, W>& found) {
    const StoutLinks<double, W> stout({0.12, 3}, found.u.lattice());
    const GaugeField<double, W> derivative = found.u.clone();
    for (int k = 0; k < 2; ++k) {
      found.numbers.push_back(plaquette(stout.smear(found.u)).average);
      stout.add_force(derivative, 0.1, found.p);
      update_links(0.1, found.p, found.u);
    }
    stout_steps(0.1, 2, found.u);
    observe(found);
  });
}

TEST(RanksGauge, DifferencesOfActions) {
  expect_bits_of_one_process([](auto& found) {
    const auto before = found.u.clone();
    const auto p = found.p.clone();
    update_links(0.1, found.p, found.u);
    add_force(symanzik, found.u, 0.3, found.p);
    found.numbers.push_back(action_difference(wilson, found.u, before));
    found.numbers.push_back(action_difference(symanzik, found.u, before));
    found.numbers.push_back(kinetic_energy_difference(found.p, p));
  });
}

TEST(RanksGauge, Forces) {
  expect_bits_of_one_process([](auto& found) {
    for (int k = 0; k < 2; ++k) {
      add_force(wilson, found.u, 0.1, found.p);
      update_links(0.2, found.p, found.u);
      add_force(symanzik, found.u, 0.1, found.p);
      update_links(0.2, found.p, found.u);
    }
    reunitarise(found.u);
    observe(found);
  });
}

TEST(RanksGauge, StoutLinksAndTheirForce) {
  expect_bits_of_one_process([]<class T, int W>(Found<T, W>& found) {
    const StoutLinks<T, W> stout({0.12, 3}, found.u.lattice());
    const GaugeField<T, W>& smeared = stout.smear(found.u);
    found.numbers.push_back(plaquette(smeared).average);
    found.numbers.push_back(clover_observables(smeared).topological_charge);
    stout.add_force(found.u, 0.1, found.p);
    found.u.copy_from(smeared);
    stout_steps(0.1, 2, found.u);
    observe(found);
    found.u.copy_from(spatial_stout(0.1, 3, found.u));
    observe(found);
  });
}

TEST(RanksGauge, FlowAndCooling) {
  expect_bits_of_one_process<double>(size, [](auto& found) {
    found.numbers.push_back(flow_step(0, 0.02, found.u));
    found.numbers.push_back(flow_step(-1.0 / 12, 0.02, found.u));
    cooling_step(found.u);
    cooling_step(found.u);
    for (const double tolerance : {0.0, 1e-4})
      for (const FlowPoint& point :
           flow({.c1 = 0, .step = 0.05, .time_max = 0.1, .tolerance = tolerance, .measure_every = 0.05}, found.u))
        found.numbers.insert(found.numbers.end(),
                             {point.step, point.energy_clover, point.topological_charge, point.plaquette});
    observe(found);
  });
}

TEST(RanksGauge, HeatbathAndOverrelaxation) {
  expect_bits_of_one_process<double>(size, [](auto& found) {
    heatbath_update({wilson, 2}, {2026, 2, heatbath_purpose}, found.u);
    observe(found);
    heatbath_update({symanzik, 2}, {2026, 3, heatbath_purpose}, found.u);
    observe(found);
  });
}

// The lanes of a tile differ in colour if neither 3 divides an extent nor 4 the block of a lane.
TEST(RanksGauge, Defects) {
  expect_bits_of_one_process([]<int W>(Found<double, W>& found) {
    const auto& u = found.u;
    for (const Defect& defect : {Defect{0, 3}, Defect{3, 4}}) {
      const DefectAction<W> action(u.lattice(), defect);
      for (const LoopWeights& weights : {LoopWeights(wilson), LoopWeights(symanzik), one_loop}) {
        found.numbers.push_back(action.energy(weights, 0.3, u));
        action.add_force(weights, 0.3, u, 0.1, found.p);
        update_links(0.1, found.p, u);
      }
      heatbath_update({wilson, 1}, {2026, 4, heatbath_purpose}, u, action, 0.3);
      heatbath_update({symanzik, 1}, {2026, 5, heatbath_purpose}, u, action, 0.0);
      auto moved = u.clone();
      GaugeField<double, W> work(u.lattice());
      translate({1, 3, 2, 9}, moved, work);
      u.copy_from(moved);
      found.numbers.push_back(action.energy(symanzik, 0.0, u));
      const DefectLoops loops = action.loops(one_loop, u);
      found.numbers.insert(found.numbers.end(), {loops.one, loops.two});
      for (const auto& weights : {wilson, symanzik})
        HeatbathSweeps<double, W>({weights, 1}, u.lattice(), box_around(defect, 1, u.lattice().size()))(
            {2026, 6, heatbath_purpose}, u, action, 0.3);
      observe(found);
    }
  });
}

TEST(RanksGauge, HeatbathOnTilesOfMixedColours) {
  expect_bits_of_one_process<double>(
      {4, 4, 4, 20}, [](auto& found) { heatbath_update({symanzik, 1}, {2026, 3, heatbath_purpose}, found.u); });
}

TEST(RanksGauge, GaugeFixing) {
  expect_bits_of_one_process<double>(size, [](auto& found) {
    for (const Gauge gauge : {Gauge::coulomb, Gauge::landau}) {
      const auto start = gauge_condition(gauge, found.u);
      const auto [reached, iterations] = fix_gauge({.gauge = gauge, .residual = 1e-3}, found.u);
      found.numbers.insert(found.numbers.end(), {start.functional, start.residual, reached.functional, reached.residual,
                                                 double(iterations)});
      observe(found);
    }
  });
}

TEST(RanksGauge, GaugeTransformations) {
  expect_bits_of_one_process([](auto& found) {
    random_gauge_transformation({2026, 4, gauge_transformation_purpose}, found.u);
    observe(found);
  });
}

// All but the ghosts.
template <class T, int W>
void copy_own_links(const GaugeField<T, W>& u, const GaugeField<T, W>& other) {
  const auto from = u.access(), to = other.access();
  for_each_tile(
      "copy links", u.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) to.set_link(tile, mu, from.link(tile, mu));
      });
}

// Messages of two rows: all ghosts have the bits that complete links would have brought.
TEST(RanksGauge, LinksAreRestoredFromTwoRows) {
  for (const auto& grid : testing::grids_of(size)) {
    SCOPED_TRACE(to_string(grid.extents()));
    test::for_each_lane_count<float>(grid.local(size), [&]<int W>() {
      const Lattice lattice(size, W, SiteOrder::even_odd, {}, grid);
      const GaugeField<float, W> u(lattice), other(lattice);
      hot_start({2026, 0, hot_start_purpose}, u);
      hot_start({2027, 0, hot_start_purpose}, other);
      other.exchange(Reach::two_steps);
      reunitarise(u);
      copy_own_links(u, other);
      u.exchange(Reach::two_steps);
      const auto before = rank_fingerprint(other);
      exchange_unitary(other, Reach::two_steps);
      EXPECT_EQ(rank_fingerprint(other), rank_fingerprint(u)) << W << " lanes";
      EXPECT_EQ(before == rank_fingerprint(other), !lattice.has_ghosts());
    });
  }
}

TEST(RanksGauge, DriftsInSinglePrecision) {
  expect_bits_of_one_process<float>(size, []<int W>(Found<float, W>& found) {
    for (int step = 0; step < 2; ++step) {
      update_unitary_links(0.3, found.p, found.u);
      found.numbers.push_back(plaquette(found.u).average);
      add_force(symanzik, found.u, 0.1, found.p);
    }
  });
}

}  // namespace
}  // namespace trellis::gauge

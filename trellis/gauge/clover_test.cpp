// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/clover.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "reference/clover.hpp"
#include "reference/read_files.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::from_reference;
const std::string data = TRELLIS_TEST_DATA;

TEST(Clover, ChargeOfQcdMeasurements) {
  const auto c = reference::read_text(data + "/qcdm/testconf.txt", {4, 4, 4, 4});
  for_each_lane_count(c.size, [&]<int W>() {
    EXPECT_NEAR(clover_observables(from_reference<double, W>(c)).topological_charge, -0.0271645859715460, 1e-15) << W;
  });
}

TEST(Clover, EnergyAndChargeOfMilc) {
  // Printed with six digits by a program in single precision.
  const auto c = reference::read_milc(data + "/milc/lat.sample.l4448");
  for_each_lane_count(c.size, [&]<int W>() {
    const CloverObservables o = clover_observables(from_reference<double, W>(c));
    EXPECT_NEAR(o.energy_temporal, 1.05787, 6e-6);
    EXPECT_NEAR(o.energy_spatial, 1.03094, 6e-6);
    EXPECT_EQ(o.energy_density, o.energy_temporal + o.energy_spatial);
    EXPECT_NEAR(o.topological_charge, 0.0955429, 6e-8);
  });
}

TEST(Clover, AgreesWithReferenceOnRandomLinks) {
  for (const Coordinate& size : {Coordinate{2, 4, 6, 8}, Coordinate{2, 2, 2, 2}, Coordinate{8, 2, 4, 4}}) {
    const auto c = reference::hot_configuration(size, 17);
    const auto energy = reference::clover_energy(c);
    const double charge = reference::topological_charge(c);
    for (const SiteOrder order : {SiteOrder::even_odd, SiteOrder::lexicographic})
      for_each_lane_count(size, [&]<int W>() {
        const CloverObservables o = clover_observables(from_reference<double, W>(c, order));
        EXPECT_NEAR(o.energy_spatial / energy.magnetic, 1, 1e-14) << W;
        EXPECT_NEAR(o.energy_temporal / energy.electric, 1, 1e-14) << W;
        EXPECT_NEAR(o.topological_charge, charge, 1e-14) << W;
      });
  }
}

TEST(Clover, BitsDoNotDependOnLanesOrThreads) {
  const auto c = reference::hot_configuration({4, 4, 4, 8}, 3);
  const CloverObservables one = clover_observables(from_reference<double, 1>(c));
  const int threads_before = concurrency();
  for (const int threads : {1, 2, 3})
    for_each_lane_count(c.size, [&]<int W>() {
      set_thread_count(threads);
      const CloverObservables o = clover_observables(from_reference<double, W>(c));
      EXPECT_EQ(o.energy_density, one.energy_density);
      EXPECT_EQ(o.topological_charge, one.topological_charge);
    });
  set_thread_count(threads_before);
}

TEST(Clover, IsGaugeInvariantAndVanishesForUnitLinks) {
  const auto u = from_reference<double, 1>(reference::hot_configuration({4, 4, 4, 4}, 5));
  const CloverObservables before = clover_observables(u);
  random_gauge_transformation({8, 0, gauge_transformation_purpose}, u);
  const CloverObservables after = clover_observables(u);
  EXPECT_NEAR(after.energy_density, before.energy_density, 1e-13);
  EXPECT_NEAR(after.topological_charge, before.topological_charge, 1e-13);
  const CloverObservables cold = clover_observables(GaugeField<double, 1>::unit(u.lattice()));
  EXPECT_EQ(cold.energy_density, 0);
  EXPECT_EQ(cold.topological_charge, 0);
}

}  // namespace
}  // namespace trellis::gauge

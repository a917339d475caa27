// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/gauge_observables.hpp"

#include <gtest/gtest.h>

#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::measure {
namespace {

const auto path = std::filesystem::path(TRELLIS_TEST_DATA) / "milc/lat.sample.l4448";

// MILC's numbers for this file: E at flow times 0 and 0.2, Q at 0 (Et and Es each count one half of E).
TEST(GaugeObservables, KnownConfiguration) {
  const auto u = io::load_gauge_field<double, test::wide>(path);
  GaugeSelection selection{true, true, true, gauge::FlowParameters{}};
  selection.flow->step = 0.1;
  selection.flow->time_max = 0.2;
  const auto m = measure_gauge(selection, u);
  EXPECT_NEAR(m.plaquette.average, 0.569055724369, 1e-12);
  EXPECT_NEAR(m.plaquette.spatial, 0.5745827603, 1e-10);
  EXPECT_NEAR(m.plaquette.temporal, 0.5635286885, 1e-10);
  EXPECT_NEAR(m.rectangle, 0.350194842726, 1e-12);
  EXPECT_NEAR(m.polyakov->real(), 0.00076656, 1e-8);
  EXPECT_NEAR(m.polyakov->imag(), 0.00055879, 1e-8);
  EXPECT_NEAR(*m.topological_charge, 0.0955429, 1e-6);
  EXPECT_NEAR(m.energy->energy_density, m.energy->energy_spatial + m.energy->energy_temporal, 1e-12);
  ASSERT_EQ(m.flow.size(), 3u);
  EXPECT_EQ(m.flow[0].energy_clover, m.energy->energy_density);
  EXPECT_LT(m.flow[2].energy_clover, m.flow[0].energy_clover);
  EXPECT_FALSE(m.t0.has_value());
}

TEST(GaugeObservables, OnlyWhatWasAskedForAndTheLinksStay) {
  const auto u = io::load_gauge_field<double, test::wide>(path);
  const auto before = u.clone();
  const auto m = measure_gauge({false, false, false, gauge::FlowParameters{}}, u);
  EXPECT_FALSE(m.polyakov || m.topological_charge || m.energy);
  for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
    ASSERT_EQ(u.link(u.lattice().coordinate(n), 2), before.link(u.lattice().coordinate(n), 2));
}

TEST(GaugeObservables, GaugeInvariant) {
  const auto u = io::load_gauge_field<double, test::wide>(path);
  const GaugeSelection selection{true, true, true, std::nullopt};
  const auto before = measure_gauge(selection, u);
  gauge::random_gauge_transformation({3, 0, RandomPurpose::gauge_transformation}, u);
  const auto after = measure_gauge(selection, u);
  EXPECT_NEAR(after.plaquette.average, before.plaquette.average, 1e-6);  // links of the file are single precision
  EXPECT_NEAR(*after.topological_charge, *before.topological_charge, 1e-6);
  EXPECT_NEAR(std::abs(*after.polyakov - *before.polyakov), 0, 1e-6);
}

}  // namespace
}  // namespace trellis::measure

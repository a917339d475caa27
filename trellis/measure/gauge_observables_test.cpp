// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/gauge_observables.hpp"

#include <gtest/gtest.h>

#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/heatbath/cooling.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/projected.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::measure {
namespace {

const auto path = std::filesystem::path(TRELLIS_TEST_DATA) / "milc/lat.sample.l4448";

// MILC's numbers for this file: E at flow times 0 and 0.2, Q at 0 (Et and Es each count one half of E).
TEST(GaugeObservables, KnownConfiguration) {
  const auto u = io::load_gauge_field<double, test::wide>(path);
  GaugeSelection selection{.observables = observables_named({"polyakov", "topological_charge", "energy"}),
                           .flow = gauge::FlowParameters{}};
  selection.flow->step = 0.1;
  selection.flow->time_max = 0.2;
  const auto m = measure_gauge(selection, u);
  EXPECT_NEAR(m.plaquette.average, 0.569055724369, 1e-12);
  EXPECT_NEAR(m.plaquette.spatial, 0.5745827603, 1e-10);
  EXPECT_NEAR(m.plaquette.temporal, 0.5635286885, 1e-10);
  EXPECT_NEAR(m.rectangle, 0.350194842726, 1e-12);
  EXPECT_NEAR(m.observables.at("polyakov")[0], 0.00076656, 1e-8);
  EXPECT_NEAR(m.observables.at("polyakov")[1], 0.00055879, 1e-8);
  EXPECT_NEAR(m.observables.at("topological_charge")[0], 0.0955429, 1e-6);
  const auto& energy = m.observables.at("energy");
  EXPECT_NEAR(energy[0], energy[1] + energy[2], 1e-12);
  ASSERT_EQ(m.flow.size(), 3u);
  EXPECT_EQ(m.flow[0].energy_clover, energy[0]);
  EXPECT_LT(m.flow[2].energy_clover, m.flow[0].energy_clover);
  EXPECT_FALSE(m.t0.has_value());
}

TEST(GaugeObservables, OnlyWhatWasAskedForAndTheLinksStay) {
  const auto u = io::load_gauge_field<double, test::wide>(path);
  const auto before = u.clone();
  const auto m = measure_gauge({.flow = gauge::FlowParameters{}}, u);
  EXPECT_TRUE(m.observables.empty());
  for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
    ASSERT_EQ(u.link(u.lattice().coordinate(n), 2), before.link(u.lattice().coordinate(n), 2));
}

TEST(GaugeObservables, ChargesOfSmootherLinks) {
  const auto u = io::load_gauge_field<double, test::wide>(path);
  GaugeSelection selection;
  selection.smoothings = {{.name = "cooling", .steps = 5, .every = 2},
                          {.name = "stout", .weight = 0.08, .steps = 4, .every = 4},
                          {.name = "ape", .weight = 0.6, .steps = 2, .every = 1},
                          {.name = "hyp", .steps = 2, .every = 2}};
  const auto m = measure_gauge(selection, u);
  const auto &cooling = m.smoothed.at("cooling"), &stouted = m.smoothed.at("stout");
  ASSERT_EQ(cooling.size(), 4u);
  const int expected[] = {0, 2, 4, 5};
  const auto cooled = u.clone();
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(cooling[k].steps, expected[k]);
    for (int n = k == 0 ? 0 : expected[k - 1]; n < expected[k]; ++n) gauge::cooling_step(cooled);
    EXPECT_EQ(cooling[k].plaquette, gauge::plaquette(cooled).average);
    EXPECT_EQ(cooling[k].topological_charge, gauge::clover_observables(cooled).topological_charge);
  }
  EXPECT_NEAR(cooling[0].topological_charge, 0.0955429, 1e-6);
  ASSERT_EQ(stouted.size(), 2u);
  const gauge::StoutLinks<double, test::wide> stout({0.08, 4}, u.lattice());
  EXPECT_EQ(stouted[1].steps, 4);
  EXPECT_EQ(stouted[1].plaquette, gauge::plaquette(stout.smear(u)).average);
  EXPECT_EQ(stouted[0].plaquette, m.plaquette.average);
  const auto &ape = m.smoothed.at("ape"), &hyp = m.smoothed.at("hyp");
  ASSERT_EQ(ape.size(), 3u);
  EXPECT_EQ(ape[2].plaquette, gauge::plaquette(gauge::ape_smeared({.alpha = 0.6, .levels = 2}, u)).average);
  ASSERT_EQ(hyp.size(), 2u);
  const auto hyp_links = gauge::hyp_smeared({.levels = 2}, u);
  EXPECT_EQ(hyp[1].plaquette, gauge::plaquette(hyp_links).average);
  EXPECT_EQ(hyp[1].topological_charge, gauge::clover_observables(hyp_links).topological_charge);
}

TEST(GaugeObservables, ChargesOfSmootherLinksInSpace) {
  const auto u = io::load_gauge_field<double, test::wide>(path);
  const auto m = measure_gauge(
      {.smoothings = {{.name = "ape", .weight = 0.6, .steps = 2, .every = 1, .options = {{"dimensions", 3}}},
                      {.name = "hyp", .steps = 1, .every = 1, .options = {{"alpha1", 0.7}, {"alpha2", 0.5}}}}},
      u);
  EXPECT_EQ(m.smoothed.at("ape")[2].plaquette,
            gauge::plaquette(gauge::ape_smeared({.dimensions = 3, .alpha = 0.6, .levels = 2}, u)).average);
  EXPECT_EQ(m.smoothed.at("hyp")[1].plaquette,
            gauge::plaquette(gauge::hyp_smeared({.alpha = {0.7, 0.5, 0.3}}, u)).average);
  for (const auto& options :
       {std::map<std::string, double>{{"dimensions", 5}}, {{"dimensions", 3.5}}, {{"alpha", 0.5}}})
    EXPECT_THROW(measure_gauge({.smoothings = {{.name = "hyp", .steps = 1, .every = 1, .options = options}}}, u),
                 InputError);
}

TEST(GaugeObservables, StepsOutOfRangeAreErrors) {
  const auto u = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 2}));
  for (const SmoothingSteps& bad : {SmoothingSteps{.name = "cooling", .steps = -1, .every = 1},
                                    SmoothingSteps{.name = "cooling", .steps = 1, .every = 0},
                                    SmoothingSteps{.name = "stout", .weight = 0.7, .steps = 1, .every = 1},
                                    SmoothingSteps{.name = "ape", .weight = 1.1, .steps = 1, .every = 1},
                                    SmoothingSteps{.name = "colling", .steps = 1, .every = 1}})
    EXPECT_THROW(measure_gauge({.smoothings = {bad}}, u), InputError);
}

TEST(GaugeObservables, GaugeInvariant) {
  const auto u = io::load_gauge_field<double, test::wide>(path);
  const GaugeSelection selection{.observables = observables_named({"polyakov", "topological_charge"})};
  const auto before = measure_gauge(selection, u);
  gauge::random_gauge_transformation({3, 0, gauge::gauge_transformation_purpose}, u);
  const auto after = measure_gauge(selection, u);
  EXPECT_NEAR(after.plaquette.average, before.plaquette.average, 1e-6);  // the file's links are in single precision
  for (const auto& [name, numbers] : before.observables)
    for (std::size_t i = 0; i < numbers.size(); ++i)
      EXPECT_NEAR(after.observables.at(name)[i], numbers[i], 1e-6) << name;
}

}  // namespace
}  // namespace trellis::measure

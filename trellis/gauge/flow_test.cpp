// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "reference/flow.hpp"
#include "reference/read_files.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/loops.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::from_reference;
using test::to_reference;

// Slope of log y against log x by least squares.
double fitted_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  const double n = double(x.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

reference::GaugeConfiguration flowed(const reference::GaugeConfiguration& c, const FlowParameters& parameters) {
  const auto u = from_reference<double, 1>(c);
  flow(parameters, u);
  return to_reference(u);
}

TEST(Flow, OfMilc) {
  // Wilson flow with steps of 0.1, printed with six digits by a program in single precision.
  struct Printed {
    std::size_t point;
    double time, temporal, spatial, charge;
  };
  const auto c = reference::read_milc(std::string(TRELLIS_TEST_DATA) + "/milc/lat.sample.l4448");
  for_each_lane_count(c.size, [&]<int W>() {
    const auto points = flow({.step = 0.1, .time_max = 0.9, .measure_every = 0.1}, from_reference<double, W>(c));
    ASSERT_EQ(points.size(), 10u);
    for (const Printed& milc :
         {Printed{2, 0.2, 0.506125, 0.481396, 0.0166373}, Printed{5, 0.5, 0.152452, 0.125636, 0.00570391},
          Printed{9, 0.9, 0.0585831, 0.0404036, 0.000886915}}) {
      const FlowPoint& p = points[milc.point];
      EXPECT_NEAR(p.time, milc.time, 1e-15);
      EXPECT_NEAR(p.energy_temporal, milc.temporal, 2e-6 * milc.temporal + 5e-8);
      EXPECT_NEAR(p.energy_spatial, milc.spatial, 2e-6 * milc.spatial + 5e-8);
      EXPECT_NEAR(p.topological_charge, milc.charge, 6e-8);
      EXPECT_EQ(p.energy_clover, p.energy_spatial + p.energy_temporal);
      EXPECT_EQ(p.energy_plaquette, 36 * (1 - p.plaquette));
    }
    for (std::size_t k = 1; k < points.size(); ++k) EXPECT_LT(points[k].energy_clover, points[k - 1].energy_clover);
  });
}

TEST(Flow, AgreesWithReference) {
  const auto c = reference::hot_configuration({4, 2, 4, 2}, 5);
  for (const double c1 : {0.0, -1.0 / 12, -0.331}) {
    const auto expected = reference::flow(c, 0.02, 3, c1);
    for_each_lane_count(c.size, [&]<int W>() {
      const auto u = from_reference<double, W>(c);
      flow({.c1 = c1, .step = 0.02, .time_max = 0.06, .measure_every = 0.06}, u);
      EXPECT_LT(test::distance(to_reference(u), expected), 1e-13) << W << " " << c1;
      const auto v = from_reference<double, W>(c);
      for (int k = 0; k < 3; ++k) flow_step(c1, 0.02, v);
      EXPECT_LT(test::distance(to_reference(v), expected), 1e-13) << W << " " << c1;
    });
  }
}

TEST(Flow, IsOfThirdOrder) {
  const auto c = reference::warm_configuration({4, 4, 2, 2}, 1, 0.4);
  for (const double c1 : {0.0, -1.0 / 12}) {
    const auto after = [&](double step) {
      return flowed(c, {.c1 = c1, .step = step, .time_max = 0.24, .measure_every = 0.24});
    };
    const auto exact = after(0.24 / 256);
    std::vector<double> steps, errors;
    for (const int n : {12, 16, 24, 32, 48}) {
      steps.push_back(0.24 / n);
      errors.push_back(test::distance(after(0.24 / n), exact));
    }
    EXPECT_NEAR(fitted_slope(steps, errors), 3.0, 0.15) << c1;
  }
}

TEST(Flow, DistanceToSecondOrderIsOfThirdOrder) {
  const auto c = reference::warm_configuration({4, 4, 2, 2}, 2, 0.4);
  std::vector<double> steps, distances;
  for (const double step : {0.005, 0.0075, 0.01, 0.015}) {
    steps.push_back(step);
    distances.push_back(flow_step(0.0, step, from_reference<double, 1>(c)));
  }
  EXPECT_NEAR(fitted_slope(steps, distances), 3.0, 0.1);
}

TEST(Flow, DistanceIsTheOneToTheEmbeddedResult) {
  const auto c = reference::warm_configuration({2, 4, 2, 2}, 3, 0.4);
  const double step = 0.03;
  const auto u = from_reference<double, 1>(c);
  const double found = flow_step(-1.0 / 12, step, u);
  // exp(2 Z1 - Z0) W0, computed by the oracle.
  const auto z0 = reference::flow_direction(c, -1.0 / 12);
  auto w1 = c, second = c;
  for (std::size_t i = 0; i < c.links.size(); ++i) w1.links[i] = reference::exponential(step / 4 * z0[i]) * c.links[i];
  const auto z1 = reference::flow_direction(w1, -1.0 / 12);
  for (std::size_t i = 0; i < c.links.size(); ++i)
    second.links[i] = reference::exponential(step * (2.0 * z1[i] - z0[i])) * c.links[i];
  EXPECT_NEAR(found, test::distance(to_reference(u), second) / 3, 1e-12);
}

TEST(Flow, AdaptiveStepsKeepTheToleranceAndMeetTheTimes) {
  const auto c = reference::read_milc(std::string(TRELLIS_TEST_DATA) + "/milc/lat.sample.l4444");
  const FlowParameters fine{.step = 0.005, .time_max = 1.0, .measure_every = 0.25};
  const auto exact = flow(fine, from_reference<double, 1>(c));
  double error_before = 1;
  for (const double tolerance : {1e-3, 1e-5}) {
    FlowParameters adaptive = fine;
    adaptive.step = 0.2;  // far too long: must be repeated
    adaptive.tolerance = tolerance;
    const auto points = flow(adaptive, from_reference<double, 1>(c));
    ASSERT_EQ(points.size(), 5u);
    double error = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k].time, 0.25 * double(k));
      error = std::max(error, std::abs(points[k].energy_clover / exact[k].energy_clover - 1));
    }
    EXPECT_LT(error, 10 * tolerance);
    EXPECT_LT(error, error_before / 10);
    error_before = error;
    EXPECT_GT(points[4].step, points[1].step);  // the flow gets smoother
  }
}

TEST(Flow, BitsDoNotDependOnLanesOrThreads) {
  const auto c = reference::hot_configuration({4, 4, 4, 4}, 6);
  const FlowParameters fixed{.c1 = -1.0 / 12, .step = 0.02, .time_max = 0.06, .measure_every = 0.04};
  FlowParameters adaptive = fixed;
  adaptive.tolerance = 1e-4;
  const int threads_before = concurrency();
  for (const FlowParameters& parameters : {fixed, adaptive}) {
    set_thread_count(1);
    const auto one = from_reference<double, 1>(c);
    const auto expected = flow(parameters, one);
    const auto links = to_reference(one);
    for_each_lane_count(c.size, [&]<int W>() {
      set_thread_count(W == 4 ? 2 : 1);
      const auto u = from_reference<double, W>(c);
      const auto points = flow(parameters, u);
      ASSERT_EQ(points.size(), expected.size());
      for (std::size_t k = 0; k < points.size(); ++k) {
        EXPECT_EQ(points[k].step, expected[k].step);
        EXPECT_EQ(points[k].energy_clover, expected[k].energy_clover);
        EXPECT_EQ(points[k].topological_charge, expected[k].topological_charge);
      }
      EXPECT_EQ(to_reference(u).links, links.links) << W << " lanes, " << concurrency() << " threads";
    });
  }
  set_thread_count(threads_before);
}

TEST(Flow, UnitLinksStay) {
  const auto u = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 4}));
  const auto points = flow({.time_max = 0.5, .tolerance = 1e-6, .measure_every = 0.2}, u);
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[2].time, 0.4);
  EXPECT_EQ(points[3].time, 0.5);
  EXPECT_EQ(points[3].energy_clover, 0);
  EXPECT_EQ(plaquette(u).average, 1);
}

// t^2 E = a t + b t^2 at unequally spaced times.
std::vector<FlowPoint> curve(double a, double b, double last) {
  std::vector<FlowPoint> points(1);
  for (double t = 0.07; t < last; t *= 1.13) {
    points.emplace_back();
    points.back().time = t;
    points.back().energy_clover = a / t + b;
  }
  return points;
}

TEST(Flow, ScalesOfAKnownCurve) {
  const auto points = curve(0.1, 0.02, 4.0);
  const double t0 = (-0.1 + std::sqrt(0.01 + 4 * 0.02 * 0.3)) / 0.04;
  const double w0_squared = (-0.1 + std::sqrt(0.01 + 4 * 0.04 * 0.3)) / 0.08;
  EXPECT_NEAR(flow_scale_t0(points).value(), t0, 1e-13);
  EXPECT_NEAR(flow_scale_w0(points).value(), std::sqrt(w0_squared), 1e-13);
  const double t1 = (-0.1 + std::sqrt(0.01 + 4 * 0.02 * 0.15)) / 0.04;
  EXPECT_NEAR(flow_scale_t0(points, 0.15).value(), t1, 1e-13);
  EXPECT_FALSE(flow_scale_t0(curve(0.1, 0.02, 1.5)));
  EXPECT_TRUE(flow_scale_t0(curve(0.1, 0.02, 3.0)));
  EXPECT_FALSE(flow_scale_w0(curve(0.1, 0.02, 1.5)));
  EXPECT_FALSE(flow_scale_t0({}));
  EXPECT_FALSE(flow_scale_w0(std::vector<FlowPoint>(1)));
}

TEST(Flow, ParametersOutOfRangeAreErrors) {
  const auto u = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 2}));
  for (const FlowParameters& bad :
       {FlowParameters{.step = 0}, FlowParameters{.step = -0.1}, FlowParameters{.step = std::nan("")},
        FlowParameters{.time_max = -1}, FlowParameters{.time_max = 1.0 / 0.0}, FlowParameters{.tolerance = -1e-3},
        FlowParameters{.measure_every = 0}, FlowParameters{.c1 = std::nan("")}, FlowParameters{.step = 1e-12}})
    EXPECT_THROW(flow(bad, u), InputError);
  EXPECT_EQ(flow({.time_max = 0}, u).size(), 1u);
}

TEST(Flow, LinksThatAreNotFiniteAreErrors) {
  for (const double number : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto u = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 4}));
    std::array<double, 18> link{};
    link[5] = number;
    u.set_link({1, 0, 1, 2}, 3, link);
    u.exchange();
    EXPECT_THROW((flow<double, 1>({.time_max = 0.1}, u)), InputError);
  }
}

TEST(Flow, AToleranceBelowRoundingIsAnError) {
  const auto u = from_reference<double, 1>(reference::hot_configuration({2, 2, 2, 2}, 1));
  EXPECT_THROW(flow({.step = 0.01, .time_max = 0.1, .tolerance = 1e-21}, u), Error);
}

}  // namespace
}  // namespace trellis::gauge

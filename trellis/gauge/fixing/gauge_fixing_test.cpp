// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/fixing/gauge_fixing.hpp"

#include <gtest/gtest.h>

#include "reference/gauge_fixing.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::from_reference;
using test::to_reference;

constexpr Gauge both_gauges[] = {Gauge::coulomb, Gauge::landau};
int directions(Gauge gauge) { return gauge == Gauge::landau ? 4 : 3; }

TEST(GaugeFixing, ConditionAgreesWithTheOracle) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{2, 4, 2, 6}, Coordinate{2, 2, 2, 2}}) {
    const auto c = reference::warm_configuration(size, 3, 0.6);
    for_each_lane_count(size, [&]<int W>() {
      for (const Gauge gauge : both_gauges) {
        const GaugeCondition found = gauge_condition(gauge, from_reference<double, W>(c));
        EXPECT_NEAR(found.functional, reference::gauge_functional(c, directions(gauge)), 1e-14);
        EXPECT_NEAR(found.residual, reference::gauge_residual(c, directions(gauge)), 1e-13);
      }
    });
  }
}

// A site's part of F is a sum over its links, and even sites share none: without overrelaxation each subgroup's step
// maximises, with it none lowers F.
TEST(GaugeFixing, TheFunctionalNeverFalls) {
  const auto u = from_reference<double, test::wide>(reference::hot_configuration({4, 4, 4, 4}, 4));
  for (const Gauge gauge : both_gauges)
    for (const double w : {1.0, 1.5, 1.9}) {
      const GaugeTransformation<double, test::wide> g(u.lattice());
      double before = gauge_condition(gauge, g, u).functional;
      const double start = before;
      for (int n = 0; n < 40; ++n) {
        relax_gauge(gauge, w, u, g);
        const double after = gauge_condition(gauge, g, u).functional;
        EXPECT_GE(after, before - 1e-15) << w << " " << n;
        before = after;
      }
      EXPECT_GT(before, start + 0.5) << w;
    }
}

TEST(GaugeFixing, TransformsToTheRequestedResidual) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{4, 4, 2, 8}}) {
    const auto c = reference::warm_configuration(size, 9, 0.3);
    for (const Gauge gauge : both_gauges)
      for (const double residual : {1e-8, 1e-20}) {
        const auto u = from_reference<double, test::wide>(c);
        const GaugeFixingReport report = fix_gauge({.gauge = gauge, .residual = residual, .overrelaxation = 1.6}, u);
        const auto fixed = to_reference(u);
        EXPECT_LE(reference::gauge_residual(fixed, directions(gauge)), residual * (1 + 1e-6));
        EXPECT_NEAR(report.reached.residual, reference::gauge_residual(fixed, directions(gauge)), 1e-6 * residual);
        EXPECT_NEAR(report.reached.functional, reference::gauge_functional(fixed, directions(gauge)), 1e-14);
        EXPECT_GT(report.reached.functional, reference::gauge_functional(c, directions(gauge)));
        EXPECT_GT(report.iterations, 0);
      }
  }
}

TEST(GaugeFixing, LeavesGaugeInvariantsAlone) {
  const auto u = from_reference<double, test::wide>(reference::hot_configuration({4, 4, 4, 4}, 12));
  const auto v = u.clone();
  for (const Gauge gauge : both_gauges) {
    fix_gauge({.gauge = gauge, .residual = 1e-10}, v);
    EXPECT_NEAR(plaquette(v).spatial, plaquette(u).spatial, 1e-14);
    EXPECT_NEAR(plaquette(v).temporal, plaquette(u).temporal, 1e-14);
    EXPECT_NEAR(rectangle(v), rectangle(u), 1e-14);
    for (int mu = 0; mu < 4; ++mu) EXPECT_LT(std::abs(polyakov_loop(v, mu) - polyakov_loop(u, mu)), 1e-14);
    EXPECT_LT(unitarity_violation(v), 1e-14);
    EXPECT_GT(std::abs(link_trace(v) - link_trace(u)), 0.1);
  }
}

TEST(GaugeFixing, APureGaugeBecomesUnity) {
  for (const Gauge gauge : both_gauges) {
    const auto u = GaugeField<double, test::wide>::unit(Lattice({4, 4, 4, 8}, test::wide));
    random_gauge_transformation({5, 0, gauge_transformation_purpose}, u);
    EXPECT_LT(gauge_condition(gauge, u).functional, 0.1);
    const GaugeFixingReport report = fix_gauge({.gauge = gauge, .residual = 1e-24}, u);
    EXPECT_NEAR(report.reached.functional, 1, 1e-12) << report.iterations;
  }
}

TEST(GaugeFixing, ReachesAlmostRounding) {
  const auto u = from_reference<double, test::wide>(reference::warm_configuration({4, 4, 4, 4}, 2, 0.3));
  EXPECT_LE(fix_gauge({.gauge = Gauge::landau, .residual = 1e-28}, u).reached.residual, 1.1e-28);
}

// Links fixed once need nothing more.
TEST(GaugeFixing, AFixedConfigurationStays) {
  const auto u = from_reference<double, test::wide>(reference::warm_configuration({4, 4, 4, 4}, 2, 0.3));
  fix_gauge({.residual = 1e-12}, u);
  const auto once = to_reference(u);
  EXPECT_EQ(fix_gauge({.residual = 1.001e-12}, u).iterations, 0);
  EXPECT_LT(test::distance(to_reference(u), once), 1e-15);
}

// Time slices know nothing of one another in Coulomb gauge.
TEST(GaugeFixing, CoulombGaugeTreatsTimeSlicesSeparately) {
  const auto c = reference::hot_configuration({4, 4, 2, 4}, 6);
  auto other = reference::hot_configuration({4, 4, 2, 4}, 7);
  const auto of_slice = [&](const reference::GaugeConfiguration& links, int n) { return links.site(n / 4)[3] == 2; };
  for (int n = 0; n < 4 * c.volume(); ++n)
    if (of_slice(c, n) && n % 4 != 3) other.links[n] = c.links[n];
  const auto after = [](const reference::GaugeConfiguration& start) {
    const auto u = from_reference<double, test::wide>(start);
    const GaugeTransformation<double, test::wide> g(u.lattice());
    for (int k = 0; k < 7; ++k) relax_gauge(Gauge::coulomb, 1.7, u, g);
    g.exchange();
    transform_links(g, u);
    return to_reference(u);
  };
  const auto first = after(c), second = after(other);
  for (int n = 0; n < 4 * c.volume(); ++n)
    if (n % 4 != 3) {
      EXPECT_EQ(first.links[n] == second.links[n], of_slice(c, n)) << n;
    }
}

TEST(GaugeFixing, BitsDoNotDependOnLanesOrThreads) {
  const Coordinate size{8, 4, 4, 4};
  const auto c = reference::hot_configuration(size, 12);
  const int threads_before = concurrency();
  for (const Gauge gauge : both_gauges) {
    const GaugeFixingParameters parameters{.gauge = gauge, .residual = 1e-5};
    set_thread_count(1);
    const auto one = from_reference<double, 1>(c);
    const GaugeFixingReport expected = fix_gauge(parameters, one);
    const auto links = to_reference(one);
    for (const int threads : {1, 3})
      for_each_lane_count(size, [&]<int W>() {
        set_thread_count(threads);
        const auto u = from_reference<double, W>(c);
        const GaugeFixingReport found = fix_gauge(parameters, u);
        EXPECT_EQ(found.iterations, expected.iterations);
        EXPECT_EQ(found.reached.functional, expected.reached.functional);
        EXPECT_EQ(found.reached.residual, expected.reached.residual);
        EXPECT_EQ(to_reference(u).links, links.links) << W << " lanes, " << threads << " threads";
      });
  }
  set_thread_count(threads_before);
}

struct FixingWithBoundary {
  Boundary boundary;
  reference::GaugeConfiguration links;
  reference::TimeBoundary reference;
};
std::vector<FixingWithBoundary> with_boundaries() {
  const auto with = [](const Boundary& boundary, const Coordinate& size) {
    const bool fixed = boundary.kind == BoundaryKind::schroedinger_functional;
    return FixingWithBoundary{boundary,
                              test::with_boundary(reference::warm_configuration(size, 13, 0.3), boundary),
                              {fixed, boundary.last_slice(size), 1}};
  };
  return {with(test::open_boundary, {4, 4, 4, 8}), with(test::schroedinger_functional(7), {4, 4, 4, 8}),
          with(test::schroedinger_functional(4), {4, 4, 4, 6})};
}

// All bits on any lanes; links that are not variables keep theirs.
TEST(GaugeFixing, WithBoundariesInTime) {
  for (const auto& [boundary, c, of] : with_boundaries())
    for (const Gauge gauge : both_gauges) {
      const int n = directions(gauge);
      const auto before = gauge_condition(gauge, from_reference<double, test::wide>(c), boundary);
      EXPECT_NEAR(before.functional, reference::gauge_functional(c, n, of), 1e-13);
      EXPECT_NEAR(before.residual, reference::gauge_residual(c, n, of), 1e-13);
      const GaugeFixingParameters parameters{.gauge = gauge, .residual = 1e-20, .overrelaxation = 1.6};
      const auto alone = from_reference<double, 1>(c);
      const auto report = fix_gauge(parameters, alone, boundary);
      const auto fixed = to_reference(alone);
      EXPECT_LE(reference::gauge_residual(fixed, n, of), 1.001e-20) << name_of(boundary);
      EXPECT_NEAR(report.reached.functional, reference::gauge_functional(fixed, n, of), 1e-13);
      EXPECT_GT(report.reached.functional, before.functional + 1e-3);
      EXPECT_NEAR(action(Action{6, 0}, boundary, alone), action(Action{6, 0}, boundary, from_reference<double, 1>(c)),
                  1e-9);
      for (int k = 0; k < c.volume(); ++k)
        for (int mu = 0; mu < 4; ++mu)
          if (!reference::is_variable(c.site(k), mu, of)) {
            ASSERT_EQ(fixed.links[std::size_t(4 * k + mu)], c.links[std::size_t(4 * k + mu)]) << k << " " << mu;
          }
      for_each_lane_count(c.size, [&]<int W>() {
        const auto u = from_reference<double, W>(c);
        const auto found = fix_gauge(parameters, u, boundary);
        EXPECT_EQ(found.iterations, report.iterations);
        EXPECT_EQ(found.reached.functional, report.reached.functional);
        EXPECT_EQ(to_reference(u).links, fixed.links) << W << " lanes";
      });
    }
}

// Unit links but for what boundaries say of them: F is 1, although links are missing.
TEST(GaugeFixing, TheFunctionalIsOneOnUnitLinks) {
  const Coordinate size{4, 4, 4, 6};
  for (const Boundary& boundary :
       {test::open_boundary, Boundary{.kind = BoundaryKind::schroedinger_functional, .extent = 4}}) {
    const auto u = GaugeField<double, test::wide>::unit(Lattice(size, test::wide));
    impose_boundary(boundary, u);
    for (const Gauge gauge : both_gauges) EXPECT_NEAR(gauge_condition(gauge, u, boundary).functional, 1, 1e-15);
  }
}

TEST(GaugeFixing, SaysWhatIsWrong) {
  const auto u = from_reference<double, 1>(reference::hot_configuration({2, 2, 2, 2}, 2));
  const auto lexicographic =
      from_reference<double, 1>(reference::hot_configuration({2, 2, 2, 2}, 2), SiteOrder::lexicographic);
  EXPECT_THROW(fix_gauge({}, lexicographic), Error);
  EXPECT_THROW(fix_gauge({.residual = 0}, u), InputError);
  EXPECT_THROW(fix_gauge({.overrelaxation = 0.9}, u), InputError);
  EXPECT_THROW(fix_gauge({.overrelaxation = 2}, u), InputError);
  EXPECT_THROW(fix_gauge({.max_iterations = -1}, u), InputError);
  const auto before = to_reference(u);
  try {
    fix_gauge({.residual = 1e-12, .max_iterations = 3}, u);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("3 iterations left a residual of"), std::string::npos) << error.what();
  }
  EXPECT_EQ(to_reference(u).links, before.links);
}

}  // namespace
}  // namespace trellis::gauge

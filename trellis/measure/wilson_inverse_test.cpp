// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Propagators by all solvers and precisions against the oracle's matrix.
#include "trellis/measure/wilson_inverse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/gauge_test_files.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_propagators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::measure {
namespace {

constexpr reference::Site small{4, 4, 2, 4};
const dirac::WilsonParameters clover_quark{.kappa = 0.115,
                                           .clover = 1.3,
                                           .clover_temporal = 0.9,
                                           .spatial_hopping = 0.8,
                                           .boundary_angle_over_pi = {0, 0.25, 0, 1}};

reference::WilsonQuark as_reference(const dirac::WilsonParameters& p) {
  return {p.kappa, p.clover, p.clover_temporal, p.spatial_hopping, p.boundary_angle_over_pi};
}

TEST(WilsonInverse, AllSolversReachTheirResidual) {
  constexpr int W = test::wide;
  const auto u = reference::hot_configuration(small, 8);
  const auto links = test::from_reference<double, W>(u);
  const reference::WilsonMatrix m(u, as_reference(clover_quark));
  const FullSpinors<double, W> b(links.lattice(), 3), x = b.like();
  reference::SpinorField sources[3];
  for (const int n : {0, 1}) {
    sources[n] = reference::random_spinors(small, 10 + std::uint64_t(n));
    test::from_reference(sources[n], b, n);
  }
  sources[2] = reference::zero_spinors(small);  // a column without a source
  for (const auto solver : {WilsonSolver::cg, WilsonSolver::bicgstab, WilsonSolver::gcr})
    for (const auto precision : {SolverPrecision::double_, SolverPrecision::mixed, SolverPrecision::fixed16})
      for (const double residual : {1e-5, 1e-12}) {
        const WilsonInverse<W> inverse(links, clover_quark,
                                       {.solver = solver, .precision = precision, .residual = residual});
        const auto report = inverse(b, x, "noise");
        EXPECT_GT(report.iterations, 0);
        for (const int n : {0, 1}) {
          const double found =
              reference::norm(sources[n] - apply_m(m, test::to_reference(x, n))) / reference::norm(sources[n]);
          EXPECT_LE(found, residual) << int(solver) << int(precision);
          EXPECT_NEAR(report.residuals[std::size_t(n)], found, 1e-2 * residual);
        }
        EXPECT_EQ(test::largest(test::to_reference(x, 2)), 0);
      }
}

TEST(WilsonInverse, BitsDependNeitherOnLanesNorOnColumns) {
  const auto u = reference::hot_configuration({4, 4, 4, 4}, 8);
  std::map<SolverPrecision, reference::SpinorField> first;
  const auto all = reference::random_spinors({4, 4, 4, 4}, 4), other = reference::random_spinors({4, 4, 4, 4}, 5);
  test::for_each_lane_count({4, 4, 4, 4}, [&]<int W>() {
    for (const auto& [count, together] : {std::pair{1, 0}, {3, 0}, {3, 2}, {5, 1}, {5, 2}, {4, 4}}) {
      const auto links = test::from_reference<double, W>(u);
      const FullSpinors<double, W> b(links.lattice(), count), x = b.like();
      for (int n = 0; n < count; ++n) test::from_reference(n == count - 1 ? all : other, b, n);
      for (const auto precision : {SolverPrecision::double_, SolverPrecision::mixed, SolverPrecision::fixed16}) {
        x.set_zero();
        const auto report =
            WilsonInverse<W>(links, {.kappa = 0.12}, {.precision = precision, .together = together})(b, x, "noise");
        ASSERT_EQ(report.residuals.size(), std::size_t(count));
        ASSERT_EQ(report.iterations_of.size(), std::size_t(count));
        EXPECT_EQ(report.iterations, std::ranges::max(report.iterations_of));
        const auto found = test::to_reference(x, count - 1);
        const auto& expected = first.emplace(precision, found).first->second;
        EXPECT_EQ(test::largest(found - expected), 0)
            << W << " lanes, " << count << " columns " << together << ' ' << int(precision);
      }
    }
  });
}

// Files hold 2 kappa x, which rounds.
TEST(WilsonInverse, BitsDoNotDependOnWhetherPropagatorsAreKept) {
  const io::TemporaryFolder folder;
  const auto links = test::from_reference<double, 1>(reference::hot_configuration(small, 3));
  const FullSpinors<double, 1> b(links.lattice(), columns), plain = b.like(), kept = b.like(), read = b.like();
  point_source<1>({1, 0, 1, 2}, b);
  for (const double kappa : {0.1, 0.115, 0.117}) {
    const dirac::WilsonParameters quark{.kappa = kappa};
    WilsonInverse<1>(links, quark, {})(b, plain, "plain");
    const WilsonInverse<1> with_files(links, quark, {.kept = {folder.path(), "lat", PropagatorFormat::scidac}});
    EXPECT_GT(with_files(b, kept, "kept").iterations, 0);
    EXPECT_EQ(with_files(b, read, "read").iterations, 0);
    for (int n = 0; n < columns; ++n)
      for (const auto* x : {&kept, &read})
        EXPECT_EQ(test::largest(test::to_reference(*x, n) - test::to_reference(plain, n)), 0) << kappa << ' ' << n;
  }
}

TEST(WilsonInverse, WhatCannotBeIsRefused) {
  const auto links = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 2}));
  EXPECT_THROW(WilsonInverse<1>(links, {.kappa = 0}, {}), InputError);
  EXPECT_THROW(WilsonInverse<1>(links, {}, {.residual = 0}), InputError);
  EXPECT_THROW(WilsonInverse<1>(links, {}, {.together = -1}), InputError);
  EXPECT_THROW(WilsonInverse<1>(links, {}, {.max_iterations = 0}), InputError);
  const auto u = test::from_reference<double, 1>(reference::hot_configuration(small, 3));
  const FullSpinors<double, 1> b(u.lattice(), columns), x = b.like();
  point_source<1>({0, 0, 0, 0}, b);
  try {
    WilsonInverse<1>(u, {.kappa = 0.12}, {.max_iterations = 2})(b, x, "the test");
    FAIL() << "two iterations cannot be enough";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the test"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace trellis::measure

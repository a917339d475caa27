// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/conjugate_gradient.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/message_of.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/solver/shifted.hpp"

namespace trellis::solver {
namespace {

using test::DiagonalOperator;
using test::LaplaceOperator;
using test::numbers;
using test::random_vectors;

constexpr Coordinate size{4, 4, 4, 8};

template <class T, int W>
using V = ParityField<T, 6, W>;

// Largest |x - b / d| relative to 1 / low.
template <class T, int W>
double distance_to_exact(const DiagonalOperator<T, W>& a, const V<T, W>& b, const V<T, W>& x, double low) {
  double largest = 0;
  for (int n = 0; n < b.count(); ++n)
    test::for_each_site(b.lattice(), b.parity(), [&](const Coordinate& site) {
      for (int k = 0; k < 6; ++k)
        largest = std::max(largest, std::abs(x.at(site, n)[k] - b.at(site, n)[k] / a.at(site)) * low);
    });
  return largest;
}

TEST(ConjugateGradient, SolvesDiagonalSystems) {
  test::for_each_lane_count(size, [&]<int W>() {
    const Lattice lattice(size, W);
    for (const int parity : {0, 1}) {
      const DiagonalOperator<double, W> a(lattice, parity, 0.01, 2.0);
      const auto b = random_vectors<V<double, W>>(lattice, parity, 2), x = b.like();
      const SolverReport report = conjugate_gradient(a, b, x, {1e-12, 1000});
      EXPECT_TRUE(report.converged);
      EXPECT_FALSE(report.stagnated);
      EXPECT_LT(distance_to_exact(a, b, x, 0.01), 1e-10);
      for (const double residual : report.residuals) EXPECT_LE(residual, 1e-12);
    }
    const DiagonalOperator<float, W> a(lattice, 0, 0.01, 2.0);
    const auto b = random_vectors<V<float, W>>(lattice, 0, 1), x = b.like();
    EXPECT_TRUE(conjugate_gradient(a, b, x, {1e-5, 1000}).converged);
    EXPECT_LT(distance_to_exact(a, b, x, 0.01), 1e-4);
  });
}

// Of b so small or large that double precision does not hold what the iterations compute, there is no wrong solution.
TEST(ConjugateGradient, SourcesBeyondDoublePrecisionAreRefused) {
  const Lattice lattice(size, 1);
  const DiagonalOperator<double, 1> a(lattice, 0, 0.01, 2.0);
  const auto random = random_vectors<V<double, 1>>(lattice, 0, 2);
  const auto message_of = [&](double factor, double tolerance) {
    const auto b = random.clone(), x = b.like();
    scale_and_add(std::vector<double>{1, factor}, std::vector<double>{0, 0}, b, b);
    return test::message_of<InputError>([&] { conjugate_gradient(a, b, x, {tolerance, 1000}); });
  };
  for (const double factor : {1e-320, 1e-200, 1e-150})
    EXPECT_TRUE(message_of(factor, 1e-10).starts_with("conjugate gradient: |b|^2 of right-hand side 2 is ")) << factor;
  EXPECT_TRUE(message_of(1e200, 1e-10).ends_with("too large for double precision; divide b by a power of 2"));
  for (const double factor : {0.0, 1e-120, 1e130}) EXPECT_EQ(message_of(factor, 1e-10), "accepted") << factor;
}

TEST(ConjugateGradient, SolutionsMustBeAsManyAsSources) {
  const Lattice lattice(size, 1);
  const DiagonalOperator<double, 1> a(lattice, 0, 0.01, 2.0);
  EXPECT_EQ(test::message_of(
                [&] { conjugate_gradient(a, V<double, 1>(lattice, 0, 3), V<double, 1>(lattice, 0, 2), {1e-10, 10}); }),
            "conjugate gradient: found 2 vectors, expected 3");
}

TEST(ConjugateGradient, SolvesIllConditionedSystems) {
  const Lattice lattice({4, 4, 4, 4}, test::wide);
  const DiagonalOperator<double, test::wide> a(lattice, 0, 1e-8, 1.0);
  const auto b = random_vectors<V<double, test::wide>>(lattice, 0, 1), x = b.like();
  const SolverReport report = conjugate_gradient(a, b, x, {1e-9, 20000});
  EXPECT_TRUE(report.converged);
  const auto image = x.like();
  a(x, image);
  EXPECT_NEAR(std::sqrt(subtract_from(b, image)[0] / norms2(b)[0]), report.residuals[0], 1e-15);
}

// Bits of the solutions of a small system, with `threads` threads.
template <class T, int W>
std::vector<std::vector<double>> solutions(int count, int threads) {
  const int before = concurrency();
  set_thread_count(threads);
  const Lattice lattice(size, W);
  const auto b = random_vectors<V<T, W>>(lattice, 0, count), x = b.like();
  const LaplaceOperator<T, W> laplace(lattice, 0.1);
  const Shifted<LaplaceOperator<T, W>> a(laplace, std::vector<double>(count, 0.01));
  const SolverReport report = conjugate_gradient(a, b, x, {std::is_same_v<T, float> ? 1e-5 : 1e-10, 1000});
  EXPECT_TRUE(report.converged);
  set_thread_count(before);
  std::vector<std::vector<double>> all;
  for (int n = 0; n < count; ++n) all.push_back(numbers(x, n));
  return all;
}

TEST(ConjugateGradient, BitsDependNeitherOnLanesNorOnThreads) {
  const auto expected = solutions<double, 1>(2, 1);
  const auto expected_single = solutions<float, 1>(2, 1);
  test::for_each_lane_count(size, [&]<int W>() {
    for (const int threads : {1, 2}) {
      EXPECT_EQ((solutions<double, W>(2, threads)), expected);
      EXPECT_EQ((solutions<float, W>(2, threads)), expected_single);
    }
  });
}

// Right-hand sides that converge at different times, each with its tolerance, and one that is zero.
TEST(ConjugateGradient, ABatchHasTheBitsOfEachAlone) {
  constexpr int W = test::wide, count = 6;
  const Lattice lattice({4, 4, 4, 4}, W);
  const DiagonalOperator<double, W> diagonal(lattice, 0, 1e-3, 1.0);
  const std::vector<double> shifts{0, 10, 0.1, 0.01, 1, 0}, tolerances{1e-10, 1e-6, 1e-10, 1e-12, 1e-8, 1e-9};
  const Shifted<DiagonalOperator<double, W>> a(diagonal, shifts);
  const auto b = random_vectors<V<double, W>>(lattice, 0, count), x = b.like();
  clear(b, 5);
  const SolverReport report = conjugate_gradient(a, b, x, {tolerances, 1000});
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.iterations_of[1], report.iterations_of[0] / 10);
  EXPECT_LT(report.operator_applications, 4 * report.iterations) << "those that rest do not leave the batch";
  EXPECT_EQ(numbers(x, 5), std::vector<double>(numbers(x, 5).size(), 0.0));
  EXPECT_EQ(report.residuals[5], 0);
  for (int n = 0; n < count; ++n) {
    const std::vector<int> place{n};
    const V<double, W> b1(lattice, 0, 1), x1(lattice, 0, 1);
    gather(b, place, b1);
    const SolverReport alone = conjugate_gradient(a.part(place), b1, x1, {tolerances[n], 1000});
    EXPECT_EQ(numbers(x1, 0), numbers(x, n));
    EXPECT_EQ(alone.iterations, report.iterations_of[n]);
    EXPECT_EQ(alone.residuals[0], report.residuals[n]);
  }
}

TEST(ConjugateGradient, StartsFromTheGuess) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const LaplaceOperator<double, W> a(lattice, 0.1);
  const auto b = random_vectors<V<double, W>>(lattice, 1, 1), x = b.like();
  const SolverReport cold = conjugate_gradient(a, b, x, {1e-6, 1000});
  const SolverReport warm = conjugate_gradient(a, b, x, {1e-6, 1000});
  EXPECT_GT(cold.iterations, 5);
  EXPECT_EQ(warm.iterations, 0);
  EXPECT_EQ(warm.operator_applications, 1);
  EXPECT_EQ(warm.residuals, cold.residuals);
}

TEST(ConjugateGradient, ReportsStagnation) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const DiagonalOperator<float, W> a(lattice, 0, 1e-3, 1.0);
  const auto b = random_vectors<V<float, W>>(lattice, 0, 1), x = b.like();
  const SolverReport report = conjugate_gradient(a, b, x, {1e-12, 5000});
  EXPECT_TRUE(report.stagnated);
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report.residuals[0], 1e-12);
  EXPECT_LT(report.residuals[0], 1e-4);
  EXPECT_LT(report.iterations, 5000);
  EXPECT_THROW(require_converged(report, "a test"), Error);
}

TEST(ConjugateGradient, WhatRoundingLeavesIsAcceptedAndNoMore) {
  SolverReport report{.tolerance = 1e-11, .iterations_of = {9, 9, 9}, .residuals = {1e-12, 3e-11, 5e-11}};
  const double epsilon = std::numeric_limits<double>::epsilon();  // 2.2e-16
  auto whole = report;
  EXPECT_EQ(accept_rounding(report, {1, 1.5e5, 1.5e5}, epsilon), 3e-11) << "rounding leaves 4.6e-11";
  EXPECT_FALSE(report.converged);
  EXPECT_THROW(require_converged(report, "this"), Error);
  EXPECT_EQ(accept_rounding(whole, {1, 1.5e5, 2e5}, epsilon), 5e-11) << "and 6.1e-11 of the third";
  EXPECT_TRUE(whole.converged);
  // Roundings of x in 9, 6400 and 100 iterations.
  EXPECT_DOUBLE_EQ(rounding_limit(1e5, 9, epsilon), 1.375e5 * epsilon);
  EXPECT_DOUBLE_EQ(rounding_limit(1e5, 6400, epsilon), 11e5 * epsilon);
  SolverReport many{.tolerance = 1e-11, .iterations_of = {6400, 100}, .residuals = {2e-10, 2e-10}};
  EXPECT_EQ(accept_rounding(many, {1e5, 1e5}, epsilon), 2e-10);
  EXPECT_FALSE(many.converged) << "2.4e-10 of the first, 5e-11 of the second";
}

// What single precision leaves stays below the limit, which is not far above. Eigenvalues end at m^2 + 4.
TEST(ConjugateGradient, RoundingEndsBelowItsLimit) {
  constexpr int W = test::wide;
  constexpr double epsilon = std::numeric_limits<float>::epsilon();
  const Lattice lattice({4, 4, 4, 4}, W);
  for (const double mass : {0.3, 0.1, 0.02}) {
    const LaplaceOperator<float, W> a(lattice, mass);
    const auto b = random_vectors<V<float, W>>(lattice, 0, 1), x = b.like();
    SolverReport report = conjugate_gradient(a, b, x, {1e-12, 20000});
    ASSERT_TRUE(report.stagnated) << mass;
    const double found = report.residuals[0], whole = 1 + (mass * mass + 4) * std::sqrt(norms2(x)[0] / norms2(b)[0]);
    EXPECT_EQ(accept_rounding(report, {whole}, epsilon), found) << mass;
    EXPECT_TRUE(report.converged) << mass << " " << found;
    EXPECT_GT(found, rounding_limit(whole, report.iterations, epsilon) / 100) << mass;
  }
}

TEST(ConjugateGradient, ReportsThatIterationsRanOut) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const DiagonalOperator<double, W> a(lattice, 0, 1e-4, 1.0);
  const auto b = random_vectors<V<double, W>>(lattice, 0, 2), x = b.like();
  const SolverReport report = conjugate_gradient(a, b, x, {1e-9, 10});
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(report.stagnated);
  EXPECT_EQ(report.iterations, 10);
  EXPECT_GT(report.residuals[1], 1e-9);
  try {
    require_converged(report, "the light quark");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("CG for the light quark: residual ", 0), 0u) << error.what();
    EXPECT_NE(std::string(error.what()).find("after 10 iterations, asked for 1e-09"), std::string::npos);
  }
}

TEST(ConjugateGradient, RefusesWhatIsNotPositiveOrNotANumber) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const DiagonalOperator<double, W> diagonal(lattice, 0, 0.1, 1.0);
  const auto b = random_vectors<V<double, W>>(lattice, 0, 1), x = b.like();
  const Shifted<DiagonalOperator<double, W>> negative(diagonal, {-0.5});
  EXPECT_THROW(conjugate_gradient(negative, b, x, {1e-9, 1000}), Error);
  const Shifted<DiagonalOperator<double, W>> nan(diagonal, {std::nan("")});
  x.set_zero();
  EXPECT_THROW(conjugate_gradient(nan, b, x, {1e-9, 1000}), Error);
  auto values = b.at({0, 0, 0, 0});
  values[0] = std::nan("");
  b.set({0, 0, 0, 0}, values);
  x.set_zero();
  EXPECT_THROW(conjugate_gradient(diagonal, b, x, {1e-9, 1000}), Error);
  EXPECT_THROW(conjugate_gradient(diagonal, b, V<double, W>(lattice, 1), {1e-9, 1000}), Error);
  EXPECT_THROW(conjugate_gradient(diagonal, b, V<double, W>(lattice, 0, 2), {1e-9, 1000}), Error);
  EXPECT_THROW(conjugate_gradient(diagonal, b, x, {0.0, 1000}), Error);
}

}  // namespace
}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/multi_shift_cg.hpp"

#include <gtest/gtest.h>

#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::solver {
namespace {

using test::DiagonalOperator;
using test::LaplaceOperator;
using test::numbers;
using test::random_vectors;

constexpr Coordinate size{4, 4, 4, 8};
const std::vector<double> shifts{0.002, 0.01, 0.1, 1.0, 10.0};

template <class T, int W>
using V = ParityField<T, 6, W>;

template <class T, int W>
struct Solved {
  V<T, W> b, x;
  SolverReport report;
};

template <class T, int W, class A>
Solved<T, W> solve(const A& a, const Lattice& lattice, const std::vector<double>& s, const MultiShiftParameters& p) {
  const auto b = random_vectors<V<T, W>>(lattice, 0, 1);
  const V<T, W> x(lattice, 0, static_cast<int>(s.size()));
  const SolverReport report = multi_shift_cg(a, s, b, x, p);
  return {b, x, report};
}

TEST(MultiShift, SolvesDiagonalSystems) {
  test::for_each_lane_count(size, [&]<int W>() {
    const Lattice lattice(size, W);
    const DiagonalOperator<double, W> a(lattice, 0, 0.001, 2.0);
    for (const double first : {0.0, shifts[0]}) {
      std::vector<double> s = shifts;
      s[0] = first;
      const auto solved = solve<double, W>(a, lattice, s, {.tolerance = 1e-11});
      EXPECT_TRUE(solved.report.converged);
      for (int i = 0; i < 5; ++i) {
        EXPECT_LE(solved.report.residuals[i], 1e-11);
        double largest = 0;
        test::for_each_site(lattice, 0, [&](const Coordinate& x) {
          for (int k = 0; k < 6; ++k)
            largest = std::max(largest, std::abs(solved.x.at(x, i)[k] * (a.at(x) + s[i]) - solved.b.at(x)[k]));
        });
        EXPECT_LT(largest, 1e-9);
      }
    }
  });
}

TEST(MultiShift, DropsShiftsThatConverged) {
  const Lattice lattice({4, 4, 4, 4}, test::wide);
  const DiagonalOperator<double, test::wide> diagonal(lattice, 0, 0.001, 2.0);
  const auto solved = solve<double, test::wide>(diagonal, lattice, shifts, {.tolerance = 1e-8});
  const auto& iterations = solved.report.iterations_of;
  for (int i = 1; i < 5; ++i) EXPECT_LT(iterations[i], iterations[i - 1]);
  EXPECT_LT(iterations[4], 15);
  EXPECT_GT(iterations[0], 50);
  // One application per iteration and one per pole for the true residuals.
  EXPECT_LE(solved.report.operator_applications, solved.report.iterations + 5 + 3);

  // A looser tolerance ends sooner, in any order of the shifts.
  const auto loose = solve<double, test::wide>(diagonal, lattice, shifts,
                                               {.tolerance = std::vector<double>{1e-2, 1e-8, 1e-8, 1e-8, 1e-3}});
  EXPECT_TRUE(loose.report.converged);
  EXPECT_LT(loose.report.iterations_of[0], loose.report.iterations_of[1]);
  EXPECT_LT(loose.report.iterations_of[4], iterations[4]);
  EXPECT_EQ(loose.report.iterations_of[2], iterations[2]);
  EXPECT_EQ(numbers(loose.x, 2), numbers(solved.x, 2));
}

TEST(MultiShift, OneShiftIsConjugateGradients) {
  const Lattice lattice({4, 4, 4, 4}, test::wide);
  const LaplaceOperator<double, test::wide> a(lattice, 0.1);
  const auto solved = solve<double, test::wide>(a, lattice, {0.0}, {.tolerance = 1e-8});
  const auto x = solved.b.like();
  const SolverReport plain = conjugate_gradient(a, solved.b, x, {1e-8, 1000});
  EXPECT_EQ(plain.iterations, solved.report.iterations);
  EXPECT_EQ(numbers(x, 0), numbers(solved.x, 0));
}

template <class T, int W>
std::vector<std::vector<double>> bits(int deferred, int threads, int max_iterations = 1000) {
  const int before = concurrency();
  set_thread_count(threads);
  const Lattice lattice(size, W);
  const auto solved = solve<T, W>(LaplaceOperator<T, W>(lattice, 0.05), lattice, shifts,
                                  {std::is_same_v<T, float> ? 1e-5 : 1e-10, max_iterations, deferred});
  set_thread_count(before);
  std::vector<std::vector<double>> all;
  for (int i = 0; i < 5; ++i) all.push_back(numbers(solved.x, i));
  return all;
}

TEST(MultiShift, BitsDoNotDependOnHowLongWorkIsPutOff) {
  constexpr int W = test::wide;
  const auto expected = bits<double, W>(1, 1), expected_single = bits<float, W>(1, 1);
  for (const int deferred : {2, 3, 4, 7, 16}) {
    EXPECT_EQ((bits<double, W>(deferred, 1)), expected) << deferred;
    EXPECT_EQ((bits<float, W>(deferred, 1)), expected_single) << deferred;
  }
  // Also if iterations run out in the middle.
  EXPECT_EQ((bits<double, W>(4, 1, 6)), (bits<double, W>(1, 1, 6)));
}

TEST(MultiShift, StepsOfManyShiftsAreThoseOfEach) {
  constexpr int W = test::wide, count = 40;
  const Lattice lattice({4, 4, 4, 4}, W);
  std::vector<V<double, W>> residuals;
  for (int j = 0; j < maximum_deferred; ++j) residuals.push_back(random_vectors<V<double, W>>(lattice, 0, 1, 10 + j));
  const auto x = random_vectors<V<double, W>>(lattice, 0, count, 1),
             p = random_vectors<V<double, W>>(lattice, 0, count, 2);
  const auto x_each = x.clone(), p_each = p.clone(), before = x.clone();
  std::vector<std::vector<DeferredStep>> all(count);
  for (int i = 0; i < count; ++i) {
    std::vector<std::vector<DeferredStep>> one(count);
    for (int j = 0; j < (i == 3 ? 0 : maximum_deferred - i % 5); ++j) {
      all[i].push_back({0.1 + 0.01 * i, 0.5 - 0.02 * j, 0.3, true});
      one[i].push_back(all[i].back());
    }
    take_steps(DeferredSteps(one), 1, residuals, x_each, p_each);
  }
  take_steps(DeferredSteps(all), count, residuals, x, p);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(numbers(x, i), numbers(x_each, i)) << i;
    EXPECT_EQ(numbers(p, i), numbers(p_each, i)) << i;
    EXPECT_EQ(numbers(x, i) == numbers(before, i), i == 3) << i;
  }
}

TEST(MultiShift, BitsDependNeitherOnLanesNorOnThreads) {
  const auto expected = bits<double, 1>(4, 1), expected_single = bits<float, 1>(4, 1);
  test::for_each_lane_count(size, [&]<int W>() {
    for (const int threads : {1, 2}) {
      EXPECT_EQ((bits<double, W>(4, threads)), expected);
      EXPECT_EQ((bits<float, W>(4, threads)), expected_single);
    }
  });
}

// In single precision each number of a solution is rounded, at random. Rounded factors of whole vectors would add up:
// in heavy shifts, which need few steps, they would leave a tenth of these errors along the solution, here 3e-8.
TEST(MultiShift, ErrorsOfSinglePrecisionAreAtRandom) {
  constexpr int W = test::wide;
  const Lattice lattice({8, 8, 8, 8}, W);
  const DiagonalOperator<float, W> a(lattice, 0, 0.02, 2.0);
  const auto solved = solve<float, W>(a, lattice, shifts, {.tolerance = 1e-7, .finish = false});
  for (const int i : {3, 4}) {
    double along = 0, norm2 = 0, error2 = 0;
    test::for_each_site(lattice, 0, [&](const Coordinate& x) {
      for (int k = 0; k < 6; ++k) {
        const double exact = solved.b.at(x)[k] / (a.at(x) + shifts[i]), error = solved.x.at(x, i)[k] - exact;
        along += exact * error;
        norm2 += exact * exact;
        error2 += error * error;
      }
    });
    EXPECT_LT(std::abs(along / norm2), 5e-9) << i;
    EXPECT_GT(std::sqrt(error2 / norm2), 2e-8) << i;
  }
}

// If one step is enough there is nothing left to divide by: on a GPU more steps were launched before the host knew.
TEST(MultiShift, OneStepIsEnoughForAMultipleOfOne) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const auto solved = solve<double, W>(DiagonalOperator<double, W>(lattice, 0, 2, 2), lattice, {0.0, 2.0}, {});
  EXPECT_TRUE(solved.report.converged);
  EXPECT_EQ(solved.report.iterations, 1);
  for (int i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_DOUBLE_EQ(numbers(solved.x, i)[k], numbers(solved.b, 0)[k] / (2.0 + 2 * i));
}

TEST(MultiShift, ZeroGivesZero) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const V<double, W> b(lattice, 0), x = random_vectors<V<double, W>>(lattice, 0, 5);
  const SolverReport report = multi_shift_cg(LaplaceOperator<double, W>(lattice, 0.1), shifts, b, x, {});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(numbers(x, i), std::vector<double>(numbers(x, i).size(), 0.0));
}

TEST(MultiShift, ReportsWhatItDidNotReach) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const auto few = solve<double, W>(DiagonalOperator<double, W>(lattice, 0, 1e-4, 1.0), lattice, shifts,
                                    {.tolerance = 1e-9, .max_iterations = 9});
  EXPECT_FALSE(few.report.converged);
  EXPECT_FALSE(few.report.stagnated);
  EXPECT_EQ(few.report.iterations, 9);
  EXPECT_LE(few.report.residuals[4], 1e-9);
  EXPECT_GT(few.report.residuals[0], 1e-9);
  for (const bool finish : {false, true}) {
    const auto single = solve<float, W>(DiagonalOperator<float, W>(lattice, 0, 1e-3, 1.0), lattice, shifts,
                                        {.tolerance = 1e-12, .finish = finish});
    EXPECT_TRUE(single.report.stagnated);
    EXPECT_FALSE(single.report.converged);
    EXPECT_LT(single.report.residuals[0], 1e-4);
    EXPECT_GT(single.report.residuals[0], 1e-12);
  }
}

TEST(MultiShift, RefusesShiftsThatMakeNoSense) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  const LaplaceOperator<double, W> a(lattice, 0.1);
  EXPECT_THROW((solve<double, W>(a, lattice, {0.1, 0.05}, {})), Error);
  EXPECT_THROW((solve<double, W>(a, lattice, {-0.1, 0.05}, {})), Error);
  EXPECT_THROW((solve<double, W>(a, lattice, {0.1}, {.deferred = 0})), Error);
  EXPECT_THROW((solve<double, W>(a, lattice, {0.1}, {.deferred = 17})), Error);
  EXPECT_THROW((solve<double, W>(a, lattice, {0.1}, {.tolerance = std::vector<double>{1e-3, 1e-4}})), Error);
}

}  // namespace
}  // namespace trellis::solver

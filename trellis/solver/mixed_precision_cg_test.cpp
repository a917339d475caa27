// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/mixed_precision_cg.hpp"

#include <gtest/gtest.h>

#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/solver/mixed_multi_shift_cg.hpp"

namespace trellis::solver {
namespace {

using test::DiagonalOperator;
using test::LaplaceOperator;
using test::numbers;
using test::random_vectors;

constexpr Coordinate size{4, 4, 4, 8};

template <class T, int W>
using V = ParityField<T, 6, W>;

template <int WD, int WS>
struct Diagonal {
  Lattice lattice{size, WD}, single_lattice{size, WS};
  PrecisionMaps<WD, WS> maps{lattice, single_lattice};
  DiagonalOperator<double, WD> a;
  DiagonalOperator<float, WS> a_single;

  Diagonal(double low, double high) : a(lattice, 0, low, high), a_single(single_lattice, 0, low, high) {}
};

TEST(MixedPrecision, ReachesDoublePrecisionThroughSingle) {
  test::for_each_lane_count(size, [&]<int W>() {
    const Diagonal<1, W> d(1e-3, 1.0);
    const auto b = random_vectors<V<double, 1>>(d.lattice, 0, 2), x = b.like(), y = b.like();
    const SolverReport mixed = mixed_precision_cg(d.a, d.a_single, d.maps, b, x, {.tolerance = 1e-12});
    EXPECT_TRUE(mixed.converged);
    for (const double residual : mixed.residuals) EXPECT_LE(residual, 1e-12);
    test::for_each_site(d.lattice, 0, [&](const Coordinate& site) {
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(x.at(site, 1)[k] * d.a.at(site), b.at(site, 1)[k], 1e-10);
    });
    const SolverReport plain = conjugate_gradient(d.a, b, y, {1e-12, 1000});
    EXPECT_LT(mixed.iterations, 1.5 * plain.iterations);
  });
}

TEST(MixedPrecision, SolvesIllConditionedSystems) {
  const Diagonal<test::wide, 1> d(1e-6, 1.0);
  const auto b = random_vectors<V<double, test::wide>>(d.lattice, 0, 1), x = b.like();
  const SolverReport report = mixed_precision_cg(d.a, d.a_single, d.maps, b, x, {.tolerance = 1e-9});
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.residuals[0], 1e-9);
}

TEST(MixedPrecision, ReachesDoublePrecisionThroughSixteenBits) {
  const Lattice plain(size, 1);
  const DiagonalOperator<double, 1, 24> a(plain, 1, 1e-3, 1.0);
  const auto b = random_vectors<ParityField<double, 24, 1>>(plain, 1, 3), x = b.like(), y = b.like();
  const SolverReport exact = conjugate_gradient(a, b, y, {1e-12, 1000});
  std::vector<double> bits;
  test::for_each_lane_count(size, [&]<int W>() {
    const Lattice lattice(size, W);
    const PrecisionMaps<1, W> maps(plain, lattice);
    const DiagonalOperator<Fixed16, W, 24> a_fixed(lattice, 1, 1e-3, 1.0);
    x.set_zero();
    const SolverReport mixed = mixed_precision_cg<Fixed16>(a, a_fixed, maps, b, x, {.tolerance = 1e-12});
    EXPECT_TRUE(mixed.converged);
    EXPECT_LT(mixed.iterations, 2 * exact.iterations);
    if (bits.empty()) bits = numbers(x, 1);
    EXPECT_EQ(numbers(x, 1), bits);
    for (const double residual : mixed.residuals) EXPECT_LE(residual, 1e-12);
  });
  double furthest = 0;
  for (int n = 0; n < 3; ++n) {
    const auto found = numbers(x, n), expected = numbers(y, n);
    for (std::size_t k = 0; k < found.size(); ++k) furthest = std::max(furthest, std::abs(found[k] - expected[k]));
  }
  EXPECT_LT(furthest, 1e-8);  // cond * 1e-12 * |x|
}

TEST(MixedPrecision, ABatchHasTheBitsOfEachAlone) {
  constexpr int count = 4;
  const Diagonal<test::wide, 1> d(1e-3, 1.0);
  const std::vector<double> shifts{0, 1, 0.1, 0}, tolerances{1e-11, 1e-9, 1e-12, 1e-10};
  const Shifted a(d.a, shifts);
  const Shifted a_single(d.a_single, shifts);
  const auto b = random_vectors<V<double, test::wide>>(d.lattice, 0, count), x = b.like();
  clear(b, 3);
  const SolverReport report = mixed_precision_cg(a, a_single, d.maps, b, x, {.tolerance = tolerances});
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations_of[3], 0);
  for (int n = 0; n < count; ++n) {
    const std::vector<int> place{n};
    const V<double, test::wide> b1(d.lattice, 0), x1(d.lattice, 0);
    gather(b, place, b1);
    mixed_precision_cg(a.part(place), a_single.part(place), d.maps, b1, x1, {.tolerance = tolerances[n]});
    EXPECT_EQ(numbers(x1, 0), numbers(x, n)) << n;
  }
}

template <int WD, int WS>
std::vector<double> bits(int threads) {
  const int before = concurrency();
  set_thread_count(threads);
  const Lattice lattice(size, WD), single_lattice(size, WS);
  const PrecisionMaps<WD, WS> maps(lattice, single_lattice);
  const auto b = random_vectors<V<double, WD>>(lattice, 1, 1), x = b.like();
  const LaplaceOperator<double, WD> a(lattice, 0.03);
  const LaplaceOperator<float, WS> a_single(single_lattice, 0.03);
  EXPECT_TRUE(mixed_precision_cg(a, a_single, maps, b, x, {.tolerance = 1e-12}).converged);
  const std::vector<double> shifts{0.01, 0.1};
  const V<double, WD> poles(lattice, 1, 2);
  EXPECT_TRUE(mixed_multi_shift_cg(a, a_single, maps, shifts, b, poles, {.tolerance = 1e-11}).converged);
  set_thread_count(before);
  std::vector<double> all = numbers(x, 0);
  for (int i = 0; i < 2; ++i) {
    const auto pole = numbers(poles, i);
    all.insert(all.end(), pole.begin(), pole.end());
  }
  return all;
}

TEST(MixedPrecision, BitsDependNeitherOnLanesNorOnThreads) {
  const auto expected = bits<1, 1>(1);
  EXPECT_EQ((bits<1, 1>(2)), expected);
  test::for_each_lane_count(size, [&]<int W>() {
    EXPECT_EQ((bits<W, 1>(2)), expected);
    EXPECT_EQ((bits<1, W>(1)), expected);
  });
}

TEST(MixedPrecision, ReportsWhatItDidNotReach) {
  const Diagonal<1, test::wide> d(1e-3, 1.0);
  const auto b = random_vectors<V<double, 1>>(d.lattice, 0, 1), x = b.like();
  const SolverReport few = mixed_precision_cg(d.a, d.a_single, d.maps, b, x, {.max_iterations = 12});
  EXPECT_FALSE(few.converged);
  EXPECT_FALSE(few.stagnated);
  EXPECT_EQ(few.iterations, 12);
  x.set_zero();
  const SolverReport deep = mixed_precision_cg(d.a, d.a_single, d.maps, b, x, {.tolerance = 1e-19});
  EXPECT_FALSE(deep.converged);
  EXPECT_TRUE(deep.stagnated);
  EXPECT_LT(deep.residuals[0], 1e-12);
  b.set_zero();
  EXPECT_TRUE(mixed_precision_cg(d.a, d.a_single, d.maps, b, x, {}).converged);
  EXPECT_EQ(norms2(x)[0], 0);
}

TEST(MixedMultiShift, RefinesEachPoleToItsTolerance) {
  const Diagonal<1, test::wide> d(1e-4, 1.0);
  const std::vector<double> shifts{1e-5, 1e-3, 0.01, 0.1, 1};
  const std::vector<double> tolerances{1e-12, 1e-11, 1e-12, 1e-5, 1e-12};
  const auto b = random_vectors<V<double, 1>>(d.lattice, 0, 1);
  const V<double, 1> x(d.lattice, 0, 5);
  const SolverReport report = mixed_multi_shift_cg(d.a, d.a_single, d.maps, shifts, b, x, {.tolerance = tolerances});
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.residuals[3], 1e-9) << "a pole that is good enough is left alone";
  for (int i = 0; i < 5; ++i) {
    double rr = 0, bb = 0;
    test::for_each_site(d.lattice, 0, [&](const Coordinate& site) {
      for (int k = 0; k < 6; ++k) {
        const double source = b.at(site)[k], r = x.at(site, i)[k] * (d.a.at(site) + shifts[i]) - source;
        rr += r * r;
        bb += source * source;
      }
    });
    EXPECT_NEAR(std::sqrt(rr / bb) / report.residuals[i], 1, 1e-2);
  }
}

TEST(MixedMultiShift, ZeroGivesZero) {
  const Diagonal<1, 1> d(1e-2, 1.0);
  const V<double, 1> b(d.lattice, 0), x(d.lattice, 0, 2);
  const std::vector<double> shifts{0, 1};
  EXPECT_TRUE(mixed_multi_shift_cg(d.a, d.a_single, d.maps, shifts, b, x, {}).converged);
  EXPECT_EQ(norms2(x)[1], 0);
}

}  // namespace
}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/algebra/vector_algebra.hpp"

#include <gtest/gtest.h>

#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/lattice/site_map.hpp"
#include "trellis/solver/conjugate_gradient_update.hpp"
#include "trellis/solver/multi_shift_update.hpp"

namespace trellis::solver {
namespace {

using test::numbers;
using test::random_vectors;

constexpr Coordinate size{4, 4, 4, 8};
constexpr int count = 3;

// f.template operator()<T, W>() for both precisions and each lane count.
template <class F>
void for_each_field(const F& f) {
  test::for_each_lane_count(size, [&]<int W>() {
    f.template operator()<float, W>();
    f.template operator()<double, W>();
  });
}

double plain_dot(const std::vector<double>& x, const std::vector<double>& y) {
  long double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += static_cast<long double>(x[k]) * y[k];
  return static_cast<double>(sum);
}

// |found - expected| in units of the precision's rounding.
template <class T>
void expect_rounded(double found, double expected) {
  EXPECT_NEAR(found, expected, 4 * std::numeric_limits<T>::epsilon() * (1 + std::abs(expected)));
}

TEST(VectorAlgebra, NormsAreThoseOfPlainSums) {
  for_each_field([]<class T, int W>() {
    const Lattice lattice(size, W);
    for (const int parity : {0, 1}) {
      const auto x = random_vectors<ParityField<T, 6, W>>(lattice, parity, count, 1);
      const auto norms = norms2(x);
      for (int n = 0; n < count; ++n) EXPECT_NEAR(norms[n], plain_dot(numbers(x, n), numbers(x, n)), 1e-12);
    }
  });
}

// A state whose next step has these alpha, inactive where alpha is 0: |r|^2 = 4.
StepState state_of(const std::vector<double>& alpha) {
  std::vector<Progress> progress(alpha.size());
  std::vector<double> curvatures;
  for (std::size_t n = 0; n < alpha.size(); ++n) {
    progress[n].start(4);
    progress[n].iterations_left = alpha[n] == 0 ? 0 : 10;
    curvatures.push_back(alpha[n] == 0 ? 1 : 4 / alpha[n]);
  }
  StepState state(progress);
  state.curvatures().set(curvatures);
  return state;
}
// The norms that give these beta.
void set_norms(const StepState& state, std::vector<double> beta) {
  for (double& b : beta) b *= 4;
  state.norms().set(beta);
}

TEST(VectorAlgebra, FusedKernelsDoWhatTheySay) {
  for_each_field([]<class T, int W>() {
    using V = ParityField<T, 6, W>;
    const Lattice lattice(size, W);
    const V a = random_vectors<V>(lattice, 0, count, 1), b = random_vectors<V>(lattice, 0, count, 2);
    const V c = random_vectors<V>(lattice, 0, count, 3);
    const std::vector<double> alpha{0.5, 0, 1.25}, beta{2, 3, 0.75};

    const V r = b.clone(), shifted = b.clone(), sum = b.clone(), difference = b.clone(), both = b.clone();
    const StepState state = state_of(alpha);
    update_residual(state, a, r);
    const auto rr = state.norms().values();
    const FieldSums products(count);
    products.set(beta);
    add_shift(alpha, a, shifted, products);
    const auto shifted_products = products.values();
    add_scaled(alpha, a, sum);
    const auto dd = subtract_from(a, difference);
    scale_and_add(beta, alpha, a, both);
    const V x = b.clone(), p = c.clone(), q = c.clone();
    set_norms(state, beta);
    update_solution(state, a, x, p);
    const auto overlap = subtract_and_project(a, b, q);
    for (int n = 0; n < count; ++n) {
      const auto na = numbers(a, n), nb = numbers(b, n), nc = numbers(c, n);
      const bool rests = alpha[n] == 0;
      for (std::size_t k = 0; k < na.size(); ++k) {
        expect_rounded<T>(numbers(r, n)[k], nb[k] - alpha[n] * na[k]);
        if (k > 20) break;  // the first sites are enough
      }
      const auto nr = numbers(r, n), ns = numbers(shifted, n), nsum = numbers(sum, n), nd = numbers(difference, n),
                 nboth = numbers(both, n), nx = numbers(x, n), np = numbers(p, n), nq = numbers(q, n);
      for (std::size_t k = 0; k < na.size(); ++k) {
        expect_rounded<T>(ns[k], nb[k] + alpha[n] * na[k]);
        expect_rounded<T>(nsum[k], nb[k] + alpha[n] * na[k]);
        expect_rounded<T>(nd[k], na[k] - nb[k]);
        expect_rounded<T>(nboth[k], beta[n] * nb[k] + alpha[n] * na[k]);
        expect_rounded<T>(nx[k], nb[k] + alpha[n] * nc[k]);
        expect_rounded<T>(np[k], rests ? nc[k] : na[k] + beta[n] * nc[k]);
        expect_rounded<T>(nq[k], nc[k] - nb[k]);
      }
      EXPECT_NEAR(rr[n], rests ? 0 : plain_dot(nr, nr), 1e-11);
      EXPECT_NEAR(shifted_products[n], beta[n] + alpha[n] * plain_dot(na, na), 1e-10);
      EXPECT_NEAR(dd[n], plain_dot(nd, nd), 1e-11);
      EXPECT_NEAR(overlap[n], plain_dot(na, nq), 1e-11);
    }
  });
}

// Spinors in 16 bits: the single-precision result, each site within half a scale.
TEST(VectorAlgebra, SixteenBitsAreThoseOfSinglePrecisionRounded) {
  test::for_each_lane_count(size, []<int W>() {
    using V = ParityField<Fixed16, 24, W>;
    using Single = ParityField<float, 24, W>;
    const Lattice lattice(size, W);
    const SiteMap same(lattice, lattice);
    const V a = random_vectors<V>(lattice, 0, count, 1), r = random_vectors<V>(lattice, 0, count, 2);
    const Single exact_a(lattice, 0, count), exact_r(lattice, 0, count);
    convert_vectors(same, a, exact_a);
    convert_vectors(same, r, exact_r);
    const StepState state = state_of({0.5, 0, 1.25});
    EXPECT_EQ(norms2(a), norms2(exact_a));
    update_residual(state, a, r);
    const auto norms = state.norms().values();
    update_residual(state, exact_a, exact_r);
    EXPECT_EQ(norms, state.norms().values());
    for (int n = 0; n < count; ++n) {
      const auto found = numbers(r, n), expected = numbers(exact_r, n);
      for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], 2.25 * 0.51 / 32767);
    }
    clear(r, 1);
    EXPECT_EQ(norms2(r)[1], 0);
  });
}

TEST(VectorAlgebra, GathersAndScattersByPlace) {
  using V = ParityField<double, 6, test::wide>;
  const Lattice lattice({4, 4, 4, 4}, test::wide);
  const V all = random_vectors<V>(lattice, 1, 4), some(lattice, 1, 2), back = all.clone();
  const std::vector<int> places{3, 1};
  gather(all, places, some);
  EXPECT_EQ(numbers(some, 0), numbers(all, 3));
  EXPECT_EQ(numbers(some, 1), numbers(all, 1));
  const V others = random_vectors<V>(lattice, 1, 2, 9);
  scatter(others, places, back);
  clear(back, 2);
  EXPECT_EQ(numbers(back, 0), numbers(all, 0));
  EXPECT_EQ(numbers(back, 1), numbers(others, 1));
  EXPECT_EQ(numbers(back, 2), std::vector<double>(numbers(all, 2).size(), 0.0));
  EXPECT_EQ(numbers(back, 3), numbers(others, 0));
}

TEST(VectorAlgebra, DeferredStepsAreThoseOneByOne) {
  for_each_field([]<class T, int W>() {
    using V = ParityField<T, 6, W>;
    const Lattice lattice(size, W);
    const std::vector<V> r{random_vectors<V>(lattice, 0, 1, 4), random_vectors<V>(lattice, 0, 1, 5),
                           random_vectors<V>(lattice, 0, 1, 6)};
    const V x = random_vectors<V>(lattice, 0, count, 1), p = random_vectors<V>(lattice, 0, count, 2);
    const V x1 = x.clone(), p1 = p.clone();
    std::vector<std::vector<DeferredStep>> together(count);
    for (int j = 0; j < 3; ++j) {
      std::vector<std::vector<DeferredStep>> one(count);
      for (int i = 0; i < count; ++i) {
        if (i == 1 && j > 0) continue;  // dropped after its first step
        const DeferredStep step{0.3 + i + j, 0.7 / (1 + i), 0.2 + 0.1 * j, true};
        one[i].push_back(step);
        together[i].push_back(step);
      }
      take_steps(DeferredSteps(one), count, std::span(&r[j], 1), x1, p1);
    }
    take_steps(DeferredSteps(together), count, r, x, p);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(numbers(x, i), numbers(x1, i));
      EXPECT_EQ(numbers(p, i), numbers(p1, i));
    }
    expect_rounded<T>(numbers(x, 1)[0], numbers(random_vectors<V>(lattice, 0, count, 1), 1)[0] +
                                            1.3 * numbers(random_vectors<V>(lattice, 0, count, 2), 1)[0]);
  });
}

}  // namespace
}  // namespace trellis::solver

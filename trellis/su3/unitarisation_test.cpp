// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/su3/unitarisation.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/support/colour.hpp"
#include "trellis/su3/unitarisation_derivative.hpp"

namespace trellis {
namespace {

using namespace trellis::testing;

// Oracle: V = A diag(h) B^dagger with known unitary A and B in long double, so that W = A B^dagger.
using Wide = std::complex<long double>;
struct WideMatrix {
  Wide e[3][3] = {};
};
WideMatrix operator*(const WideMatrix& a, const WideMatrix& b) {
  WideMatrix c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c.e[i][j] += a.e[i][k] * b.e[k][j];
  return c;
}
WideMatrix dagger(const WideMatrix& a) {
  WideMatrix c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.e[i][j] = std::conj(a.e[j][i]);
  return c;
}
WideMatrix diagonal(const std::array<double, 3>& h) {
  WideMatrix m;
  for (int i = 0; i < 3; ++i) m.e[i][i] = h[i];
  return m;
}
WideMatrix random_wide(std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  WideMatrix m;
  for (auto& row : m.e)
    for (auto& z : row) {
      const double re = normal(generator);
      z = Wide(re, normal(generator));
    }
  return m;
}
// Gram-Schmidt, twice.
WideMatrix random_unitary(std::mt19937_64& generator) {
  WideMatrix m = random_wide(generator);
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < i; ++k) {
        Wide overlap = 0;
        for (int j = 0; j < 3; ++j) overlap += std::conj(m.e[k][j]) * m.e[i][j];
        for (int j = 0; j < 3; ++j) m.e[i][j] -= overlap * m.e[k][j];
      }
      long double length = 0;
      for (int j = 0; j < 3; ++j) length += std::norm(m.e[i][j]);
      for (int j = 0; j < 3; ++j) m.e[i][j] /= std::sqrt(length);
    }
  return m;
}
Dense narrow(const WideMatrix& m) {
  Dense d;
  for (int k = 0; k < 9; ++k) d[k] = std::complex<double>(m.e[k / 3][k % 3]);
  return d;
}
template <class S>
void set_matrix(Matrix<S>& m, int l, const WideMatrix& value) {
  using T = scalar_t<S>;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      set_lane(m.e[i][j].re, l, T(value.e[i][j].real()));
      set_lane(m.e[i][j].im, l, T(value.e[i][j].imag()));
    }
}

struct Factors {
  WideMatrix a, b;
  std::array<double, 3> h;

  WideMatrix v() const { return a * diagonal(h) * dagger(b); }
  WideMatrix w() const { return a * dagger(b); }
  // D' for D: in the bases of the singular values, elements of G - G^dagger over sums of h.
  WideMatrix derivative(const WideMatrix& by_w, double cut_off = 0) const {
    std::array<long double, 3> sizes;
    const bool filter = *std::min_element(h.begin(), h.end()) < std::sqrt(cut_off);
    for (int i = 0; i < 3; ++i) sizes[i] = filter ? std::sqrt((long double)h[i] * h[i] + cut_off) : h[i];
    const WideMatrix g = dagger(b) * by_w * a;
    WideMatrix z;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) z.e[i][j] = (g.e[i][j] - std::conj(g.e[j][i])) / (sizes[i] + sizes[j]);
    return b * z * dagger(a);
  }
};

struct Case {
  const char* name;
  std::array<double, 3> h;
};
const Case cases[] = {{"typical", {0.92, 0.81, 0.63}},
                      {"one", {1, 1, 1}},
                      {"equal", {0.7, 0.7, 0.7}},
                      {"two equal", {0.9, 0.9, 0.4}},
                      {"nearly equal", {0.8, 0.8 + 1e-9, 0.8 - 3e-8}},
                      {"two nearly equal", {0.5, 1.1, 0.5 + 1e-7}},
                      {"large", {30, 20, 25}},
                      {"small", {1e-3, 2e-3, 3e-3}},
                      {"one smaller", {1, 0.8, 1e-2}},
                      {"two smaller", {1, 2e-3, 1e-3}}};

// What rounding errors are multiplied by: (largest h)^2 / (product of the other two).
double amplification(const std::array<double, 3>& h) {
  const double largest = *std::max_element(h.begin(), h.end());
  return largest * largest * largest / (h[0] * h[1] * h[2]);
}

// Compiled once for each type: inlined into every test they take half a minute.
template <class S>
[[gnu::noinline]] auto unitary(const Matrix<S>& v) {
  return unitary_part(v);
}
template <class S>
[[gnu::noinline]] auto derivative(const Matrix<S>& v, const Matrix<S>& w, const Matrix<S>& by_w,
                                  scalar_t<S> cut_off = 0) {
  return unitarisation_derivative(v, w, by_w, cut_off);
}

template <class S>
struct Unitarisation : Colour<S> {
  // Units of rounding, 1.1e-16 or 6e-8.
  static constexpr double rounding = std::numeric_limits<scalar_t<S>>::epsilon() / 2;

  Factors random_factors(const std::array<double, 3>& h) {
    const WideMatrix a = random_unitary(this->generator);
    return {a, random_unitary(this->generator), h};
  }
};
TYPED_TEST_SUITE(Unitarisation, LaneTypes);

TYPED_TEST(Unitarisation, AgreesWithKnownFactors) {
  using S = TypeParam;
  const WideMatrix one = diagonal({1, 1, 1});
  for (int trial = 0; trial < 300; ++trial)
    for (const Case& c : cases) {
      std::vector<Factors> factors;
      auto v = Matrix<S>::zero();
      for (int l = 0; l < lane_count<S>; ++l) {
        factors.push_back(this->random_factors(c.h));
        set_matrix(v, l, factors.back().v());
      }
      const auto u = unitary(v);
      const double smallest = *std::min_element(c.h.begin(), c.h.end());
      for (int l = 0; l < lane_count<S>; ++l) {
        const Dense w = lane_of(u.w, l);
        ASSERT_LT(distance(times(testing::dagger(w), w), narrow(one)), 12 * this->rounding) << c.name;
        ASSERT_LT(distance(w, narrow(factors[l].w())), 12 * this->rounding * amplification(c.h)) << c.name;
        ASSERT_LE(lane(u.smallest, l), smallest * (1 + 1e-4)) << c.name;
        ASSERT_GE(lane(u.smallest, l) * std::sqrt(3.0), smallest * (1 - 1e-4)) << c.name;
      }
    }
}

TYPED_TEST(Unitarisation, DerivativeAgreesWithSingularVectors) {
  using S = TypeParam;
  for (int trial = 0; trial < 100; ++trial)
    for (const Case& c : cases)
      for (const double cut_off : {0.0, 5e-5}) {
        std::vector<Factors> factors;
        std::vector<WideMatrix> weights;
        auto v = Matrix<S>::zero(), d = v;
        for (int l = 0; l < lane_count<S>; ++l) {
          factors.push_back(this->random_factors(c.h));
          weights.push_back(random_wide(this->generator));
          set_matrix(v, l, factors.back().v());
          set_matrix(d, l, weights.back());
        }
        const auto result = derivative(v, unitary(v).w, d, scalar_t<S>(cut_off));
        const double smallest = *std::min_element(c.h.begin(), c.h.end());
        EXPECT_EQ(all(result.filtered), smallest * smallest < cut_off) << c.name;
        EXPECT_EQ(any(result.filtered), smallest * smallest < cut_off) << c.name;
        for (int l = 0; l < lane_count<S>; ++l)
          ASSERT_LT(distance(lane_of(result.by_v, l), narrow(factors[l].derivative(weights[l], cut_off))),
                    100 * this->rounding * amplification(c.h) / smallest)
              << c.name;
      }
}

// Only the lanes below the cut-off are filtered.
TYPED_TEST(Unitarisation, TheFilterLeavesOtherLanesAlone) {
  using S = TypeParam;
  auto v = Matrix<S>::zero();
  for (int l = 0; l < lane_count<S>; ++l)
    set_matrix(v, l, this->random_factors({0.9, 0.7, l % 2 == 1 ? 3e-3 : 1.1e-2}).v());
  const auto w = unitary(v).w, d = this->random_matrix();
  const auto off = derivative(v, w, d), on = derivative(v, w, d, scalar_t<S>(1e-4));
  for (int l = 0; l < lane_count<S>; ++l) {
    const double difference = distance(lane_of(off.by_v, l), lane_of(on.by_v, l));
    if (l % 2 == 0)
      EXPECT_EQ(difference, 0);
    else
      EXPECT_GT(difference, 1);
  }
}

// Fourth-order differences of Re tr(D W(V)) along random directions, in double precision.
TEST(UnitarisationDerivative, AgreesWithDifferences) {
  std::mt19937_64 generator{17};
  for (int trial = 0; trial < 50; ++trial)
    for (const auto& h : {cases[0].h, cases[1].h, cases[3].h, cases[4].h}) {
      auto v = Matrix<double>::zero(), d = v, direction = v;
      set_matrix(v, 0, Factors{random_unitary(generator), random_unitary(generator), h}.v());
      set_matrix(d, 0, random_wide(generator));
      set_matrix(direction, 0, random_wide(generator));
      const auto at = [&](double step) { return real_trace_adjoint(unitary(fma(step, direction, v)).w, adjoint(d)); };
      const double step = 3e-4;
      const double numerical = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
      const auto by_v = derivative(v, unitary(v).w, d).by_v;
      EXPECT_NEAR(real_trace_adjoint(direction, adjoint(by_v)), numerical, 1e-9);
    }
}

TYPED_TEST(Unitarisation, LanesDoNotKnowEachOther) {
  using S = TypeParam;
  auto v = Matrix<S>::zero();
  for (int l = 0; l < lane_count<S>; ++l)
    set_matrix(v, l, this->random_factors(cases[std::size_t(l) % std::size(cases)].h).v());
  const auto d = this->random_matrix();
  const auto together = unitary(v);
  const auto force = derivative(v, together.w, d, scalar_t<S>(5e-5));
  for (int l = 0; l < lane_count<S>; ++l) {
    Matrix<scalar_t<S>> own, weight;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        own.e[i][j] = {lane(v.e[i][j].re, l), lane(v.e[i][j].im, l)};
        weight.e[i][j] = {lane(d.e[i][j].re, l), lane(d.e[i][j].im, l)};
      }
    const auto alone = unitary(own);
    EXPECT_EQ(lane_of(together.w, l), lane_of(alone.w, 0));
    EXPECT_EQ(lane(together.smallest, l), alone.smallest);
    EXPECT_EQ(lane_of(force.by_v, l), lane_of(derivative(own, alone.w, weight, scalar_t<S>(5e-5)).by_v, 0));
  }
}

TYPED_TEST(Unitarisation, SingularMatricesAreReported) {
  using S = TypeParam;
  const auto smallest = [](const Matrix<S>& m) { return lane(unitary(m).smallest, 0); };
  EXPECT_EQ(smallest(Matrix<S>::zero()), 0);
  auto m = Matrix<S>::one();
  EXPECT_NEAR(smallest(m), 1 / std::sqrt(3.0), 4 * this->rounding);
  m.e[2][2] = complex<S>(S(scalar_t<S>(0)));
  EXPECT_EQ(smallest(m), 0);
  m.e[2][2] = complex<S>(S(std::numeric_limits<scalar_t<S>>::quiet_NaN()));
  EXPECT_EQ(smallest(m), 0);
  m.e[2][2] = complex<S>(S(std::numeric_limits<scalar_t<S>>::infinity()));
  EXPECT_EQ(smallest(m), 0);
  // Up to rounding: the true one is 0.
  const auto v = this->random_factors({1, 0.5, 0}).v();
  set_matrix(m, 0, v);
  EXPECT_LT(smallest(m), 4 * this->rounding);
}

}  // namespace
}  // namespace trellis

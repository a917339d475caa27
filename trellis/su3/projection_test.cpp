// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/su3/projection.hpp"
#include "tests/support/colour.hpp"
#include "trellis/su3/compression.hpp"

namespace trellis {
namespace {

using namespace trellis::testing;

// Compiled once for each type, as in colour.hpp.
template <class S>
[[gnu::noinline]] Matrix<S> reunitarised(const Matrix<S>& u) {
  return reunitarise(u);
}

template <class S>
struct Projection : Colour<S> {};
TYPED_TEST_SUITE(Projection, LaneTypes);

TYPED_TEST(Projection, ReunitariseMendsAndKeeps) {
  using S = TypeParam;
  const auto u = this->random_su3();
  const auto noisy = fma(S(scalar_t<S>(1e-4)), this->random_matrix(), u);
  const auto mended = reunitarised(noisy);
  for (int l = 0; l < lane_count<S>; ++l) {
    EXPECT_LT(std::sqrt(double(lane(unitarity_violation(mended), l))), 5 * this->epsilon);
    EXPECT_LT(distance(lane_of(mended, l), lane_of(u, l)), 2e-3);
    EXPECT_LT(distance(lane_of(reunitarised(u), l), lane_of(u, l)), 100 * this->epsilon);
  }
}

// Links that do not exist at open boundaries are stored as zeros. A sign that comes with them in the middle of a chain,
// but not from a file, would be another bit.
TYPED_TEST(Projection, ZeroStaysZero) {
  using S = TypeParam;
  const S none = S(scalar_t<S>(0));
  Matrix<S> negative;
  for (auto& row : negative.e)
    for (auto& element : row) element = {-none, -none};
  for (const auto& zero : {reunitarised(Matrix<S>::zero()), reunitarised(negative)})
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < lane_count<S>; ++l)
          for (const S& part : {zero.e[i][j].re, zero.e[i][j].im}) {
            EXPECT_EQ(double(lane(part, l)), 0) << i << j;
            EXPECT_FALSE(std::signbit(double(lane(part, l)))) << i << j;
          }
}

// A matrix near SU(3) is recognised after reunitarise(), but not before.
TYPED_TEST(Projection, WhatIsReunitarisedIsKnown) {
  using S = TypeParam;
  for (int trial = 0; trial < 20000; ++trial) {
    const auto size = trial % 2 == 0 ? this->epsilon : trial % 4 == 1 ? 1e-6 : 1e-2;
    const auto noisy = fma(S(scalar_t<S>(size)), this->random_matrix(), this->random_su3());
    ASSERT_TRUE(all(is_reunitarised(reunitarised(noisy)))) << trial;
    if (trial % 2 != 0) {
      ASSERT_FALSE(any(is_reunitarised(noisy))) << trial;
    }
  }
  EXPECT_TRUE(all(is_reunitarised(Matrix<S>::one())));
  // The third row matches, but the first two are not orthonormal.
  auto stretched = this->random_su3();
  for (int j = 0; j < 3; ++j) stretched.e[1][j] = S(scalar_t<S>(1.01)) * stretched.e[1][j];
  complete_third_row(stretched);
  EXPECT_FALSE(any(is_reunitarised(stretched)));
}

TYPED_TEST(Projection, PolarProjectionIsUnitaryAndHermitianFactorIsPositive) {
  using S = TypeParam;
  const auto m = this->random_matrix();
  const auto u = project_polar(m);
  for (int l = 0; l < lane_count<S>; ++l) {
    EXPECT_LT(std::sqrt(double(lane(unitarity_violation(u), l))), 10 * this->epsilon);
    // M = e^(i phi) U P with P Hermitian: U^dagger M is Hermitian up to one phase, that of (det M)^(1/3).
    const Dense p = times(dagger(lane_of(u, l)), lane_of(m, l));
    const auto phase = (p[0] + p[4] + p[8]) / std::abs(p[0] + p[4] + p[8]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        EXPECT_LT(std::abs(p[3 * i + j] / phase - std::conj(p[3 * j + i] / phase)), 2000 * this->epsilon);
    EXPECT_GE(phase.real(), 0.5 - 1e-3);
  }
}

TYPED_TEST(Projection, Compression) {
  using S = TypeParam;
  for (int trial = 0; trial < 20; ++trial) {
    const auto u = trial == 0 ? Matrix<S>::one() : this->random_su3();
    S r12[12], r8[8];
    compress12(u, r12);
    compress8(u, r8);
    for (int l = 0; l < lane_count<S>; ++l) {
      EXPECT_LT(distance(lane_of(reconstruct12(r12), l), lane_of(u, l)), 30 * this->epsilon);
      const Dense d = lane_of(u, l);
      const double n = std::norm(d[0]) + std::norm(d[1]);
      EXPECT_LT(distance(lane_of(reconstruct8(r8), l), lane_of(u, l)), 3000 * this->epsilon / n);
    }
  }
}

// The third row of a matrix in U(3) times a number, and of no matrix at all.
TYPED_TEST(Projection, FactorOfTheThirdRow) {
  using S = TypeParam;
  for (const double size : {1.0, -1.0 / 24, 30.0, 0.0}) {
    const auto c = std::polar(size, 0.7);
    const auto u = complex<S>{S(scalar_t<S>(c.real())), S(scalar_t<S>(c.imag()))} * this->random_su3();
    auto v = u;
    complete_third_row(v);
    const complex<S> factor = third_row_factor(u);
    for (complex<S>& x : v.e[2]) x = factor * x;
    for (int l = 0; l < lane_count<S>; ++l)
      EXPECT_LE(distance(lane_of(v, l), lane_of(u, l)), 30 * this->epsilon * std::abs(size));
  }
}

}  // namespace
}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shared by tests of colour matrices: plain dense matrices to compare with, and random matrices of every lane type.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <random>

#include "trellis/su3/algebra.hpp"
#include "trellis/su3/exponential.hpp"
#include "trellis/su3/matrix.hpp"

namespace trellis::testing {

using Dense = std::array<std::complex<double>, 9>;

// Functions that are compiled once for each type: inlined into every test they take most of the time to compile it.
template <class S>
[[gnu::noinline]] Dense lane_of(const Matrix<S>& m, int l) {
  Dense d;
  for (int k = 0; k < 9; ++k) d[k] = {double(lane(m.e[k / 3][k % 3].re, l)), double(lane(m.e[k / 3][k % 3].im, l))};
  return d;
}
inline Dense times(const Dense& a, const Dense& b) {
  Dense c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
  return c;
}
inline Dense dagger(const Dense& a) {
  Dense c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[3 * i + j] = std::conj(a[3 * j + i]);
  return c;
}
inline double distance(const Dense& a, const Dense& b) {
  double d = 0;
  for (int k = 0; k < 9; ++k) d = std::max(d, std::abs(a[k] - b[k]));
  return d;
}

template <class S>
struct Colour : public ::testing::Test {
  using T = scalar_t<S>;
  static constexpr double epsilon = sizeof(T) == 8 ? 1e-15 : 5e-7;
  std::mt19937_64 generator{5};
  std::normal_distribution<double> normal;

  [[gnu::noinline]] Matrix<S> random_matrix() {
    Matrix<S> m = Matrix<S>::zero();
    for (auto& row : m.e)
      for (auto& z : row)
        for (int l = 0; l < lane_count<S>; ++l) {
          set_lane(z.re, l, T(normal(generator)));
          set_lane(z.im, l, T(normal(generator)));
        }
    return m;
  }
  [[gnu::noinline]] Algebra<S> random_algebra(double size) {
    Algebra<S> a;
    for (auto& p : a.p) {
      p = S(T(0));
      for (int l = 0; l < lane_count<S>; ++l) set_lane(p, l, T(size * normal(generator)));
    }
    return a;
  }
  [[gnu::noinline]] Matrix<S> random_su3() { return exp_i(to_matrix(random_algebra(2))); }
};
using LaneTypes = ::testing::Types<double, simd<double, 8>, simd<double, 16>, float, simd<float, 16>>;

}  // namespace trellis::testing

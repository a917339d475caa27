// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The same colour algebra in GPU threads: the device's numbers are the host's, bit for bit, because every
// multiplication, addition and fused multiply-add is explicit.
#include <gtest/gtest.h>

#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/su3/algebra.hpp"
#include "trellis/su3/compression.hpp"
#include "trellis/su3/exponential.hpp"
#include "trellis/su3/unitarisation_derivative.hpp"

namespace trellis {
namespace {

constexpr int links = 1000;

template <class T>
TRELLIS_FUNCTION Algebra<T> coefficients(int n) {
  Algebra<T> a;
  for (int k = 0; k < 8; ++k) a.p[k] = T((n * 37 + k * 101) % 211 - 105) / T(64);
  return a;
}

// A chain of all operations: exponential, products, reunitarisation, compression and back, projection to U(3) and its
// derivative with and without the filter.
template <class T>
TRELLIS_FUNCTION Matrix<T> chain(int n) {
  const Matrix<T> u = exp_i(to_matrix(coefficients<T>(n))), v = exp_i(to_matrix(coefficients<T>(n + 1)));
  T packed[12];
  compress12(reunitarise(multiply_adjoint_add(u * v, u, adjoint_multiply(v, u))), packed);
  const Matrix<T> w = reconstruct12(packed), sum = u + T(0.75) * v;
  const Matrix<T> unitary = unitary_part(sum).w;
  const Matrix<T> exact = unitarisation_derivative(sum, unitary, w).by_v;
  return multiply_adjoint(exact + unitarisation_derivative(sum, unitary, w, T(0.5)).by_v, v);
}

template <class T>
void fill(const View<T* [18], LayoutRight, CudaSpace>& out) {
  parallel_for(
      "colour algebra", RangePolicy<Cuda>(0, links), TRELLIS_LAMBDA(Index n) {
        const Matrix<T> m = chain<T>(int(n));
        for (int k = 0; k < 9; ++k) {
          out(n, 2 * k) = m.e[k / 3][k % 3].re;
          out(n, 2 * k + 1) = m.e[k / 3][k % 3].im;
        }
      });
  fence();
}

template <class T>
void expect_host_bits() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no CUDA device";
  const View<T* [18], LayoutRight, CudaSpace> device("device", links);
  fill(device);
  const auto host = create_mirror_view(device);
  deep_copy(host, device);
  for (int n = 0; n < links; ++n) {
    const Matrix<T> m = chain<T>(n);
    for (int k = 0; k < 9; ++k) {
      ASSERT_EQ(host(n, 2 * k), m.e[k / 3][k % 3].re) << n;
      ASSERT_EQ(host(n, 2 * k + 1), m.e[k / 3][k % 3].im) << n;
    }
  }
}

TEST(ColourOnCuda, DoubleHasTheHostsBits) { expect_host_bits<double>(); }
TEST(ColourOnCuda, SingleHasTheHostsBits) { expect_host_bits<float>(); }

}  // namespace
}  // namespace trellis

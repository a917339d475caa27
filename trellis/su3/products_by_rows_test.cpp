// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/su3/products_by_rows.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "trellis/core/lanes.hpp"

namespace trellis {
namespace {

template <class S>
class ProductsByRows : public testing::Test {
 protected:
  Matrix<S> random() {
    using T = scalar_t<S>;
    std::uniform_real_distribution<double> number(-1, 1);
    const auto lanes = [&] {
      alignas(64) T values[lane_count<S>];
      for (T& value : values) value = T(number(engine_));
      return load_part<S>(values, 0);
    };
    Matrix<S> m;
    for (auto& row : m.e)
      for (auto& element : row) element = {lanes(), lanes()};
    return m;
  }
  static void expect_same_bits(const Matrix<S>& a, const Matrix<S>& b) { EXPECT_EQ(std::memcmp(&a, &b, sizeof(a)), 0); }

 private:
  std::mt19937 engine_{1};
};

using LaneTypes = testing::Types<double, simd<double, 4>, simd<float, 8>>;
TYPED_TEST_SUITE(ProductsByRows, LaneTypes);

TYPED_TEST(ProductsByRows, HaveTheBitsOfProductsOfMatrices) {
  const auto a = this->random(), b = this->random(), c = this->random(), d = this->random(), e = this->random(),
             f = this->random(), before = this->random();
  this->expect_same_bits(plaquette_by_rows<TypeParam>(a, b, c, d), multiply_adjoint(a * b, c * d));

  StackMatrix<TypeParam> path;
  for (int i = 0; i < 3; ++i) path.set_row(i, row_of<TypeParam>(before, i));
  this->expect_same_bits(to_matrix(path), before);
  add_path_below(a, b, c, path);
  this->expect_same_bits(to_matrix(path), multiply_add(adjoint_multiply(a, b), c, before));

  Matrix<TypeParam> sum = before;
  add_paths(a, b, c, d, e, f, sum);
  this->expect_same_bits(sum, multiply_add(adjoint_multiply(d, e), f, multiply_adjoint_add(a * b, c, before)));
}

}  // namespace
}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/spinor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/random.hpp"

namespace trellis::reference {
namespace {

TEST(ReferenceSpinor, SpinAndColourActOnTheirIndices) {
  Random random(1);
  const Matrix u = random_su3(random);
  const Spinor a = random_spinors({1, 1, 1, 1}, 2)[0];
  const SpinMatrix s = sigma(0, 1) + gamma_matrix(2);
  const Spinor b = s * a, c = u * a, d = s * c, e = u * b;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      Complex spin = 0.0, colour = 0.0;
      for (int j = 0; j < 4; ++j) spin += s(i, j) * a[3 * j + k];
      for (int j = 0; j < 3; ++j) colour += u(k, j) * a[3 * i + j];
      EXPECT_LT(std::abs(b[3 * i + k] - spin), 1e-15);
      EXPECT_LT(std::abs(c[3 * i + k] - colour), 1e-15);
      EXPECT_LT(std::abs(d[3 * i + k] - e[3 * i + k]), 1e-14);
    }
}

TEST(ReferenceSpinor, FieldsAreAVectorSpaceWithAProduct) {
  const Site size = {2, 1, 3, 2};
  const SpinorField a = random_spinors(size, 3), b = random_spinors(size, 4);
  const Complex s(0.3, -0.7);
  EXPECT_LT(std::abs(dot(a, s * b) - s * dot(a, b)), 1e-13);
  EXPECT_LT(std::abs(dot(s * a, b) - std::conj(s) * dot(a, b)), 1e-13);
  EXPECT_LT(std::abs(dot(a, b) - std::conj(dot(b, a))), 1e-13);
  EXPECT_LT(norm(a + b - b - a), 1e-13);
  EXPECT_NEAR(norm(a) * norm(a), 2.0 * 144, 60.0);  // 144 components with <|z|^2> = 2
  const SpinorField point = point_spinors(size, {1, 0, 2, 1}, 7);
  EXPECT_EQ(norm(point), 1.0);
  EXPECT_EQ(dot(point, a), a[1 + 2 * 2 + 6 * 1][7]);
  const GaugeTransformation g = random_transformation(size, 5);
  EXPECT_LT(std::abs(dot(gauge_transform(a, g), gauge_transform(b, g)) - dot(a, b)), 1e-13);
}

}  // namespace
}  // namespace trellis::reference

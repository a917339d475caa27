// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/propagators/openqcd_basis.hpp"

#include <gtest/gtest.h>

#include "reference/gamma.hpp"

namespace trellis::measure {
namespace {

using reference::Complex, reference::SpinMatrix;

SpinMatrix v_of_openqcd() {
  SpinMatrix v{};
  for (int s = 0; s < 4; ++s) v(s, openqcd_spin(s)) = double(openqcd_sign(s));
  return v;
}

// Those of openQCD, written down from its blocks: 0 in space is x, 3 is t.
SpinMatrix gamma_of_openqcd(int mu) {
  const Complex i(0.0, 1.0);
  const Complex one[2][2] = {{1, 0}, {0, 1}};
  const Complex pauli[3][2][2] = {{{0, 1}, {1, 0}}, {{0, -i}, {i, 0}}, {{1, 0}, {0, -1}}};
  SpinMatrix g{};
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) {
      g(r, 2 + c) = mu == 3 ? -one[r][c] : -i * pauli[mu][r][c];
      g(2 + r, c) = mu == 3 ? -one[r][c] : i * pauli[mu][r][c];
    }
  return g;
}

TEST(OpenqcdBasis, TakesAllGammaMatricesToThoseOfOpenqcd) {
  const auto v = v_of_openqcd(), v_adjoint = reference::adjoint(v);
  EXPECT_EQ(reference::distance(v * v_adjoint, reference::spin_identity()), 0);
  EXPECT_EQ(reference::distance(v, v_adjoint), 0);
  for (int mu = 0; mu < 4; ++mu)
    EXPECT_EQ(reference::distance(v * reference::gamma_matrix(mu) * v_adjoint, gamma_of_openqcd(mu)), 0) << mu;
  // Time comes first in openQCD's gamma_5, and last in ours.
  const auto gamma5 = gamma_of_openqcd(3) * gamma_of_openqcd(0) * gamma_of_openqcd(1) * gamma_of_openqcd(2);
  const SpinMatrix diagonal{{1, 0, 0, 0,   //
                             0, 1, 0, 0,   //
                             0, 0, -1, 0,  //
                             0, 0, 0, -1}};
  EXPECT_EQ(reference::distance(gamma5, diagonal), 0);
  EXPECT_EQ(reference::distance(v * reference::gamma5() * v_adjoint, Complex(-1.0) * gamma5), 0);
}

// On fields: V S V^+ with twelve and four columns, V with columns that have no spin.
TEST(OpenqcdBasis, OfAPropagatorChangesAtSinkAndSource) {
  const Lattice lattice({4, 2, 2, 2});
  const auto number = [](int column, int k) { return 100.0 * column + k + 1; };
  const Coordinate place{3, 0, 1, 1};
  for (const int count : {12, 4, 3, 1}) {
    const FullSpinors<double, 1> x(lattice, count);
    for (int n = 0; n < count; ++n) {
      std::array<double, 24> numbers{};
      for (int k = 0; k < 24; ++k) numbers[std::size_t(k)] = number(n, k);
      x.set(place, numbers, n);
    }
    change_openqcd_basis(x);
    const int colours = count % 4 == 0 ? count / 4 : 0;
    const auto v = v_of_openqcd();
    for (int n = 0; n < count; ++n)
      for (int s = 0; s < 4; ++s)
        for (int k = 0; k < 6; ++k) {
          Complex expected = 0;
          for (int from = 0; from < 4; ++from) {
            if (colours == 0) expected += v(s, from) * number(n, 6 * from + k);
            for (int source = 0; source < 4 && colours > 0; ++source)
              expected += v(s, from) * number(source * colours + n % colours, 6 * from + k) * v(n / colours, source);
          }
          ASSERT_EQ(x.at(place, n)[std::size_t(6 * s + k)], expected.real());
        }
    change_openqcd_basis(x);
    for (int n = 0; n < count; ++n)
      for (int k = 0; k < 24; ++k) ASSERT_EQ(x.at(place, n)[std::size_t(k)], number(n, k));
  }
}

}  // namespace
}  // namespace trellis::measure

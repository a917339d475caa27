// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Joins see all parts of their own tile, whatever the lane count, also if the last block of a GPU is not full.
#include <gtest/gtest.h>

#include "tests/support/wide_lanes.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis {
namespace {

// Part n of a site is (n + 1) times its number k, and its square; join k leaves both sums in two components of a field.
template <class T, int W>
struct SumParts {
  using S = lanes_t<T, W>;
  static constexpr int parts = 5, joins = 4;
  struct Part {
    S once, squared;
  };
  AlgebraAccess<T, W> numbers;

  TRELLIS_INLINE Part part(int tile, int /*following*/, int n) const {
    const S own = S(T(n + 1)) * numbers.load(tile, 0);
    return {own, own * own};
  }
  template <class Parts>
  TRELLIS_INLINE void join(int tile, int following, int k, const Parts& part) const {
    S once = S(T(0)), squared = S(T(following >= 0 ? k : -1));
    for (int n = 0; n < parts; ++n) {
      once = once + S(T(n == k ? 0 : 1)) * part(n).once;
      squared = squared + part(n).squared;
    }
    numbers.store(tile, 8 * k + 1, once);
    numbers.store(tile, 8 * k + 2, squared);
  }
};

template <class T, int W>
void expect_sums(const Coordinate& size) {
  const AlgebraField<T, W> p{Lattice(size, W)};
  const Lattice& lattice = p.lattice();
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    std::array<double, 8> numbers{};
    numbers[0] = double(n % 1000);
    p.set(lattice.coordinate(n), 0, numbers);
  }
  for_joined_parts("sums of parts", lattice, all_tiles(lattice), SumParts<T, W>{p.access()});
  for (std::int64_t n = 0; n < lattice.volume(); ++n)
    for (int k = 0; k < 4; ++k) {
      const auto found = p.at(lattice.coordinate(n), k);
      const double x = double(n % 1000);
      ASSERT_EQ(found[1], (15 - (k + 1)) * x) << n << ' ' << k;
      ASSERT_EQ(found[2], k + 55 * x * x) << n << ' ' << k;
    }
}

TEST(JoinedParts, AreThoseOfTheirTile) {
  expect_sums<double, 1>({2, 2, 2, 4});
  expect_sums<double, 1>({4, 6, 2, 10});
  expect_sums<double, test::wide>({4, 4, 4, 6});
  expect_sums<double, test::wide>({8, 4, 4, 12});
  expect_sums<float, test::wide>({4, 4, 4, 8});
}

}  // namespace
}  // namespace trellis

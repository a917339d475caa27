// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/fixed_point.hpp"

#include <gtest/gtest.h>

#include "tests/support/test_operators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/site_map.hpp"

namespace trellis {
namespace {

using test::numbers;
using test::random_vectors;

constexpr Coordinate size{4, 4, 4, 8};
constexpr int count = 2;

template <class F>
void for_each_lane_count(F&& f) {
  for (const int lanes : compiled_lane_counts())
    if (Lattice::divides(size, lanes)) with_lanes(lanes, f);
}

// Random numbers whose norms differ from site to site by many powers of ten, with a site of zeros and a tiny one.
template <int Reals, int W>
ParityField<double, Reals, W> wild_vectors(const Lattice& lattice, int parity) {
  const auto v = random_vectors<ParityField<double, Reals, W>>(lattice, parity, count);
  int site = 0;
  test::for_each_site(lattice, parity, [&](const Coordinate& x) {
    for (int n = 0; n < count; ++n) {
      const double size_of_site = site == 3   ? 0
                                  : site == 4 ? 1e-33
                                  : site == 5 ? 2e38
                                  : site == 6 ? 1e-29
                                              : std::pow(10.0, 40 * test::unit_number(lattice, x, n) - 20);
      auto values = v.at(x, n);
      for (double& value : values) value *= size_of_site;
      v.set(x, values, n);
    }
    ++site;
  });
  return v;
}

template <int Reals, int W>
void expect_near_stored(const ParityField<double, Reals, 1>& v, const ParityField<Fixed16, Reals, W>& stored) {
  test::for_each_site(v.lattice(), v.parity(), [&](const Coordinate& x) {
    for (int n = 0; n < v.count(); ++n) {
      const auto exact = v.at(x, n), found = stored.at(x, n);
      double largest = 0;
      for (const double value : exact) largest = std::max(largest, std::abs(value));
      const double scale = largest / 32767;
      for (int k = 0; k < Reals; ++k)
        ASSERT_LE(std::abs(found[k] - exact[k]), largest < 0x1p-100 ? largest : (0.5 + 0x1p-8) * scale)
            << exact[k] << " of at most " << largest;
      if (largest < 0x1p-100) {
        EXPECT_EQ(found[0], 0);
      }
    }
  });
}

// to <- from, site by site; single <- from, number by number
template <int Reals, int W>
void copy_by_kernel(const ParityField<Fixed16, Reals, W>& from, const ParityField<Fixed16, Reals, W>& to,
                    const ParityField<float, Reals, W>& single) {
  const auto in = from.access(), out = to.access();
  const auto numbers = single.access();
  for_each_vector(
      "copy", from.lattice(), count, TRELLIS_KERNEL(int tile, int n) {
        lanes_t<float, W> values[Reals];
        in.load(tile, n, values);
        out.store(tile, n, values);
        for (int k = 0; k < Reals; ++k) numbers.store(tile, n, k, in.load(tile, n, k));
      });
}

template <int Reals, int W>
void store_by_kernel(const ParityField<float, Reals, W>& from, const ParityField<Fixed16, Reals, W>& to) {
  const auto in = from.access();
  const auto out = to.access();
  for_each_vector(
      "store", from.lattice(), count, TRELLIS_KERNEL(int tile, int n) {
        lanes_t<float, W> values[Reals];
        in.load(tile, n, values);
        out.store(tile, n, values);
      });
}

template <int Reals>
void expect_rounding() {
  const Lattice plain(size, 1);
  for (const int parity : {0, 1}) {
    const auto v = wild_vectors<Reals, 1>(plain, parity);
    ParityField<Fixed16, Reals, 1> set(plain, parity, count);
    test::for_each_site(plain, parity, [&](const Coordinate& x) {
      for (int n = 0; n < count; ++n) set.set(x, v.at(x, n), n);
    });
    expect_near_stored(v, set);
    for_each_lane_count([&]<int W>() {
      const Lattice lattice(size, W);
      const SiteMap there(plain, lattice), back(lattice, plain);
      const ParityField<Fixed16, Reals, W> stored(lattice, parity, count);
      convert_vectors(there, v, stored);
      for (int n = 0; n < count; ++n) EXPECT_EQ(numbers(stored, n), numbers(set, n));

      // The same with kernels: they read what at() returns, and site maps lead back.
      const ParityField<Fixed16, Reals, W> again(lattice, parity, count);
      const ParityField<float, Reals, W> by_number(lattice, parity, count);
      copy_by_kernel(stored, again, by_number);
      const ParityField<double, Reals, 1> returned(plain, parity, count);
      const ParityField<float, Reals, 1> returned_single(plain, parity, count);
      convert_vectors(back, stored, returned);
      convert_vectors(back, again, returned_single);
      for (int n = 0; n < count; ++n) {
        EXPECT_EQ(numbers(by_number, n), numbers(stored, n));
        EXPECT_EQ(numbers(returned, n), numbers(stored, n));
        EXPECT_EQ(numbers(returned_single, n), numbers(again, n));
      }
      expect_near_stored(v, stored);
    });
  }
}

TEST(FixedPoint, EachNumberIsWithinHalfAScale) {
  expect_rounding<6>();
  expect_rounding<24>();
}

TEST(FixedPoint, KernelsStoreWhatSetDoes) {
  for_each_lane_count([&]<int W>() {
    const Lattice lattice(size, W);
    const auto v = random_vectors<ParityField<float, 24, W>>(lattice, 1, count);
    const ParityField<Fixed16, 24, W> stored(lattice, 1, count), set = stored.like();
    store_by_kernel(v, stored);
    test::for_each_site(lattice, 1, [&](const Coordinate& x) {
      for (int n = 0; n < count; ++n) set.set(x, v.at(x, n), n);
    });
    const auto copy = set.clone();
    for (int n = 0; n < count; ++n) {
      EXPECT_EQ(numbers(stored, n), numbers(set, n));
      EXPECT_EQ(numbers(copy, n), numbers(set, n));
    }
    copy.set_zero();
    EXPECT_EQ(numbers(copy, 0), std::vector<double>(numbers(set, 0).size(), 0.0));
    EXPECT_NE(numbers(set, 0), numbers(copy, 0));
  });
}

TEST(FixedPoint, WhatIsNoNumberIsSeen) {
  constexpr int W = test::wide;
  const Lattice lattice({4, 4, 4, 4}, W);
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    ParityField<Fixed16, 6, W> v(lattice, 0);
    const std::array<double, 6> values{1, 2, bad, 4, 5, 6};
    v.set({0, 0, 0, 0}, values);
    for (const double value : v.at({0, 0, 0, 0})) EXPECT_FALSE(std::isfinite(value));
    v.set_zero();
    EXPECT_EQ(v.at({0, 0, 0, 0})[2], 0);
  }
}

}  // namespace
}  // namespace trellis

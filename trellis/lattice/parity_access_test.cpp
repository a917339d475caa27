// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "trellis/lattice/parity_field.hpp"

// Vectors that lie side by side, as on a GPU: the View and the kernels' access agree on where numbers are.

namespace trellis {
namespace {

constexpr int sites = 5;

double number(int site, int n, int k) { return 1 + k + 100 * n + 10000 * site; }

template <class T, int Reals>
struct SideBySide {
  using E = stored_t<T>;
  HostView<E** [Reals], LayoutSideBySide<2>> view;
  HostView<float**> scales;
  int count;

  explicit SideBySide(int vectors)
      : view("vectors", sites, vectors), scales("scales", sites, vectors), count(vectors) {}
  ParityAccess<T, Reals, 1, true> access() const {
    if constexpr (is_fixed_point<T>)
      return {view.data(), scales.data(), count};
    else
      return {view.data(), count};
  }
};

template <class T, int Reals, int N>
void expect_neighbours(const SideBySide<T, Reals>& field, int site, int n) {
  if (field.count % N != 0 || n % N != 0) return;
  const auto p = field.access().at(site, n);
  const SideBySide<T, Reals> copy(field.count);
  for (int k = 0; k < Reals / 2; ++k) {
    complex<T> found[N];
    load_neighbours<true>(p, k, found);
    for (int v = 0; v < N; ++v) {
      EXPECT_EQ(found[v].re, T(number(site, n + v, 2 * k)));
      EXPECT_EQ(found[v].im, T(number(site, n + v, 2 * k + 1)));
    }
    store_neighbours<true>(copy.access().at(site, n), k, found, k % 2 == 0);
    for (int v = 0; v < N; ++v) EXPECT_EQ(copy.view(site, n + v, 2 * k + 1), field.view(site, n + v, 2 * k + 1));
  }
}

template <class T, int Reals>
void expect_places(int count) {
  const SideBySide<T, Reals> field(count), copy(count);
  const auto access = field.access(), to = copy.access();
  for (int site = 0; site < sites; ++site)
    for (int n = 0; n < count; ++n)
      for (int k = 0; k < Reals; ++k) access.store(site, n, k, T(number(site, n, k)));
  for (int site = 0; site < sites; ++site)
    for (int n = 0; n < count; ++n) {
      T values[Reals];
      access.load(site, n, values);
      for (int k = 0; k < Reals; ++k) {
        EXPECT_EQ(field.view(site, n, k), T(number(site, n, k)));
        EXPECT_EQ(values[k], T(number(site, n, k)));
        EXPECT_EQ(access.load(site, n, k), T(number(site, n, k)));
      }
      // The same pair of numbers of all vectors is contiguous.
      if (n > 0) {
        EXPECT_EQ(&field.view(site, n, 2), &field.view(site, n - 1, 2) + 2);
      }
      to.store(site, n, values);
      expect_neighbours<T, Reals, 1>(field, site, n);
      expect_neighbours<T, Reals, 2>(field, site, n);
      expect_neighbours<T, Reals, 4>(field, site, n);
    }
  EXPECT_EQ(std::memcmp(copy.view.data(), field.view.data(), std::size_t(field.view.size()) * sizeof(T)), 0);
}

constexpr int counts[] = {1, 2, 3, 8, 12, 16};

TEST(FieldsSideBySide, AccessAndViewAgree) {
  for (const int count : counts) {
    expect_places<float, 6>(count);
    expect_places<double, 24>(count);
  }
}

TEST(FieldsSideBySide, IntegersOfSixteenBitsHaveScales) {
  for (const int count : counts) {
    const SideBySide<Fixed16, 6> field(count);
    const auto access = field.access();
    for (int site = 0; site < sites; ++site)
      for (int n = 0; n < count; ++n) {
        float values[6];
        for (int k = 0; k < 6; ++k) values[k] = float((k - 2) * (n + 1) * (site + 1));
        access.store(site, n, values);
      }
    for (int site = 0; site < sites; ++site)
      for (int n = 0; n < count; ++n) {
        EXPECT_EQ(field.scales(site, n), access.scale(site, n));
        const auto v = access.vector(site, n);
        for (int k = 0; k < 6; ++k) {
          const float wanted = float((k - 2) * (n + 1) * (site + 1));
          EXPECT_NEAR(field.view(site, n, k) * field.scales(site, n), wanted, 1e-4 * 3 * (n + 1) * (site + 1));
          EXPECT_EQ(access.load(site, n, k), k % 2 == 0 ? v.e[k / 2].re : v.e[k / 2].im);
        }
        if (count % 4 == 0 && n % 4 == 0) {
          Int16Pair found[4];
          load_neighbours<true>(access.at(site, n), 1, found);
          for (int m = 0; m < 4; ++m)
            EXPECT_EQ(found[m].template numbers<complex<float>>().im, float(field.view(site, n + m, 3)));
        }
      }
  }
}

TEST(FieldsSideBySide, PlacesOfSingleSites) {
  const SideBySide<double, 6> field(3);
  for (int n = 0; n < 3; ++n)
    for (int k = 0; k < 6; ++k) EXPECT_EQ(field.view.data() + place_side_by_side(k, n, 3), &field.view(0, n, k));
}

}  // namespace
}  // namespace trellis

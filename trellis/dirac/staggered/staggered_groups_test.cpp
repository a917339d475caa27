// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered_groups.hpp"

#include <gtest/gtest.h>

#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::dirac {
namespace {

using stencil::Factors;

// 2 x 2 x 2 virtual nodes of two sites in each direction, so that hops permute lanes.
constexpr Coordinate size{4, 4, 4, 8};
const LinkPhases field{.imaginary_mu = 0.37, .quanta = {1, -2, 0, 3, 1, -1}};

template <WorkItems Way, int Each, Factors Are, class T, int W>
void expect_bits_of_apply_hops(int count, int most_work_items) {
  const auto u = test::from_reference<T, W>(reference::hot_configuration(size, 11));
  const Lattice& lattice = u.lattice();
  const StaggeredLinks<T, W> links(u);
  const HopTable<T, W> table(lattice, staggered_coefficient(Are == Factors::real ? LinkPhases{} : field, size));
  ASSERT_EQ(table.real(), Are == Factors::real);
  for (const int parity : {0, 1}) {
    const ColourVectorField<T, W> in(lattice, parity, count), expected(lattice, 1 - parity, count);
    const auto found = expected.like();
    for (int n = 0; n < count; ++n) test::from_reference(reference::random_field(size, 100 + n), in, n);
    apply_hops(links, table, in, expected);
    apply_hops_by_groups<Way, Each, Are>(links, table, in, found, most_work_items);
    for (int n = 0; n < count; ++n) {
      const auto right = test::to_reference(expected, n);
      EXPECT_GT(
          std::abs(right[lattice.volume() / 2 + (1 - parity)][0]) + std::abs(right[lattice.volume() / 2 + parity][0]),
          1e-3);
      EXPECT_EQ(test::to_reference(found, n), right) << W << " lanes, vector " << n << " of " << count;
    }
  }
}

template <int Each, Factors Are>
void expect_bits_in_all_precisions(int count, int most_work_items) {
  test::for_each_lane_count(size, [&]<int W>() {
    expect_bits_of_apply_hops<WorkItems::fibers, Each, Are, double, W>(count, most_work_items);
  });
  test::for_each_lane_count<float>(size, [&]<int W>() {
    expect_bits_of_apply_hops<WorkItems::fibers, Each, Are, float, W>(count, most_work_items);
  });
}

// Groups of one tile and of several; 3 vectors do not divide the eight links of a site, 12 are more than these.
TEST(StaggeredGroups, HaveTheBitsOfTheOperator) {
  for (const int count : {3, 8, 12}) {
    expect_bits_in_all_precisions<1, Factors::real>(count, 1);
    expect_bits_in_all_precisions<1, Factors::real>(count, 256);
  }
}

TEST(StaggeredGroups, HaveTheBitsOfTheOperatorInAMagneticField) {
  expect_bits_in_all_precisions<1, Factors::complex>(5, 64);
}

TEST(StaggeredGroups, SeveralVectorsForEachWorkItem) { expect_bits_in_all_precisions<2, Factors::real>(6, 64); }

TEST(StaggeredGroups, ThreadsForWorkItems) {
  expect_bits_of_apply_hops<WorkItems::threads, 1, Factors::real, double, 1>(4, 16);
}

TEST(StaggeredGroups, AreAsLargeAsTilesWorkItemsAndMemoryAllow) {
  EXPECT_EQ(tiles_of_group(64, 16, 1000, 128), 8);
  EXPECT_EQ(tiles_of_group(60, 16, 1000, 128), 6);  // a divisor
  EXPECT_EQ(tiles_of_group(64, 256, 1000, 128), 1);
  EXPECT_EQ(tiles_of_group(64, 1, backend::largest_host_local, 64), 1);
}

TEST(StaggeredGroups, WrongFieldsAreRefused) {
  const Lattice lattice(size);
  const StaggeredLinks<double, 1> links(GaugeField<double, 1>::unit(lattice));
  const HopTable<double, 1> table(lattice, staggered_coefficient({}, size));
  const ColourVectorField<double, 1> even(lattice, 0, 2), odd(lattice, 1, 3);
  EXPECT_THROW(apply_hops_by_groups(links, table, even, even, 64), Error);
  EXPECT_THROW(apply_hops_by_groups(links, table, even, odd, 64), Error);
  const ColourVectorField<double, 1> three(lattice, 0, 3);
  EXPECT_THROW((apply_hops_by_groups<WorkItems::fibers, 2>(links, table, odd, three, 64)), Error);
}

}  // namespace
}  // namespace trellis::dirac

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Compared with the explicit formula, using the oracle's matrices, link by link.
#include "trellis/gauge/smearing/spatial_stout.hpp"

#include <gtest/gtest.h>

#include "tests/support/boundary_links.hpp"
#include "tests/support/reference_links.hpp"

namespace trellis::gauge {
namespace {

reference::GaugeConfiguration naive(reference::GaugeConfiguration u, double rho, int steps) {
  using namespace reference;
  for (int step = 0; step < steps; ++step) {
    const GaugeConfiguration before = u;
    for (int n = 0; n < u.volume(); ++n)
      for (int i = 0; i < 3; ++i) {
        const Site x = u.site(n);
        reference::Matrix v = zero_matrix();
        for (int j = 0; j < 3; ++j) {
          if (j == i) continue;
          const Site down = shift(x, j, -1);
          v = v + before.link(x, j) * before.link(shift(x, j), i) * adjoint(before.link(shift(x, i), j)) +
              adjoint(before.link(down, j)) * before.link(down, i) * before.link(shift(down, i), j);
        }
        u.link(x, i) =
            exponential(Complex(rho) * traceless_antihermitian(v * adjoint(before.link(x, i)))) * before.link(x, i);
      }
  }
  return u;
}

TEST(SpatialStout, IsTheFormula) {
  const reference::Site size{4, 2, 6, 4};
  const auto u = reference::hot_configuration(size, 11);
  test::for_each_lane_count(size, [&]<int W>() {
    const auto links = test::from_reference<double, W>(u);
    for (const int steps : {1, 2, 3})
      EXPECT_LT(test::distance(test::to_reference(spatial_stout(0.12, steps, links)), naive(u, 0.12, steps)), 1e-13);
    EXPECT_EQ(test::distance(test::to_reference(links), u), 0);  // the input is unchanged
    EXPECT_EQ(test::distance(test::to_reference(spatial_stout(0.12, 0, links)), u), 0);
  });
}

TEST(SpatialStout, LinksInTimeStay) {
  const reference::Site size{4, 4, 4, 4};
  const auto u = reference::hot_configuration(size, 12);
  const auto smeared = test::to_reference(spatial_stout(0.1, 3, test::from_reference<double, 1>(u)));
  double moved = 0;
  for (int n = 0; n < u.volume(); ++n) {
    EXPECT_EQ(u.links[4 * n + 3], smeared.links[4 * n + 3]);
    moved += reference::distance(u.links[4 * n], smeared.links[4 * n]);
  }
  EXPECT_GT(moved, 1);
}

// The formula, step by step, but for the links on the first and the last slice and beyond. Open boundaries have none
// that are fixed.
TEST(SpatialStout, FixedLinksStay) {
  const reference::Site size{4, 2, 2, 6};
  for (const auto& boundary :
       {test::open_boundary, test::schroedinger_functional(4), test::schroedinger_functional(5)}) {
    const auto u = test::with_boundary(reference::hot_configuration(size, 13), boundary);
    auto wanted = u;
    for (int step = 0; step < 2; ++step) wanted = test::with_boundary(naive(wanted, 0.12, 1), boundary);
    test::for_each_lane_count(size, [&]<int W>() {
      const auto smeared = test::to_reference(spatial_stout(0.12, 2, test::from_reference<double, W>(u), boundary));
      EXPECT_LT(test::distance(smeared, wanted), 1e-13);
      double moved = 0;
      for (int n = 0; n < u.volume(); ++n)
        for (int mu = 0; mu < 4; ++mu) {
          const auto k = std::size_t(4 * n + mu);
          const int t = u.site(n)[3];
          const bool fixed = mu == 3 || (boundary.extent > 0 && (t == 0 || t >= boundary.extent));
          if (fixed)
            EXPECT_EQ(smeared.links[k], u.links[k]) << t << " " << mu;
          else
            moved += reference::distance(smeared.links[k], u.links[k]);
        }
      EXPECT_GT(moved, 1);
    });
  }
}

TEST(SpatialStout, BadParametersAreRefused) {
  const auto u = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 2}));
  EXPECT_THROW(spatial_stout(-0.1, 1, u), InputError);
  EXPECT_THROW(spatial_stout(0.6, 1, u), InputError);
  EXPECT_THROW(spatial_stout(0.1, -1, u), InputError);
}

}  // namespace
}  // namespace trellis::gauge

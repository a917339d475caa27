// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The hopping term against the oracle: precisions, lanes, link formats, signs, parities, phases, several vectors.
#include "trellis/dirac/wilson/wilson.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/wilson.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_spinors.hpp"

namespace trellis::dirac {
namespace {

using reference::SiteParity;
using test::from_reference;
using test::largest;
using test::to_reference;

constexpr Coordinate odd_shape{2, 4, 6, 8}, small{4, 4, 4, 4};
const HopWeights periodic{1, {0, 0, 0, 0}};
const HopWeights twisted{0.83, {0.2, -0.7, 1, 0.5}};

reference::WilsonMatrix oracle(const Coordinate& size, const HopWeights& weights) {
  return {reference::hot_configuration(size, 17),
          {.spatial_hopping = weights.spatial, .boundary_angle_over_pi = weights.boundary_angle_over_pi}};
}

// The largest error of D and its adjoint on both parities, in units of the largest number of the result.
template <class T, int W>
double worst_error(const reference::WilsonMatrix& m, const HopWeights& weights, LinkFormat format, int count,
                   const HopSettings& settings = {}) {
  const auto u = from_reference<arithmetic_t<T>, W>(m.links);
  const WilsonLinks<T, W> links(u, format, weights);
  double worst = 0;
  for (const int parity : {0, 1}) {
    const SpinorField<T, W> in(u.lattice(), 1 - parity, count), out(u.lattice(), parity, count);
    for (int n = 0; n < count; ++n)
      from_reference(reference::random_spinors(m.links.size, 40 + std::uint64_t(n)), in, n);
    for (const HopSign sign : {HopSign::plain, HopSign::adjoint}) {
      wilson_hops(links, in, out, sign, settings);
      for (int n = 0; n < count; ++n) {
        const auto psi = to_reference(in, n);
        const auto expected = part(m.links.size, sign == HopSign::plain ? apply_d(m, psi) : apply_d_adjoint(m, psi),
                                   parity == 0 ? SiteParity::even : SiteParity::odd);
        worst = std::max(worst, largest(to_reference(out, n) - expected) / largest(expected));
      }
    }
  }
  return worst;
}

constexpr double double_rounding = 3e-15, single_rounding = 2e-6;

TEST(WilsonHops, AreThoseOfTheOracleForAllLanesFormatsAndWeights) {
  for (const HopWeights& weights : {periodic, HopWeights{}, twisted}) {
    const auto m = oracle(odd_shape, weights);
    test::for_each_lane_count(odd_shape, [&]<int W>() {
      for (const LinkFormat format : {LinkFormat::full, LinkFormat::two_rows, LinkFormat::minimal}) {
        // Eight numbers lose precision where |u_00|^2 + |u_01|^2 is small.
        const double loss = format == LinkFormat::minimal ? 1e3 : 1;
        EXPECT_LT((worst_error<double, W>(m, weights, format, 1)), loss * double_rounding) << W << ' ' << int(format);
        EXPECT_LT((worst_error<float, W>(m, weights, format, 1)), loss * single_rounding) << W << ' ' << int(format);
      }
    });
  }
}

TEST(WilsonHops, OnALatticeForMoreLanes) {
  const auto m = oracle(small, twisted);
  test::for_each_lane_count(small, [&]<int W>() {
    EXPECT_LT((worst_error<double, W>(m, twisted, LinkFormat::two_rows, 1)), double_rounding) << W;
    EXPECT_LT((worst_error<float, W>(m, twisted, LinkFormat::full, 1)), single_rounding) << W;
  });
}

TEST(WilsonHops, SeveralVectorsAreEachWhatTheyAreAlone) {
  const auto m = oracle(small, twisted);
  test::for_each_lane_count(small, [&]<int W>() {
    EXPECT_LT((worst_error<double, W>(m, twisted, LinkFormat::full, 3)), double_rounding) << W;
    EXPECT_LT((worst_error<float, W>(m, twisted, LinkFormat::two_rows, 3)), single_rounding) << W;
  });
}

// A component of a spinor changes by at most scale / 2 in rounding, a link by at most 2^-16.
TEST(WilsonHops, SixteenBitsKeepTheirBound) {
  const auto m = oracle(small, twisted);
  test::for_each_lane_count(small, [&]<int W>() {
    EXPECT_LT((worst_error<Fixed16, W>(m, twisted, LinkFormat::full, 1)), 1e-4) << W;
    EXPECT_LT((worst_error<Fixed16, W>(m, twisted, LinkFormat::two_rows, 2)), 1e-4) << W;
    const Lattice lattice(small, W);
    EXPECT_THROW((WilsonLinks<Fixed16, W>(lattice, LinkFormat::minimal)), InputError);
  });
}

template <class T, int W>
reference::SpinorField result(const reference::GaugeConfiguration& c, const LatticeShape& shape,
                              const HopSettings& settings, int count) {
  const Lattice lattice(c.size, W, SiteOrder::even_odd, shape);
  const auto plain = from_reference<T, W>(c);
  const GaugeField<T, W> u(lattice);
  for (std::int64_t n = 0; n < lattice.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      const Coordinate x = lattice.coordinate(n);
      u.set_link(x, mu, plain.link(x, mu));
    }
  const WilsonLinks<T, W> links(u, LinkFormat::two_rows, twisted);
  const SpinorField<T, W> in(lattice, 1, count), out(lattice, 0, count);
  for (int n = 0; n < count; ++n) from_reference(reference::random_spinors(c.size, 7), in, n);
  wilson_hops(links, in, out, HopSign::plain, settings);
  return to_reference(out, count - 1);
}

// The lattice's shape, prefetching and the kind of stores move numbers around, and change none.
TEST(WilsonHops, BitsDependOnNothingThatIsTuned) {
  const Coordinate size{8, 8, 8, 8};
  const auto c = reference::hot_configuration(size, 5);
  const auto expected = result<double, 1>(c, {}, {}, 1);
  const auto expect_same = [&](const reference::SpinorField& f) { EXPECT_EQ(largest(f - expected), 0); };
  for (const HopSettings& settings : {HopSettings{{8, 4, 0}, {0, 1, 0}, Stores::streaming, true},
                                      HopSettings{{0, 0, 2}, {3, 0, 2}, Stores::cached, true}}) {
    expect_same(result<double, 1>(c, {{}, {2, 8}}, settings, 1));
    test::for_each_lane_count(size, [&]<int W>() {
      expect_same(result<double, W>(c, {}, settings, 1));
      expect_same(result<double, W>(c, {{}, {1, 2}}, settings, 3));
      if (W == 4) expect_same(result<double, W>(c, {{2, 2, 1, 1}, {}}, settings, 1));
      if (W == 8) expect_same(result<double, W>(c, {{1, 2, 1, 4}, {}}, settings, 1));
    });
  }
}

TEST(WilsonHops, WhatDoesNotFitIsRefused) {
  const Lattice lattice(small), other(odd_shape);
  const WilsonLinks<double, 1> links(lattice, LinkFormat::full);
  const SpinorField<double, 1> even(lattice, 0), odd(lattice, 1), two(lattice, 1, 2), elsewhere(other, 1);
  EXPECT_THROW(wilson_hops(links, even, even), Error);
  EXPECT_THROW(wilson_hops(links, two, even), Error);
  EXPECT_THROW(wilson_hops(links, elsewhere, even), Error);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((WilsonLinks<double, 1>(lattice, LinkFormat::full, {0, {}})), InputError);
  EXPECT_THROW((WilsonLinks<double, 1>(lattice, LinkFormat::full, {1, {0, nan, 0, 0}})), InputError);
  EXPECT_THROW(Lattice({8, 8, 8, 8}, 4, SiteOrder::even_odd, {{4, 1, 1, 2}, {}}), InputError);
  EXPECT_THROW(Lattice({8, 8, 8, 8}, 8, SiteOrder::even_odd, {{8, 1, 1, 1}, {}}), InputError);
  EXPECT_THROW(Lattice({8, 8, 8, 8}, 1, SiteOrder::even_odd, {{}, {3, 1}}), InputError);
}

}  // namespace
}  // namespace trellis::dirac

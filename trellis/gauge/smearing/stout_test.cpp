// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/stout.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/numerical_derivative.hpp"
#include "reference/stout.hpp"
#include "tests/support/linear_function.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::from_reference;
using test::linear_function;
using test::random_matrices;
using test::to_reference;

template <class T, int W>
AlgebraField<T, W> stout_force(const StoutParameters& parameters, const reference::GaugeConfiguration& a,
                               const GaugeField<T, W>& u) {
  const StoutLinks<T, W> stout(parameters, u.lattice());
  stout.smear(u);
  const AlgebraField<T, W> p(u.lattice());
  stout.add_force(from_reference<T, W>(a), 1.0, p);
  return p;
}

TEST(Stout, AgreesWithReference) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{2, 2, 2, 2}, Coordinate{2, 4, 2, 6}})
    for (const bool hot : {true, false}) {
      const auto c = hot ? reference::hot_configuration(size, 3) : reference::warm_configuration(size, 4, 0.3);
      for (const double rho : {0.0, 0.1, 0.15, 0.5})
        for (int levels = 0; levels <= (rho == 0.15 ? 3 : 1); ++levels) {
          const auto expected = reference::stout(c, rho, levels);
          for_each_lane_count(size, [&]<int W>() {
            const auto u = from_reference<double, W>(c);
            const StoutLinks<double, W> stout({rho, levels}, u.lattice());
            const auto& smeared = stout.smear(u);
            EXPECT_LT(test::distance(to_reference(smeared), expected), 4e-14) << W << " " << rho << " " << levels;
            EXPECT_LT(unitarity_violation(smeared), 1e-14);
            const auto single = from_reference<float, W>(c);
            const StoutLinks<float, W> single_stout({rho, levels}, single.lattice());
            EXPECT_LT(test::distance(to_reference(single_stout.smear(single)), expected), 2e-5);
          });
        }
    }
}

class StoutForce : public ::testing::TestWithParam<Coordinate> {};
INSTANTIATE_TEST_SUITE_P(Sizes, StoutForce,
                         ::testing::Values(Coordinate{4, 4, 2, 4}, Coordinate{2, 2, 2, 2}, Coordinate{2, 4, 2, 6}));

TEST_P(StoutForce, IsMinusTheNumericalDerivative) {
  const Coordinate size = GetParam();
  const auto a = random_matrices(size, 8);
  for (const bool hot : {true, false}) {
    const auto c = hot ? reference::hot_configuration(size, 5) : reference::warm_configuration(size, 6, 0.3);
    for (int levels = 0; levels <= 2; ++levels) {
      const double rho = hot ? 0.08 : 0.15;
      const auto p = stout_force<double, 1>({rho, levels}, a, from_reference<double, 1>(c));
      const auto f = [&](const reference::GaugeConfiguration& v) {
        return linear_function(a, reference::stout(v, rho, levels));
      };
      for (const int mu : {0, 3}) {
        const Coordinate x = p.lattice().coordinate(p.lattice().volume() / 3 + mu);
        double scale = 0;
        const auto found = p.at(x, mu);
        for (const double v : found) scale = std::max(scale, std::abs(v));
        for (int k = mu; k < 8; k += 4) {
          // One step of Richardson extrapolation of the fourth-order differences.
          const double wide = reference::numerical_derivative(f, c, x, mu, k, 8e-3),
                       narrow = reference::numerical_derivative(f, c, x, mu, k, 4e-3);
          EXPECT_NEAR(found[k], -(16 * narrow - wide) / 15, 1e-9 * scale) << hot << " " << levels << " " << k;
        }
      }
    }
  }
}

TEST(Stout, EqualEigenvaluesAndUnitLinks) {
  // All links are equal and commute: X vanishes, every level is the links themselves and the force sums derivatives.
  const Lattice lattice({4, 4, 4, 4});
  const auto u = GaugeField<double, 1>::unit(lattice);
  const auto a = random_matrices(lattice.size(), 2);
  const StoutLinks<double, 1> stout({0.12, 2}, lattice);
  EXPECT_EQ(to_reference(stout.smear(u)).links, to_reference(u).links);
  const auto p = stout_force<double, 1>({0.12, 2}, a, u);
  const auto f = [&](const reference::GaugeConfiguration& v) {
    return linear_function(a, reference::stout(v, 0.12, 2));
  };
  const Coordinate x{1, 0, 3, 2};
  for (const int k : {0, 7}) {
    const double d = reference::numerical_derivative(f, to_reference(u), x, 1, k);
    EXPECT_NEAR(p.at(x, 1)[k], -d, 1e-8);
  }
}

TEST(Stout, IsGaugeCovariant) {
  const auto c = reference::hot_configuration({4, 4, 4, 4}, 9);
  const auto u = from_reference<double, test::wide>(c);
  const RandomStream stream{4, 0, gauge_transformation_purpose};
  const StoutLinks<double, test::wide> stout({0.11, 2}, u.lattice());
  const auto smeared = stout.smear(u).clone();
  random_gauge_transformation(stream, smeared);
  random_gauge_transformation(stream, u);
  EXPECT_LT(test::distance(to_reference(stout.smear(u)), to_reference(smeared)), 1e-13);
}

TEST(Stout, ForceOfSinglePrecisionIsNear) {
  const Coordinate size{4, 4, 4, 4};
  const auto c = reference::warm_configuration(size, 6, 0.4);
  const auto a = random_matrices(size, 3);
  const auto expected = stout_force<double, 1>({0.1, 2}, a, from_reference<double, 1>(c));
  const auto found = stout_force<float, 1>({0.1, 2}, a, from_reference<float, 1>(c));
  for (std::int64_t n = 0; n < expected.lattice().volume(); n += 17)
    for (int k = 0; k < 8; ++k) {
      const Coordinate x = expected.lattice().coordinate(n);
      EXPECT_NEAR(found.at(x, 2)[k], expected.at(x, 2)[k], 2e-5);
    }
}

TEST(Stout, BitsDoNotDependOnLanesOrThreads) {
  const Coordinate size{8, 4, 4, 4};
  const auto c = reference::hot_configuration(size, 12);
  const auto a = random_matrices(size, 13);
  const StoutParameters parameters{0.13, 2};
  const int threads_before = concurrency();
  const auto check = [&]<class T>(T) {
    set_thread_count(1);
    const auto one = from_reference<T, 1>(c);
    const auto links = to_reference(StoutLinks<T, 1>(parameters, one.lattice()).smear(one));
    const auto force = stout_force(parameters, a, one);
    for (const int threads : {1, 3})
      for_each_lane_count(size, [&]<int W>() {
        set_thread_count(threads);
        const auto u = from_reference<T, W>(c);
        const StoutLinks<T, W> stout(parameters, u.lattice());
        EXPECT_EQ(to_reference(stout.smear(u)).links, links.links) << W << " lanes, " << threads << " threads";
        const auto p = stout_force(parameters, a, u);
        for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
          for (int mu = 0; mu < 4; ++mu) {
            const Coordinate x = u.lattice().coordinate(n);
            ASSERT_EQ(p.at(x, mu), force.at(x, mu)) << W << " lanes, " << threads << " threads";
          }
      });
  };
  check(1.0);
  check(1.0f);
  set_thread_count(threads_before);
}

TEST(Stout, SmearsAgainOnlyWhenLinksHaveChanged) {
  const auto c = reference::hot_configuration({2, 2, 2, 4}, 1);
  const auto u = from_reference<double, 1>(c);
  const StoutLinks<double, 1> stout({0.1, 1}, u.lattice());
  const auto& smeared = stout.smear(u);
  const Coordinate x{1, 0, 1, 2};
  const auto right = smeared.link(x, 1);
  auto wrong = right;
  wrong[3] += 1;
  smeared.set_link(x, 1, wrong);
  const StoutLinks<double, 1> copy = stout;
  EXPECT_EQ(copy.smear(u.clone()).link(x, 1), wrong);  // the same bits: not smeared again
  auto moved = u.link({0, 0, 0, 0}, 0);
  moved[0] += 1e-16 * (moved[0] < 0.5 ? 1 : 2) + 1e-15;
  u.set_link({0, 0, 0, 0}, 0, moved);
  const auto again = stout.smear(u).link(x, 1);
  for (int k = 0; k < 18; ++k) EXPECT_NEAR(again[k], right[k], 1e-14);
}

TEST(Stout, InPlaceItIsTheSame) {
  const auto u = from_reference<double, test::wide>(reference::hot_configuration({4, 4, 4, 4}, 7));
  const StoutLinks<double, test::wide> stout({0.1, 3}, u.lattice());
  const auto links = to_reference(stout.smear(u));
  stout_steps(0.1, 3, u);
  EXPECT_EQ(to_reference(u).links, links.links);
  EXPECT_THROW(stout_steps(0.1, -1, u), InputError);
  EXPECT_THROW(stout_steps(0.6, 1, u), InputError);
}

TEST(Stout, NoLevelsAreTheLinksThemselves) {
  const auto u = from_reference<double, 1>(reference::hot_configuration({2, 2, 2, 2}, 1));
  const StoutLinks<double, 1> stout({0.15, 0}, u.lattice());
  EXPECT_EQ(stout.smear(u).view().data(), u.view().data());
}

TEST(Stout, ParametersOutOfRangeAreErrors) {
  const Lattice lattice({2, 2, 2, 2});
  for (const StoutParameters& bad :
       {StoutParameters{-0.1, 1}, StoutParameters{0.51, 1}, StoutParameters{std::nan(""), 1}, StoutParameters{0.1, -1}})
    EXPECT_THROW((StoutLinks<double, 1>(bad, lattice)), InputError);
  const StoutLinks<double, 1> unused({0.1, 1}, lattice);
  EXPECT_THROW(unused.add_force(GaugeField<double, 1>(lattice), 1.0, AlgebraField<double, 1>(lattice)), Error);
}

}  // namespace
}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/one_level_links.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "reference/hisq.hpp"
#include "tests/support/improved_links.hpp"
#include "tests/support/linear_function.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using reference::GaugeConfiguration;
using test::for_each_lane_count;
using test::from_reference;
using test::linear_function;
using test::to_reference;

reference::PathCoefficients plain(const ImprovedCoefficients& c) {
  return {c.fat.one_link, c.fat.three_links, c.fat.five_links, c.fat.seven_links, c.fat.lepage, c.naik};
}

const std::vector<std::pair<const char*, ImprovedCoefficients>> kinds{
    {"asqtad", asqtad_coefficients(0.87)},
    {"naik", naik_coefficients(0.9)},
    {"fat7", fat7_coefficients},
    {"second level", hisq_coefficients},
    {"all different", {{0.7, 0.11, -0.05, 0.03, 0.017}, 0.2}}};

// For the frames of tests.
struct MakeOneLevel {
  ImprovedCoefficients coefficients = asqtad_coefficients(0.9);
  template <class T, int W>
  OneLevelLinks<T, W> operator()(const Lattice& lattice) const {
    return OneLevelLinks<T, W>(coefficients, lattice);
  }
};

TEST(ImprovedLinks, AreSumsOfAllPaths) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{2, 2, 2, 2}, Coordinate{2, 4, 2, 6}}) {
    const auto c = reference::hot_configuration(size, 3);
    for (const auto& [name, coefficients] : kinds) {
      const auto expected = reference::fat_links(c, plain(coefficients)),
                 far = reference::three_step_links(c, plain(coefficients));
      const auto check = [&]<class T, int W>(double limit) {
        const auto u = from_reference<T, W>(c);
        const OneLevelLinks<T, W> links(coefficients, u.lattice());
        EXPECT_LT(test::distance(to_reference(links.smear(u)), expected), limit) << name << " " << W;
        ASSERT_EQ(links.long_links() != nullptr, coefficients.naik != 0);
        if (links.long_links() == nullptr) return;
        EXPECT_LT(test::distance(to_reference(links.long_links()->three_steps), far), limit) << name << " " << W;
        EXPECT_EQ(links.long_links()->one_step.view().data(), u.view().data());
      };
      for_each_lane_count(size, [&]<int W>() {
        check.template operator()<double, W>(1e-14);
        check.template operator()<float, W>(1e-5);
      });
    }
  }
}

TEST(ImprovedLinks, HaveTheCoefficientsOfTheOracle) {
  const auto numbers = [](const reference::PathCoefficients& c) {
    return std::vector{c.one, c.three, c.five, c.seven, c.lepage, c.naik};
  };
  const auto check = [&](const ImprovedCoefficients& c, const reference::PathCoefficients& expected) {
    for (std::size_t k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(numbers(plain(c))[k], numbers(expected)[k]) << k;
  };
  check(fat7_coefficients, reference::fat7_paths());
  check(hisq_coefficients, reference::hisq_second_level_paths());
  check(asqtad_coefficients(0.87), reference::asqtad_paths(0.87));
  check(naik_coefficients(1), reference::naik_paths());
}

TEST(ImprovedLinks, OfUnitLinksAreTheirCoefficients) {
  const auto u = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 4}));
  const auto check = [&](const ImprovedCoefficients& c, double one, double three) {
    const OneLevelLinks<double, 1> links(c, u.lattice());
    const auto fat = links.smear(u).link({1, 2, 3, 0}, 2);
    for (int k = 0; k < 18; ++k) EXPECT_NEAR(fat[std::size_t(k)], k % 8 == 0 ? one : 0, 1e-15);
    if (three == 0) return;
    EXPECT_NEAR(links.long_links()->three_steps.link({1, 2, 3, 0}, 1)[8], three, 1e-16);
  };
  // D of a plane wave is that of the continuum up to the fifth power of its momentum.
  check(asqtad_coefficients(1), 9.0 / 8, -1.0 / 24);
  check(naik_coefficients(1), 9.0 / 8, -1.0 / 24);
  check(hisq_coefficients, 9.0 / 8, -1.0 / 24);
  check(fat7_coefficients, 1, 0);
}

TEST(ImprovedLinks, ForceIsMinusTheNumericalDerivative) {
  for (const Coordinate& size : {Coordinate{4, 4, 2, 4}, Coordinate{2, 2, 2, 2}}) {
    const auto c = reference::hot_configuration(size, 5);
    const test::LinkDerivatives by(size, 8);
    for (const auto& [name, coefficients] : kinds) {
      const auto f = [&](const GaugeConfiguration& v) {
        double sum = linear_function(by.by_fat, reference::fat_links(v, plain(coefficients)));
        if (coefficients.naik != 0)
          sum += linear_function(by.by_far, reference::three_step_links(v, plain(coefficients))) +
                 linear_function(by.by_one_step, v);
        return sum;
      };
      const auto u = from_reference<double, 1>(c);
      const auto p = test::force_of(OneLevelLinks<double, 1>(coefficients, u.lattice()), by, u);
      for (const int mu : {0, 3})
        for (int k = mu; k < 8; k += 4) test::expect_minus_derivative(p, f, c, mu, k, 4e-3, 1e-9, name);
    }
  }
}

TEST(ImprovedLinks, AreGaugeCovariant) {
  const auto u = from_reference<double, test::wide>(reference::hot_configuration({4, 4, 4, 4}, 9));
  const RandomStream stream{4, 0, gauge_transformation_purpose};
  const OneLevelLinks<double, test::wide> links(asqtad_coefficients(0.9), u.lattice());
  const auto fat = links.smear(u).clone();
  random_gauge_transformation(stream, fat);
  random_gauge_transformation(stream, u);
  EXPECT_LT(test::distance(to_reference(links.smear(u)), to_reference(fat)), 1e-13);
}

TEST(ImprovedLinks, ForceOfSinglePrecisionIsNear) {
  const Coordinate size{4, 4, 4, 4};
  test::expect_single_precision_near(reference::hot_configuration(size, 6), {size, 3}, MakeOneLevel{}, 2e-5);
}

TEST(ImprovedLinks, BitsDoNotDependOnLanesOrThreads) {
  const Coordinate size{8, 4, 4, 4};
  const auto c = reference::hot_configuration(size, 12);
  test::expect_same_bits<double>(c, {size, 3}, MakeOneLevel{});
  test::expect_same_bits<float>(c, {size, 3}, MakeOneLevel{});
}

TEST(ImprovedLinks, SmearAgainOnlyWhenLinksHaveChanged) {
  const auto u = from_reference<double, 1>(reference::hot_configuration({2, 2, 2, 4}, 1));
  const OneLevelLinks<double, 1> links(asqtad_coefficients(1), u.lattice());
  const auto& fat = links.smear(u);
  const Coordinate x{1, 0, 1, 2};
  const auto right = fat.link(x, 1);
  auto wrong = right;
  wrong[3] += 1;
  fat.set_link(x, 1, wrong);
  EXPECT_EQ(links.smear(u.clone()).link(x, 1), wrong);  // the same bits: not smeared again
  links.forget();
  EXPECT_EQ(links.smear(u).link(x, 1), right);
  fat.set_link(x, 1, wrong);
  auto moved = u.link({0, 0, 0, 0}, 0);
  moved[0] += 1e-15;
  u.set_link({0, 0, 0, 0}, 0, moved);
  const auto again = links.smear(u).link(x, 1);
  for (std::size_t k = 0; k < 18; ++k) EXPECT_NEAR(again[k], right[k], 1e-14);
}

TEST(ImprovedLinks, ForcesThatCannotBeAreErrors) {
  const Lattice lattice({2, 2, 2, 2});
  const AlgebraField<double, 1> p(lattice);
  const GaugeField<double, 1> by(lattice);
  const OneLevelLinks<double, 1> unused(asqtad_coefficients(1), lattice), fat7(fat7_coefficients, lattice);
  EXPECT_THROW(unused.add_force(by, 1.0, p), Error);
  fat7.smear(GaugeField<double, 1>::unit(lattice));
  EXPECT_THROW(fat7.add_force_with_long(by, {by, by}, 1.0, p), Error);
  EXPECT_EQ(fat7.long_links(), nullptr);
}

TEST(ImprovedLinks, AreInTheTableOfSmearings) {
  const Lattice lattice({2, 2, 2, 2});
  const auto u = from_reference<double, 1>(reference::hot_configuration(lattice.size(), 1));
  const auto check = [&](const SmearingParameters& parameters, const ImprovedCoefficients& coefficients) {
    const auto links = smeared_links<1>(parameters, lattice);
    const OneLevelLinks<double, 1> expected(coefficients, lattice);
    EXPECT_EQ(to_reference(links->smear(u)).links, to_reference(expected.smear(u)).links) << parameters.kind;
    EXPECT_FALSE(links->in_su3());
    for (const Smearing& smearing : smearings()) {
      if (smearing.name != parameters.kind) continue;
      EXPECT_FALSE(smearing.in_su3);
      EXPECT_EQ(smearing.long_links, links->long_links() != nullptr);
    }
  };
  check({"asqtad", {{"u0", 0.86}}}, asqtad_coefficients(0.86));
  check({"naik", {}}, naik_coefficients(1));
  check({"fat7", {}}, fat7_coefficients);
  EXPECT_THROW(complete({"asqtad", {{"u0", 0.05}}}), InputError);
  EXPECT_THROW(complete({"fat7", {{"u0", 1}}}), InputError);
}

}  // namespace
}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/projected.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "reference/projected_smearing.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::gauge {
namespace {

const reference::Site projected_size{4, 2, 4, 4};

// Sums of hot links may be nearly singular, which magnifies rounding errors.
reference::GaugeConfiguration projected_links() { return reference::warm_configuration(projected_size, 11, 0.4); }

TEST(ProjectedSmearing, ApeIsTheFormula) {
  const auto u = projected_links();
  const auto once = reference::ape(u, 0.6), thrice = reference::ape(u, 0.3, 3),
             in_space = reference::spatial_ape(u, 0.7, 2);
  test::for_each_lane_count(projected_size, [&]<int W>() {
    const auto links = test::from_reference<double, W>(u);
    EXPECT_LT(test::distance(test::to_reference(ape_smeared({4, 0.6, 1}, links)), once), 1e-13);
    EXPECT_LT(test::distance(test::to_reference(ape_smeared({4, 0.3, 3}, links)), thrice), 1e-13);
    EXPECT_LT(test::distance(test::to_reference(ape_smeared({3, 0.7, 2}, links)), in_space), 1e-13);
    EXPECT_EQ(test::distance(test::to_reference(links), u), 0);  // the input is unchanged
    EXPECT_EQ(test::distance(test::to_reference(ape_smeared({4, 0.3, 0}, links)), u), 0);
  });
}

TEST(ProjectedSmearing, HypIsTheFormula) {
  const auto u = projected_links();
  const auto once = reference::hyp(u), twice = reference::hyp(u, 0.7, 0.5, 0.4, 2),
             in_space = reference::spatial_hyp(u, 0.6, 0.3, 2);
  test::for_each_lane_count(projected_size, [&]<int W>() {
    const auto links = test::from_reference<double, W>(u);
    EXPECT_LT(test::distance(test::to_reference(hyp_smeared({}, links)), once), 1e-13);
    EXPECT_LT(test::distance(test::to_reference(hyp_smeared({4, {0.7, 0.5, 0.4}, 2}, links)), twice), 1e-13);
    EXPECT_LT(test::distance(test::to_reference(hyp_smeared({3, {0.6, 0.3, 0}, 2}, links)), in_space), 1e-13);
    EXPECT_EQ(test::distance(test::to_reference(links), u), 0);
    EXPECT_EQ(test::distance(test::to_reference(hyp_smeared({.levels = 0}, links)), u), 0);
  });
}

// The table makes the same links, keeps them while the thin ones stay, and has no force.
TEST(ProjectedSmearing, AreInTheTable) {
  const auto u = test::from_reference<double, 1>(projected_links());
  const auto ape = smeared_links<1>({"ape", {{"alpha", 0.6}}}, u.lattice());
  const auto hyp = smeared_links<1>({"hyp", {{"levels", 2}, {"dimensions", 3}}}, u.lattice());
  EXPECT_EQ(test::distance(test::to_reference(ape->smear(u)), test::to_reference(ape_smeared({4, 0.6, 1}, u))), 0);
  EXPECT_EQ(test::distance(test::to_reference(hyp->smear(u)),
                           test::to_reference(hyp_smeared({.dimensions = 3, .levels = 2}, u))),
            0);
  const auto* kept = ape->smear(u).view().data();
  EXPECT_EQ(ape->smear(u).view().data(), kept);
  const auto other = test::from_reference<double, 1>(reference::warm_configuration(projected_size, 12, 0.4));
  EXPECT_EQ(test::distance(test::to_reference(ape->smear(other)), test::to_reference(ape_smeared({4, 0.6, 1}, other))),
            0);
  EXPECT_THROW(ape->add_force(u, 1, AlgebraField<double, 1>(u.lattice())), Error);
  EXPECT_THROW(any_smeared_links({"hyp", {}}, u.lattice(), true), InputError);
}

TEST(ProjectedSmearing, BadParametersAreRefused) {
  const auto u = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 2}));
  EXPECT_THROW(ape_smeared({4, -0.1, 1}, u), InputError);
  EXPECT_THROW(ape_smeared({4, 1.1, 1}, u), InputError);
  EXPECT_THROW(ape_smeared({2, 0.5, 1}, u), InputError);
  EXPECT_THROW(ape_smeared({4, 0.5, -1}, u), InputError);
  EXPECT_THROW(hyp_smeared({.dimensions = 5}, u), InputError);
  EXPECT_THROW(hyp_smeared({.alpha = {0.7, 0.6, 2}}, u), InputError);
  EXPECT_THROW(hyp_smeared({.levels = -1}, u), InputError);
}

// Links 1 and -1 along y, in turn: half a link and half the average of its staples in space cancel.
TEST(ProjectedSmearing, SingularSumsAreReported) {
  auto u = reference::GaugeConfiguration({2, 2, 2, 2});
  for (int n = 0; n < u.volume(); ++n)
    if ((u.site(n)[0] + u.site(n)[2]) % 2 == 1)
      for (auto& z : u.links[4 * n + 1]) z = -z;
  const auto links = test::from_reference<double, 1>(u);
  EXPECT_THROW(ape_smeared({3, 0.5, 1}, links), Error);
  EXPECT_NO_THROW(ape_smeared({3, 0.4, 1}, links));
}

// Of several the first one is named.
TEST(ProjectedSmearing, LinksThatAreNotFiniteAreNamed) {
  const auto u = GaugeField<double, 1>::unit(Lattice({4, 2, 2, 4}));
  std::array<double, 18> link{};
  link[7] = std::numeric_limits<double>::quiet_NaN();
  u.set_link({3, 1, 1, 3}, 0, link);
  link[7] = std::numeric_limits<double>::infinity();
  u.set_link({1, 1, 0, 2}, 2, link);
  u.exchange();
  for (const auto& smear : std::vector<std::function<void()>>{[&] { ape_smeared<double, 1>({}, u); },
                                                              [&] { hyp_smeared<double, 1>({}, u); }})
    try {
      smear();
      FAIL() << "they are no links";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("the link at (1, 1, 0, 2) in direction z is not finite"),
                std::string::npos)
          << error.what();
    }
}

// As from a file in single precision: smearing in space does not look at links in time.
TEST(ProjectedSmearing, LinksInTimeNeedNotBeExact) {
  auto u = reference::hot_configuration({2, 2, 2, 2}, 5);
  for (auto& z : u.links[3]) z *= 1 + 1e-7;
  const auto links = test::from_reference<double, 1>(u);
  EXPECT_NO_THROW(ape_smeared({3, 0.5, 1}, links));
  EXPECT_NO_THROW(hyp_smeared({.dimensions = 3}, links));
}

}  // namespace
}  // namespace trellis::gauge

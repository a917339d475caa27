// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Smearing and cooling with boundaries in time.
#include <gtest/gtest.h>

#include "reference/cooling.hpp"
#include "reference/projected_smearing.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/heatbath/cooling.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/projected.hpp"
#include "trellis/gauge/smearing/stout.hpp"

namespace trellis::gauge {
namespace {

using Links = reference::GaugeConfiguration;

struct Case {
  Boundary boundary;
  Links links;
  reference::TimeBoundary reference;
};

// Lanes may cut t. A Schroedinger functional has all of the slices, or one that is not used.
std::vector<Case> cases() {
  const auto with = [](Boundary boundary, const reference::Site& size, std::uint64_t seed) {
    boundary.c_g = 1.3;  // which smoothing ignores
    return Case{boundary,
                test::with_boundary(reference::warm_configuration(size, seed, 0.4), boundary),
                {boundary.kind == BoundaryKind::schroedinger_functional, boundary.last_slice(size), 1}};
  };
  return {with(test::open_boundary, {4, 2, 4, 8}, 31), with(test::open_boundary, {2, 4, 4, 4}, 32),
          with(test::schroedinger_functional(7), {4, 2, 4, 8}, 33),
          with(test::schroedinger_functional(4), {4, 4, 4, 6}, 34)};
}

void expect_untouched(const Case& c, const Links& found) {
  for (int n = 0; n < found.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu)
      if (!reference::is_variable(found.site(n), mu, c.reference)) {
        ASSERT_EQ(found.links[std::size_t(4 * n + mu)], c.links.links[std::size_t(4 * n + mu)]) << n << " " << mu;
      }
}

// smoothed(u, boundary) are these links, on any lanes the same bits, and does not touch links that are not variables.
template <class F, class G>
void expect_links(const F& expected, const G& smoothed, double tolerance = 1e-13) {
  for (const Case& c : cases()) {
    const Links links = expected(c);
    const Links alone = test::to_reference(smoothed(test::from_reference<double, 1>(c.links), c.boundary));
    EXPECT_LT(test::distance(alone, links), tolerance) << name_of(c.boundary);
    EXPECT_GT(test::distance(alone, c.links), 0.1);
    expect_untouched(c, alone);
    test::for_each_lane_count(c.links.size, [&]<int W>() {
      EXPECT_EQ(test::to_reference(smoothed(test::from_reference<double, W>(c.links), c.boundary)).links, alone.links)
          << W << " lanes";
    });
  }
}

TEST(BoundarySmoothing, Ape) {
  expect_links([](const Case& c) { return reference::ape(c.links, 0.6, 2, c.reference); },
               [](const auto& u, const Boundary& boundary) {
                 return ape_smeared({.alpha = 0.6, .levels = 2, .boundary = boundary}, u);
               });
}

TEST(BoundarySmoothing, ApeInSpace) {
  const auto expected = [](const Case& c) {
    return test::with_boundary(reference::spatial_ape(c.links, 0.6, 2), c.boundary);
  };
  expect_links(expected, [](const auto& u, const Boundary& boundary) {
    return ape_smeared({.dimensions = 3, .alpha = 0.6, .levels = 2, .boundary = boundary}, u);
  });
}

TEST(BoundarySmoothing, Hyp) {
  expect_links([](const Case& c) { return reference::hyp(c.links, 0.7, 0.5, 0.4, 2, c.reference); },
               [](const auto& u, const Boundary& boundary) {
                 return hyp_smeared({.alpha = {0.7, 0.5, 0.4}, .levels = 2, .boundary = boundary}, u);
               });
}

TEST(BoundarySmoothing, HypInSpace) {
  const auto expected = [](const Case& c) {
    return test::with_boundary(reference::spatial_hyp(c.links, 0.6, 0.3, 2), c.boundary);
  };
  expect_links(expected, [](const auto& u, const Boundary& boundary) {
    return hyp_smeared({.dimensions = 3, .alpha = {0.6, 0.3, 0}, .levels = 2, .boundary = boundary}, u);
  });
}

TEST(BoundarySmoothing, Stout) {
  expect_links([](const Case& c) { return test::stout_with_boundary(c.links, 0.1, 3, c.boundary); },
               [](const auto& u, const Boundary& boundary) {
                 stout_steps(0.1, 3, u, boundary);
                 return u;
               });
}

TEST(BoundarySmoothing, Cooling) {
  const auto expected = [](const Case& c) {
    return reference::cool(reference::cool(c.links, c.reference), c.reference);
  };
  const auto cooled = [](const auto& u, const Boundary& boundary) {
    for (int k = 0; k < 2; ++k) cooling_step(u, boundary);
    return u;
  };
  expect_links(expected, cooled, 1e-11);
}

TEST(BoundarySmoothing, CoolingLowersTheActionOfTreeLevel) {
  for (const Case& c : cases()) {
    const auto u = test::from_reference<double, test::wide>(c.links);
    Boundary boundary = c.boundary;
    boundary.c_g = 1;
    double before = action(Action{6, 0}, boundary, u);
    for (int step = 0; step < 10; ++step) {
      cooling_step(u, c.boundary);
      const double after = action(Action{6, 0}, boundary, u);
      EXPECT_LT(after, before) << step;
      before = after;
    }
  }
}

// Of what does not converge, as cooling does. All sites of an open lattice may be transformed.
TEST(BoundarySmoothing, SmearingIsGaugeCovariant) {
  const Case c = cases()[0];
  const auto g = reference::random_transformation(c.links.size, 5);
  const auto smeared = [&](const Links& links, int which) {
    const auto u = test::from_reference<double, test::wide>(links);
    if (which == 0) return test::to_reference(ape_smeared({.alpha = 0.6, .levels = 2, .boundary = c.boundary}, u));
    if (which == 1) return test::to_reference(hyp_smeared({.levels = 1, .boundary = c.boundary}, u));
    stout_steps(0.1, 2, u, c.boundary);
    return test::to_reference(u);
  };
  for (int which = 0; which < 3; ++which)
    EXPECT_LT(test::distance(smeared(reference::gauge_transform(c.links, g), which),
                             reference::gauge_transform(smeared(c.links, which), g)),
              1e-13)
        << which;
}

}  // namespace
}  // namespace trellis::gauge

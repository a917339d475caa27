// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/loops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "reference/loops.hpp"
#include "reference/read_files.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::from_reference;
const std::string data = TRELLIS_TEST_DATA;

TEST(Loops, OfNoLinksAreErrors) {
  const GaugeField<double, 1> none;
  const std::string why = "a gauge field without a lattice: it was made without arguments and is empty";
  EXPECT_EQ(test::message_of([&] { plaquette(none); }), why);
  EXPECT_EQ(test::message_of([&] { rectangle(none); }), why);
  EXPECT_EQ(test::message_of([&] { polyakov_loop(none, 3); }), why);
  EXPECT_EQ(test::message_of([&] { link_trace(none); }), why);
}

class LoopShapes : public ::testing::TestWithParam<Coordinate> {};
INSTANTIATE_TEST_SUITE_P(Sizes, LoopShapes,
                         ::testing::Values(Coordinate{4, 4, 4, 4}, Coordinate{2, 4, 6, 8}, Coordinate{8, 2, 4, 4},
                                           Coordinate{2, 2, 2, 2}, Coordinate{2, 2, 4, 16}, Coordinate{6, 6, 2, 10}));

TEST_P(LoopShapes, AgreeWithReference) {
  const auto c = reference::hot_configuration(GetParam(), 11);
  for (const SiteOrder order : {SiteOrder::even_odd, SiteOrder::lexicographic})
    for_each_lane_count(GetParam(), [&]<int W>() {
      const auto u = from_reference<double, W>(c, order);
      EXPECT_NEAR(rectangle(u), reference::rectangle(c), 1e-15) << W;
      EXPECT_NEAR(link_trace(u), reference::link_trace(c), 1e-15) << W;
      EXPECT_LT(unitarity_violation(u), 1e-14) << W;
      for (int mu = 0; mu < 4; ++mu)
        EXPECT_LT(std::abs(polyakov_loop(u, mu) - reference::polyakov_loop(c, mu)), 1e-15) << W << " " << mu;
      const auto single = from_reference<float, W>(c, order);
      EXPECT_NEAR(rectangle(single), reference::rectangle(c), 1e-7) << W;
      EXPECT_LT(std::abs(polyakov_loop(single) - reference::polyakov_loop(c)), 1e-6) << W;
    });
}

TEST(Loops, OfPublishedConfigurations) {
  struct Known {
    std::string file;
    double plaquette, spatial, temporal, link, rectangle;
    std::complex<double> polyakov;
  };
  for (const Known& known : {Known{"/milc/lat.sample.l4448",
                                   0.569055724369,
                                   0.5745827603,
                                   0.5635286885,
                                   0.0692165901,
                                   0.350194842726,
                                   {0.00076656, 0.00055879}},
                             Known{"/milc/lat.sample.l4444",
                                   0.594850158947,
                                   0.5982250520,
                                   0.5914752659,
                                   0.6467587374,
                                   0.399122847047,
                                   {0.43123036, -0.00081776}}}) {
    const auto c = reference::read_milc(data + known.file);
    for_each_lane_count(c.size, [&]<int W>() {
      const auto u = from_reference<double, W>(c);
      const Plaquette p = plaquette(u);
      EXPECT_NEAR(p.average, known.plaquette, 1e-12);
      EXPECT_NEAR(p.spatial, known.spatial, 6e-11);
      EXPECT_NEAR(p.temporal, known.temporal, 6e-11);
      EXPECT_NEAR(link_trace(u), known.link, 6e-11);
      EXPECT_NEAR(rectangle(u), known.rectangle, 1e-12);
      EXPECT_NEAR(polyakov_loop(u).real(), known.polyakov.real(), 6e-9);
      EXPECT_NEAR(polyakov_loop(u).imag(), known.polyakov.imag(), 6e-9);
      const auto single = from_reference<float, W>(c);
      EXPECT_NEAR(plaquette(single).average, known.plaquette, 1e-6);
      EXPECT_NEAR(rectangle(single), known.rectangle, 1e-6);
    });
  }
}

TEST(Loops, BitsDoNotDependOnLanesOrThreads) {
  const auto c = reference::hot_configuration({8, 4, 4, 8}, 3);
  const auto one = from_reference<float, 1>(c);
  const int threads_before = concurrency();
  for (const int threads : {1, 2, 3})
    for_each_lane_count(c.size, [&]<int W>() {
      set_thread_count(threads);
      const auto u = from_reference<float, W>(c);
      EXPECT_EQ(rectangle(u), rectangle(one));
      EXPECT_EQ(link_trace(u), link_trace(one));
      EXPECT_EQ(unitarity_violation(u), unitarity_violation(one));
      for (int mu = 0; mu < 4; ++mu) EXPECT_EQ(polyakov_loop(u, mu), polyakov_loop(one, mu)) << mu;
    });
  set_thread_count(threads_before);
}

TEST(Loops, AreGaugeInvariant) {
  const auto u = from_reference<double, 1>(reference::hot_configuration({4, 2, 4, 6}, 5));
  const auto before = u.clone();
  random_gauge_transformation({8, 0, gauge_transformation_purpose}, u);
  EXPECT_GT(std::abs(link_trace(u) - link_trace(before)), 1e-4);
  EXPECT_NEAR(rectangle(u), rectangle(before), 1e-14);
  for (int mu = 0; mu < 4; ++mu) EXPECT_LT(std::abs(polyakov_loop(u, mu) - polyakov_loop(before, mu)), 1e-14);
}

TEST(Loops, ADamagedLinkIsFound) {
  for (const double bad : {1e-3, 100.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    const auto u = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 4}));
    EXPECT_EQ(unitarity_violation(u), 0);
    auto link = u.link({1, 2, 3, 0}, 2);
    link[3] += bad;
    u.set_link({1, 2, 3, 0}, 2, link);
    EXPECT_GE(unitarity_violation(u), std::isnan(bad) ? 1e300 : bad);
  }
}

TEST(Loops, ADamagedLinkIsFoundInAnyLane) {
  const Coordinate size{4, 4, 4, 4};
  for_each_lane_count(size, [&]<int W>() {
    for (const Coordinate& x : {Coordinate{0, 0, 0, 0}, Coordinate{3, 2, 1, 3}, Coordinate{3, 3, 3, 3}})
      for (int mu = 0; mu < 4; ++mu)
        for (const double bad : {0.5, std::nan("")}) {
          const auto u = GaugeField<double, W>::unit(Lattice(size, W));
          auto link = u.link(x, mu);
          link[0] += bad;
          u.set_link(x, mu, link);
          if (std::isnan(bad))
            EXPECT_EQ(unitarity_violation(u), std::numeric_limits<double>::infinity()) << W << " " << mu;
          else
            EXPECT_NEAR(unitarity_violation(u), std::sqrt(1.25 * 1.25 + 0.25), 1e-15) << W << " " << mu;
        }
  });
}

TEST(Loops, APolyakovLoopInNoDirectionIsAnError) {
  const auto u = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 2}));
  EXPECT_EQ(polyakov_loop(u, 0), 1.0);
  EXPECT_THROW(polyakov_loop(u, 4), InputError);
  EXPECT_THROW(polyakov_loop(u, -1), InputError);
}

}  // namespace
}  // namespace trellis::gauge

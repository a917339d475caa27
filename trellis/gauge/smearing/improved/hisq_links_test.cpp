// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/hisq_links.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
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
using test::LinkDerivatives;
using test::to_reference;

// For the frames of tests.
struct MakeHisq {
  double force_filter = 0;
  template <class T, int W>
  HisqLinks<T, W> operator()(const Lattice& lattice) const {
    return HisqLinks<T, W>(lattice, force_filter);
  }
};

template <class T, int W>
AlgebraField<T, W> hisq_force(const LinkDerivatives& by, const GaugeField<T, W>& u, double force_filter = 0) {
  return test::force_of(HisqLinks<T, W>(u.lattice(), force_filter), by, u);
}

TEST(HisqLinks, AgreeWithReference) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{2, 2, 2, 2}, Coordinate{2, 4, 2, 6}}) {
    const auto c = reference::warm_configuration(size, 3, 0.5);
    const auto expected = reference::hisq_links(c);
    const auto check = [&]<class T, int W>(double limit) {
      const auto u = from_reference<T, W>(c);
      const HisqLinks<T, W> links(u.lattice());
      EXPECT_LT(test::distance(to_reference(links.smear(u)), expected.fat), limit) << W;
      EXPECT_LT(test::distance(to_reference(links.long_links()->three_steps), expected.three_steps), limit) << W;
      EXPECT_LT(test::distance(to_reference(links.long_links()->one_step), expected.one_step), limit) << W;
    };
    for_each_lane_count(size, [&]<int W>() {
      check.template operator()<double, W>(2e-14);
      check.template operator()<float, W>(1e-5);
    });
  }
}

TEST(HisqLinks, OfUnitLinksAreTheirCoefficients) {
  const auto u = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 4}));
  const HisqLinks<double, 1> links(u.lattice());
  const auto fat = links.smear(u).link({1, 2, 3, 0}, 2), far = links.long_links()->three_steps.link({0, 1, 0, 3}, 3);
  for (std::size_t k = 0; k < 18; ++k) {
    EXPECT_NEAR(fat[k], k % 8 == 0 ? 9.0 / 8 : 0, 1e-15);
    EXPECT_NEAR(far[k], k % 8 == 0 ? -1.0 / 24 : 0, 1e-15);
  }
}

TEST(HisqLinks, ForceIsMinusTheNumericalDerivative) {
  for (const Coordinate& size : {Coordinate{4, 4, 2, 4}, Coordinate{2, 2, 2, 2}}) {
    const LinkDerivatives by(size, 8);
    for (const double spread : {0.3, 0.8}) {
      const auto c = reference::warm_configuration(size, 5, spread);
      const auto f = [&](const GaugeConfiguration& v) {
        const auto plain = reference::hisq_links(v);
        return test::linear_function(by.by_fat, plain.fat) + test::linear_function(by.by_far, plain.three_steps) +
               test::linear_function(by.by_one_step, plain.one_step);
      };
      const auto p = hisq_force<double, 1>(by, from_reference<double, 1>(c));
      for (const int mu : {1, 3})
        test::expect_minus_derivative(p, f, c, mu, mu + 3, 2e-3, 3e-9, std::to_string(spread));
    }
  }
}

TEST(HisqLinks, AreGaugeCovariant) {
  const auto u = from_reference<double, test::wide>(reference::warm_configuration({4, 4, 4, 4}, 9, 0.5));
  const RandomStream stream{4, 0, gauge_transformation_purpose};
  const HisqLinks<double, test::wide> links(u.lattice());
  const auto fat = links.smear(u).clone(), unitary = links.long_links()->one_step.clone();
  random_gauge_transformation(stream, fat);
  random_gauge_transformation(stream, unitary);
  random_gauge_transformation(stream, u);
  EXPECT_LT(test::distance(to_reference(links.smear(u)), to_reference(fat)), 1e-13);
  EXPECT_LT(test::distance(to_reference(links.long_links()->one_step), to_reference(unitary)), 1e-13);
}

TEST(HisqLinks, ForceOfSinglePrecisionIsNear) {
  const Coordinate size{4, 4, 4, 4};
  test::expect_single_precision_near(reference::warm_configuration(size, 6, 0.4), {size, 3}, MakeHisq{}, 5e-5);
}

TEST(HisqLinks, BitsDoNotDependOnLanesOrThreads) {
  const Coordinate size{8, 4, 4, 4};
  const auto c = reference::warm_configuration(size, 12, 0.5);
  for (const double filter : {0.0, 0.3}) {
    test::expect_same_bits<double>(c, {size, 13}, MakeHisq{filter});
    test::expect_same_bits<float>(c, {size, 13}, MakeHisq{filter});
  }
}

TEST(HisqLinks, FilterActsOnlyBelowItsCutOff) {
  const Coordinate size{4, 4, 4, 4};
  const LinkDerivatives by(size, 3);
  const auto u = from_reference<double, 1>(reference::warm_configuration(size, 6, 0.4));
  const auto exact = hisq_force(by, u), below = hisq_force(by, u, 1e-10), above = hisq_force(by, u, 0.9);
  const Coordinate x{1, 2, 3, 0};
  EXPECT_EQ(exact.at(x, 1), below.at(x, 1));
  EXPECT_NE(exact.at(x, 1), above.at(x, 1));
  const HisqLinks<double, 1> links(u.lattice(), 1);
  links.smear(u);
  const AlgebraField<double, 1> p(u.lattice());
  EXPECT_EQ(links.filtered(), 0);
  const double before = filtered_hisq_links();
  for (const double times : {1.0, 2.0}) {
    links.add_force(u, 0.1, p);
    EXPECT_EQ(links.filtered(), times * double(4 * u.lattice().volume()));  // V's singular values are below 1
    EXPECT_EQ(filtered_hisq_links() - before, links.filtered());
  }
}

// Where all links at a site vanish, so do those of V; the first of these is the one that leads there in t.
TEST(HisqLinks, NameTheFirstLinkThatCannotBeProjected) {
  for_each_lane_count({4, 4, 4, 4}, []<int W>() {
    const auto u = GaugeField<double, W>::unit(Lattice({4, 4, 4, 4}, W));
    const HisqLinks<double, W> links(u.lattice());
    links.smear(u);
    const std::array<double, 18> zero{};
    for (int mu = 0; mu < 4; ++mu) {
      Coordinate behind{1, 2, 3, 1};
      u.set_link(behind, mu, zero);
      --behind[mu];
      u.set_link(behind, mu, zero);
    }
    try {
      links.smear(u);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("at site (1, 2, 3, 0) in direction t cannot be projected to U(3)"), message.npos)
          << message;
    }
  });
}

TEST(HisqLinks, ErrorsNameWhatIsWrong) {
  const Lattice lattice({2, 2, 2, 2});
  for (const double bad : {-1e-9, 1.1, std::nan("")})
    EXPECT_THROW((HisqLinks<double, 1>(lattice, bad)), InputError) << bad;
  const HisqLinks<double, 1> unused(lattice);
  EXPECT_THROW(unused.add_force(GaugeField<double, 1>(lattice), 1.0, AlgebraField<double, 1>(lattice)), Error);
}

TEST(HisqLinks, AreInTheTableOfSmearings) {
  const Lattice lattice({2, 2, 2, 2});
  const auto u = from_reference<double, 1>(reference::warm_configuration(lattice.size(), 1, 0.4));
  const auto links = smeared_links<1>({"hisq", {}}, lattice);
  EXPECT_EQ(to_reference(links->smear(u)).links, to_reference(HisqLinks<double, 1>(lattice).smear(u)).links);
  EXPECT_FALSE(links->in_su3());
  EXPECT_THROW(complete({"hisq", {{"u0", 1}}}), InputError);
  EXPECT_THROW(complete({"hisq", {{"force_filter", -1}}}), InputError);
}

}  // namespace
}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/reweighting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/staggered_observables.hpp"
#include "reference/stout.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

const QuarkPhases up{.imaginary_potential = 0.2, .charge = 2.0, .flux = {.bz = 1}};
const QuarkPhases down{.imaginary_potential = 0.2, .charge = -1.0, .flux = {.bz = 1}};

TEST(ReferenceReweighting, WeightIsTheProductOfDeterminants) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 1), smeared = stout(u, 0.15, 2);
  const std::vector<Flavour> flavours = {{up, 0.05, 1}, {down, 0.05, 1}, {down, 0.7, 1}};
  const QuarkWeight weight = quark_weight(u, flavours, {0.15, 2});
  double expected = 0.0;
  for (std::size_t f = 0; f < flavours.size(); ++f) {
    const DenseMatrix m = staggered_matrix(smeared, link_phases(u.size, flavours[f].phases), flavours[f].mass);
    expected += 0.25 * log_determinant(lu_decomposition(m)).real();
    EXPECT_NEAR(weight.condensates.at(f), per_flavour(trace(inverse(m)), 1, u.size).real(), 1e-11);
  }
  EXPECT_NEAR(weight.log_weight, expected, 1e-10);
}

TEST(ReferenceReweighting, TwoOfOneTasteAreOneOfTwo) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 2}, 2);
  const QuarkWeight two = quark_weight(u, {{up, 0.1, 2}}, {}),
                    twice = quark_weight(u, {{up, 0.1, 1}, {up, 0.1, 1}}, {});
  EXPECT_NEAR(two.log_weight, twice.log_weight, 1e-12);
  EXPECT_NEAR(two.condensates[0], twice.condensates[0] + twice.condensates[1], 1e-12);
}

TEST(ReferenceReweighting, FreeQuarks) {
  // det M = prod over momenta (m^2 + sum sin^2 p)^(3/2); on 2^4 antiperiodic sin^2 p_t = 1, all others 0.
  const GaugeConfiguration u({2, 2, 2, 2});
  const QuarkWeight weight = quark_weight(u, {{QuarkPhases{}, 0.5, 3}}, {0.1, 1});
  EXPECT_NEAR(weight.log_weight, 0.75 * 24 * std::log(1.25), 1e-12);
  EXPECT_NEAR(weight.condensates[0], 0.75 * 3 * 0.5 / 1.25, 1e-13);
}

TEST(ReferenceReweighting, OneConfigurationOfTheSizeItIsFor) {
  const GaugeConfiguration u = warm_configuration({4, 4, 4, 4}, 3, 0.3);
  const QuarkWeight weight = quark_weight(u, {{up, 0.1, 1}}, {0.15, 2});
  const LinkPhases theta = link_phases(u.size, up);
  EXPECT_NEAR(weight.condensates[0], exact_condensate(stout(u, 0.15, 2), theta, 0.1, 1), 1e-13);
  EXPECT_GT(weight.log_weight, 96 * std::log(0.01));  // eigenvalues are between m^2 and m^2 + 16
  EXPECT_LT(weight.log_weight, 96 * std::log(16.01));
}

TEST(ReferenceReweighting, Averages) {
  EXPECT_NEAR(reweighted_average({1.0, 5.0}, {0.0, std::log(3.0)}), 4.0, 1e-15);
  EXPECT_NEAR(reweighted_average({1.0, 5.0}, {900.0, 900.0 + std::log(3.0)}), 4.0, 1e-12);
  EXPECT_NEAR(effective_number({-5000.0, -5000.0, -5000.0}), 3.0, 1e-14);
  EXPECT_NEAR(effective_number({0.0, -1000.0}), 1.0, 1e-14);
  EXPECT_THROW(reweighted_average({1.0}, {}), Error);
  EXPECT_THROW(effective_number({}), Error);
}

}  // namespace
}  // namespace trellis::reference

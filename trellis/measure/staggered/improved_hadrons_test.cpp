// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "reference/read_files.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/fixing/gauge_fixing.hpp"
#include "trellis/measure/staggered_hadrons.hpp"

namespace trellis::measure {
namespace {

using Correlator = std::array<double, 8>;

// HISQ pions of a corner wall in Coulomb gauge, as the MILC code (ks_spectrum_hisq) has them on its own sample,
// compiled in double precision and with the gauge fixed to 1e-15. Its matrix is 2 m + 2 D, and its scalar pion lacks
// our (-1)^t.
struct Answer {
  double mass, naik_epsilon;
  Correlator pion, pion_scalar;
};
const std::array<Answer, 2> answers{
    {{0.03,
      0,
      {35.60414, 32.40667, 13.16406, 22.11577, 6.708270, 21.31819, 11.09645, 30.93678},
      {-34.06973, -32.10083, -12.60298, -22.00447, -6.492466, -21.18151, -10.53310, -30.60615}},
     {0.07,
      -0.3,
      {37.93142, 32.24437, 12.98764, 19.99678, 6.123806, 19.25685, 11.04308, 30.77152},
      {-29.97921, -30.75330, -10.25844, -19.48313, -5.129505, -18.63405, -8.323997, -29.18419}}}};

TEST(ImprovedHadrons, HisqPionsAreThoseOfMilc) {
  constexpr int W = test::wide;
  const auto u =
      test::from_reference<double, W>(reference::read_milc(std::string(TRELLIS_TEST_DATA) + "/milc/lat.sample.l8888"));
  gauge::fix_gauge<double, W>({.gauge = gauge::Gauge::coulomb, .residual = 1e-18}, u);
  const StaggeredHadronSelection selection{
      .source = StaggeredSource::corner_wall, .channels = {"pion", "pion_scalar"}, .inverse = {.residual = 1e-10}};
  std::vector<QuarkFlavour> flavours;
  for (const Answer& one : answers) {
    flavours.push_back({.name = "q", .mass = one.mass});
    flavours.back().naik_epsilon = one.naik_epsilon;
  }
  const auto found = measure_staggered_hadrons<W>(selection, flavours, {"hisq", {}}, 0, 0, u);
  const auto expect = [&](std::size_t hadron, const Correlator& expected, double mass) {
    for (std::size_t t = 0; t < expected.size(); ++t) {
      const double sign = hadron % 2 == 1 && t % 2 == 1 ? -1 : 1;
      EXPECT_NEAR(sign * found.at(hadron)[t].real() / 4 / expected[t], 1, 1e-6) << "mass " << mass << ", t = " << t;
    }
  };
  // Pairs of flavours: 00, 01, 11; two channels each.
  expect(0, answers[0].pion, answers[0].mass);
  expect(1, answers[0].pion_scalar, answers[0].mass);
  expect(4, answers[1].pion, answers[1].mass);
  expect(5, answers[1].pion_scalar, answers[1].mass);
  EXPECT_LT(found.ward_identity, 1e-9);
}

}  // namespace
}  // namespace trellis::measure

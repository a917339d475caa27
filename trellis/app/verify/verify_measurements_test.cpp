// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The comparisons of measurements pass what is correct and fail what differs by a realistic amount. Complete reports:
// verify_test.cpp.
#include "trellis/app/verify/verify_measurements.hpp"

#include <gtest/gtest.h>

#include "tests/support/wide_lanes.hpp"
#include "trellis/app/verify/verify_hadrons.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"

namespace trellis::app {
namespace {

using test::wide;

template <int W>
GaugeField<double, W> random_links(const Coordinate& size) {
  const GaugeField<double, W> u(Lattice(size, W));
  gauge::hot_start({5, 0, gauge::hot_start_purpose}, u);
  return u;
}

GaugeField<double, wide> links() { return random_links<wide>({4, 4, 4, 2}); }

// An operator that differs in any of its parameters, and a solution or a link that differs by little.
TEST(VerifyMeasurements, WrongWilsonQuarks) {
  const auto u = links();
  const auto thin = naive_links(u);
  const auto none = gauge::stout_smearing(0.1, 0);
  const dirac::WilsonParameters quark{.kappa = 0.11,
                                      .clover = 1.2,
                                      .clover_temporal = 0.9,
                                      .spatial_hopping = 0.8,
                                      .boundary_angle_over_pi = {0.3, 0, 0, 1}};
  const NaiveWilson naive(thin, quark);
  const auto compare = [&](const dirac::WilsonParameters& parameters) {
    return compare_wilson(dirac::WilsonOperator<double, wide>(u, parameters), naive, 5, none).passed;
  };
  EXPECT_TRUE(compare(quark));
  for (const auto parameter : {&dirac::WilsonParameters::kappa, &dirac::WilsonParameters::clover,
                               &dirac::WilsonParameters::clover_temporal, &dirac::WilsonParameters::spatial_hopping}) {
    auto wrong = quark;
    wrong.*parameter *= 1 + 1e-11;
    EXPECT_FALSE(compare(wrong));
  }
  auto wrong = quark;
  wrong.boundary_angle_over_pi[0] += 1e-11;
  EXPECT_FALSE(compare(wrong));

  std::vector<NaiveField<12>> x{random_naive_field<12>(thin.volume(), 6)}, b{naive(x[0])};
  const auto solution = [&](double residual) { return compare_solutions(naive, b, x, quark, none, residual); };
  EXPECT_TRUE(solution(1e-10).passed);
  x[0][3][7] *= 1 + 1e-6;
  EXPECT_FALSE(solution(1e-10).passed);
  EXPECT_TRUE(solution(1e-5).passed);
  EXPECT_EQ(solution(0.1).note, "measure.hadrons.residual = 0.1 is too loose to check this; use <= 5e-05");
}

TEST(VerifyMeasurements, AWrongContraction) {
  const Coordinate size{2, 2, 2, 4}, source{1, 0, 1, 3};
  const NaiveLinks shape(size);
  NaivePropagator s(shape.volume());
  for (std::size_t column = 0; column < 12; ++column) {
    const auto psi = random_naive_field<12>(shape.volume(), 7 + column);
    for (std::size_t x = 0; x < s.size(); ++x)
      for (std::size_t row = 0; row < 12; ++row) s[x][row][column] = psi[x][row];
  }
  for (const auto* channel : {"pion", "rho", "tensor_xt", "proton", "proton_negative"}) {
    const auto sound = naive_hadron(size, s, channel, source, {1, 0, 0}, {0, 0, 0, 1});
    EXPECT_EQ(correlator_difference(sound.value, sound), 0);
    auto t = s;
    t[5][3][4] *= 1 + 1e-9;
    const auto wrong = naive_hadron(size, t, channel, source, {1, 0, 0}, {0, 0, 0, 1});
    EXPECT_GT(correlator_difference(wrong.value, sound), correlator_limit(0)) << channel;
  }
}

TEST(VerifyMeasurements, WrongNoise) {
  const Coordinate size{2, 2, 2, 4};
  const NaiveLinks shape(size);
  const Lattice lattice(size, 1);
  for (const auto dilution : {measure::NoiseDilution::none, measure::NoiseDilution::spin,
                              measure::NoiseDilution::colour, measure::NoiseDilution::spin_colour})
    for (const auto kind : {measure::NoiseKind::z2, measure::NoiseKind::z4, measure::NoiseKind::u1}) {
      const measure::NoiseParameters noise{.kind = kind, .dilution = dilution, .spacing = {2, 1, 1}, .seed = 3};
      std::vector<std::vector<NaiveField<12>>> parts(2);
      const measure::FullSpinors<double, 1> b(lattice, measure::column_count(dilution));
      for (int part = 0; part < 2; ++part) {
        measure::noise_source<1>(noise, 0, part, 1, {0, 0, 0}, b);
        for (int n = 0; n < b.count(); ++n) parts[std::size_t(part)].push_back(naive_field<1>(b, n));
      }
      const auto passes = [&](int time) { return check_noise_source(noise, time, shape, parts).passed; };
      EXPECT_TRUE(passes(1));
      EXPECT_FALSE(passes(2));
      auto& number = parts[0][0][shape.site({0, 0, 0, 1})][0];
      auto& other = parts[1][0][shape.site({0, 0, 0, 1})][0];
      auto& xi = number == 0.0 ? other : number;
      ASSERT_NE(xi, 0.0);
      const auto right = xi;
      xi *= 1 + 1e-10;
      EXPECT_FALSE(passes(1));
      xi = 0;
      EXPECT_FALSE(passes(1));
      xi = right;
      EXPECT_TRUE(passes(1));
    }
}

TEST(VerifyMeasurements, AWrongThreePointFunction) {
  EXPECT_TRUE(compare_three_point(1e-9, 1, 1e-10).passed);
  EXPECT_FALSE(compare_three_point(1e-5, 1, 1e-10).passed);
  EXPECT_FALSE(compare_three_point(0, 1, 0.1).passed);
}

TEST(VerifyMeasurements, AWrongFlow) {
  const auto u = links();
  const auto thin = naive_links(u);
  for (const double c1 : {0.0, -1.0 / 12}) {
    const auto flowed = [&](double step) {
      const auto v = u.clone();
      gauge::flow_step(c1, step, v);
      return compare_flow_step(v, thin, c1, 0.01).passed;
    };
    EXPECT_TRUE(flowed(0.01));
    EXPECT_FALSE(flowed(0.01 * (1 + 1e-10)));
  }
}

TEST(VerifyMeasurements, WrongTraces) {
  QuarkInput quarks;
  quarks.background.flux[5] = 1;
  quarks.flavours = {{.name = "u",
                      .mass = 0.3,
                      .charge = 2,
                      .imaginary_mu = 0.25,
                      .space_angles_over_pi = {0.2, 0, -0.4},
                      .split_masses = {},
                      .joins = {}}};
  const auto u = naive_links(random_links<1>({2, 2, 2, 2}));
  const auto exact = exact_quark_traces({u}, quarks, quarks.flavours[0], 1, {5});
  EXPECT_GT(exact.traces.condensate.real(), 0);
  EXPECT_GT(std::abs(exact.traces.magnetisation[5]), 1e-6);
  const measure::QuarkFlavour flavour{.name = "u", .mass = 0.3, .tastes = 1};
  measure::QuarkSelection selection{.susceptibilities = true, .planes = {5}};
  using Change = void (*)(measure::QuarkEstimate&);
  for (const Change change :
       {Change([](auto& e) { e.condensate *= 1 + 1e-6; }), Change([](auto& e) { e.quark_number += 1e-7; }),
        Change([](auto& e) { e.second_derivative *= 1 + 1e-6; }), Change([](auto& e) { e.bubble += 1e-7; }),
        Change([](auto& e) { e.magnetisation[5] += 1e-7; })}) {
    auto found = exact.traces;
    EXPECT_TRUE(compare_quark_traces(found, exact, selection, flavour).passed);
    change(found);
    EXPECT_FALSE(compare_quark_traces(found, exact, selection, flavour).passed);
  }
  selection.inverse.residual = 0.1;
  EXPECT_NE(
      compare_quark_traces(exact.traces, exact, selection, flavour).note.find("measure.quarks.residual = 0.1 is too"),
      std::string::npos);
}

TEST(VerifyMeasurements, WrongStaggeredHadrons) {
  EXPECT_TRUE(compare_ward_identity(1e-11, 1e-10, 0.1).passed);
  EXPECT_FALSE(compare_ward_identity(1e-7, 1e-10, 0.1).passed);
  EXPECT_FALSE(compare_ward_identity(0, 0.1, 0.1).passed);
  EXPECT_TRUE(compare_staggered_correlator(1e-10, 2, 1e-10, 0.1).passed);
  EXPECT_FALSE(compare_staggered_correlator(1e-6, 2, 1e-10, 0.1).passed);
  EXPECT_FALSE(compare_staggered_correlator(0, 2, 0.1, 0.1).passed);
}

}  // namespace
}  // namespace trellis::app

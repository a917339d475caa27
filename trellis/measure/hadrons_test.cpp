// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Complete measurements: against the oracle, against known numbers for free quarks, and under changes without effect.
#include "trellis/measure/hadrons.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/hadrons.hpp"
#include "reference/projected_smearing.hpp"
#include "reference/stout.hpp"
#include "reference/wilson_source.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_propagators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/smearing/spatial_stout.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;

HadronSelection everything() { return {.kappas = {0.11}, .channels = hadron_names(), .inverse = {.residual = 1e-13}}; }

double largest(std::span<const Complex> c) {
  double most = 0;
  for (const auto& value : c) most = std::max(most, std::abs(value));
  return most;
}

// Compares channel by channel, relative to the largest number of each.
void expect_near(const HadronMeasurement& a, const HadronMeasurement& b, double tolerance) {
  ASSERT_EQ(a.correlators.size(), b.correlators.size());
  const auto channels = a.correlators.size() / a.at(0).size();
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t i = 0; i < a.at(c).size(); ++i)
      EXPECT_LT(std::abs(a.at(c)[i] - b.at(c)[i]), tolerance * largest(a.at(c))) << c << " " << i;
}

TEST(Hadrons, FreePions) {
  constexpr int W = test::wide;
  auto s = everything();
  s.kappas = {0.11, 0.12};
  s.channels = {"pion", "proton", "proton_negative"};
  const auto m = measure_hadrons(s, GaugeField<double, W>::unit(Lattice({4, 4, 4, 8}, W)));
  const double pions[2][5] = {{0.6957669089, 0.03756065405, 0.008393330437, 0.003344679174, 0.002301706918},
                              {0.8289214409, 0.0688774558, 0.0320695681, 0.02559682398, 0.02415883499}};
  for (const std::size_t k : {0, 1}) {
    const auto pion = m.at(3 * k), proton = m.at(3 * k + 1), negative = m.at(3 * k + 2);
    for (std::size_t t = 0; t < 5; ++t) {
      EXPECT_NEAR(pion[t].real() / pions[k][t], 1, 1e-9) << k << t;
      EXPECT_NEAR(pion[(8 - t) % 8].real() / pions[k][t], 1, 1e-9);
      EXPECT_EQ(pion[t].imag(), 0);
    }
    for (std::size_t t = 1; t < 8; ++t) {
      EXPECT_GT(t < 4 ? proton[t].real() : 1, 0);
      EXPECT_NEAR(proton[t].real(), negative[8 - t].real(), 1e-12 * largest(proton));
    }
  }
  EXPECT_LE(m.residual, s.inverse.residual);
  EXPECT_GT(m.residual, 0);
}

// On links of the table of smearings: as on those that the oracle smears.
TEST(Hadrons, OnApeAndHypLinks) {
  constexpr int W = test::wide;
  const Coordinate size{4, 4, 4, 4};
  const auto thin = reference::warm_configuration(size, 7, 0.4);
  const auto u = test::from_reference<double, W>(thin);
  auto s = everything();
  s.quark.clover = s.quark.clover_temporal = 1.1;
  s.channels = {"pion", "proton"};
  const auto on_thin_links = measure_hadrons(s, u);
  const std::vector<std::pair<gauge::SmearingParameters, reference::GaugeConfiguration>> cases{
      {{"ape", {{"alpha", 0.6}, {"levels", 2}}}, reference::ape(thin, 0.6, 2)},
      {{"ape", {{"alpha", 0.7}, {"dimensions", 3}}}, reference::spatial_ape(thin, 0.7, 1)},
      {{"hyp", {}}, reference::hyp(thin)},
      {{"hyp", {{"alpha1", 0.6}, {"alpha2", 0.3}, {"dimensions", 3}}}, reference::spatial_hyp(thin, 0.6, 0.3, 1)}};
  for (const auto& [smearing, links] : cases) {
    auto smeared = s;
    smeared.smearing = smearing;
    const auto found = measure_hadrons(smeared, u);
    expect_near(found, measure_hadrons(s, test::from_reference<double, W>(links)), 1e-10);
    EXPECT_GT(std::abs(found.at(0)[1] / on_thin_links.at(0)[1] - 1.0), 0.01) << smearing.kind;
    // Of quarks with names too.
    auto named = smeared;
    named.kappas = {};
    named.quarks = {{"q", s.quark}};
    named.quarks[0].parameters.kappa = 0.11;
    named.combinations = {{0, 0}};
    named.channels = {"pion"};
    expect_near(measure_hadrons(named, u),
                measure_hadrons(
                    [&] {
                      auto one = smeared;
                      one.channels = {"pion"};
                      return one;
                    }(),
                    u),
                1e-10);
  }
  s.smearing = gauge::SmearingParameters{"hisq"};
  EXPECT_NE(test::message_of<InputError>([&] { measure_hadrons(s, u); }).find("\"hisq\" smearing are not in SU(3)"),
            std::string::npos);
}

// Pion correlators of Grid (github.com/paboyle/Grid, 0ac72cb6a30c), as quoted in the tests of
// github.com/akio-tomiya/QCDMeasurements.jl (6de80fcdcd9b, c2d5aa578e2e): kappa = 0.1, antiperiodic in time; unit
// links, except U_x(0) = diag(exp(i theta), exp(-i theta), 1) with theta = 1.1, and the same with clover.
TEST(Hadrons, PionsOfAnotherProgram) {
  constexpr int W = test::wide;
  const struct {
    double theta, clover, pion[3];
  } cases[] = {{0, 0, {0.54647487404684458, 0.019335553983958836, 0.0042604591777126418}},
               {1.1, 0, {0.54571523373660025, 0.018892421105410458, 0.0040817974287809429}},
               {1.1, 1.2, {0.54585899959258521, 0.018936150732242110, 0.0040886011626595367}}};
  for (const auto& c : cases) {
    auto u = GaugeField<double, W>::unit(Lattice({4, 4, 4, 4}, W));
    std::array<double, 18> link{};
    link[0] = link[8] = std::cos(c.theta);
    link[1] = std::sin(c.theta);
    link[9] = -link[1];
    link[16] = 1;
    u.set_link({0, 0, 0, 0}, 0, link);
    HadronSelection s{.kappas = {0.1}, .channels = {"pion"}, .inverse = {.residual = 1e-14}};
    s.quark.clover = s.quark.clover_temporal = c.clover;
    const auto m = measure_hadrons(s, u);
    for (std::size_t t = 0; t < 4; ++t)
      EXPECT_NEAR(m.correlators[t].real() / c.pion[t == 3 ? 1 : t], 1, 1e-12) << c.theta << " " << c.clover << " " << t;
  }
}

// Sources and sinks of all kinds, on smeared links, computed by the oracle from beginning to end.
TEST(Hadrons, AreThoseOfTheOracle) {
  const reference::Site size{2, 2, 4, 4};
  const auto u = reference::hot_configuration(size, 21);
  const dirac::WilsonParameters quark{.kappa = 0.105, .clover = 1.1, .clover_temporal = 0.8};
  const reference::WilsonMatrix matrix(reference::stout(u, 0.11), {quark.kappa, quark.clover, quark.clover_temporal});
  const Coordinate source{1, 0, 3, 2};
  HadronSelection s{.kappas = {quark.kappa}, .quark = quark, .channels = {"axial_t", "rho", "proton"}};
  s.stout = {.rho = 0.11, .levels = 1};
  s.positions = {source};
  s.gaussian = {.alpha = 1.5, .steps = 3, .rho = 0, .levels = 0};
  s.sinks = {QuarkSink::smeared, QuarkSink::point};
  s.momenta = {{0, 0, 0}, {1, 0, -1}};
  s.inverse.residual = 1e-13;
  const auto smeared = [&](const reference::SpinorField& psi) { return reference::gaussian_smear(u, psi, 1.5, 3); };
  for (const bool wall : {true, false}) {
    s.source = wall ? QuarkSourceKind::wall : QuarkSourceKind::gaussian;
    const auto point = reference::propagator(matrix, [&](int k) {
      return wall ? reference::wall_spinors(size, 2, k) : smeared(reference::point_spinors(size, source, k));
    });
    const reference::Propagator sinks[] = {
        reference::from_columns(size, [&](int k) { return smeared(reference::column(point, k)); }), point};
    std::vector<Complex> wanted;
    for (const auto& sink : sinks) {
      const auto seen = reference::seen_from_source(size, sink, wall ? Coordinate{0, 0, 0, 2} : source, {0, 0, 0, 1});
      std::vector<Complex> channels[3];
      for (const auto& n : s.momenta) {
        const auto gamma = [&](const reference::SpinMatrix& g) {
          return reference::meson_correlator(size, seen, seen, g, g, n);
        };
        const auto axial = reference::gamma_matrix(3) * reference::gamma5();
        const auto a = gamma(axial), x = gamma(reference::gamma_matrix(0)), y = gamma(reference::gamma_matrix(1)),
                   z = gamma(reference::gamma_matrix(2)), proton = reference::proton_correlator(size, seen, seen, 1, n);
        const double two = 4 * quark.kappa * quark.kappa, three = 2 * quark.kappa * two;
        for (std::size_t t = 0; t < 4; ++t) {
          channels[0].push_back(two * reference::meson_sign(axial) * a[t]);
          channels[1].push_back(two / 3 * (x[t] + y[t] + z[t]));
          channels[2].push_back(three * proton[t]);
        }
      }
      for (const auto& channel : channels) wanted.insert(wanted.end(), channel.begin(), channel.end());
    }
    std::vector<Complex> first;
    const int threads = concurrency();
    test::for_each_lane_count(size, [&]<int W>() {
      set_thread_count(W == 1 ? 1 : 2);
      const auto m = measure_hadrons(s, test::from_reference<double, W>(u));
      ASSERT_EQ(m.correlators.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_LT(std::abs(m.correlators[i] - wanted[i]), 1e-11 * largest(m.at(i / 8))) << wall << " " << i;
      if (first.empty()) first = m.correlators;
      EXPECT_TRUE(m.correlators == first) << W << " lanes have other bits";
    });
    set_thread_count(threads);
  }
}

// Free quarks at rest that do not go around the lattice: on unit links (D_w + m)^-1 from slice s to slice t is P_+ or
// P_- over the product of all 1 + m between them, ends included, where c_F - 1 is added on the slices next to
// boundaries.
TEST(Hadrons, FreeQuarksBetweenBoundaries) {
  constexpr int W = test::wide;
  const double kappa = 0.12;
  for (const auto& [boundary, size, last] : {std::tuple{test::open_boundary, Coordinate{4, 4, 4, 8}, 6},
                                             {test::schroedinger_functional(5), Coordinate{4, 4, 4, 6}, 4}})
    for (const double c_f : {1.0, 0.9}) {
      HadronSelection s{.kappas = {kappa}, .channels = {"pion"}, .inverse = {.residual = 1e-14}};
      s.quark.boundary = boundary;
      s.quark.c_f = c_f;
      s.source = QuarkSourceKind::wall;
      s.positions = {{0, 0, 0, 2}};
      const auto m = measure_hadrons(s, GaugeField<double, W>::unit(Lattice(size, W)));
      const auto diagonal = [&](int t) {
        return 1 / (2 * kappa) - 3 + (t == 1 ? c_f - 1 : 0) + (t == last ? c_f - 1 : 0);
      };
      for (int t = 0; t < size[3]; ++t) {
        double propagator = t == 0 || t > last ? 0 : 1;
        for (int k = std::min(t, 2); k <= std::max(t, 2); ++k) propagator /= diagonal(k);
        const double expected = 64 * (t == 2 ? 12 : 6) * propagator * propagator;
        const auto found = m.correlators[std::size_t((t - 2 + size[3]) % size[3])];
        EXPECT_NEAR(found.real(), expected, 1e-12 * (1 + expected)) << t << " " << c_f;
      }
    }
}

// On smeared links, with clover and c_F, from beginning to end. The clover term next to a boundary sees links that a
// Schroedinger functional fixes.
TEST(Hadrons, WithBoundariesInTimeAreThoseOfTheOracle) {
  const reference::Site size{2, 2, 4, 6};
  const Coordinate source{1, 0, 3, 2};
  for (const auto& [boundary, spatial] : {std::pair{test::open_boundary, false},
                                          {test::schroedinger_functional(4), false},
                                          {test::schroedinger_functional(4), true}}) {
    const auto u = test::with_boundary(reference::hot_configuration(size, 23), boundary);
    HadronSelection s{.kappas = {0.105}, .channels = {"pion", "proton"}, .inverse = {.residual = 1e-13}};
    s.quark = {.clover = 1.1, .clover_temporal = 0.8, .boundary = boundary, .c_f = 0.9};
    s.stout = {.rho = 0.11, .levels = spatial ? 2 : 1, .boundary = boundary};
    s.stout_is_spatial = spatial;
    s.positions = {source};
    const int last = boundary.kind == gauge::BoundaryKind::open ? 4 : 3;
    const auto smeared =
        spatial ? test::to_reference(gauge::spatial_stout(0.11, 2, test::from_reference<double, 1>(u), boundary))
                : test::stout_with_boundary(u, 0.11, 1, boundary);
    const reference::WilsonMatrix matrix(
        smeared,
        {.kappa = 0.105, .clover = 1.1, .clover_temporal = 0.8, .first_slice = 1, .last_slice = last, .c_f = 0.9});
    const auto point = reference::propagator(matrix, [&](int k) { return reference::point_spinors(size, source, k); });
    const auto seen = reference::seen_from_source(size, point, source, {0, 0, 0, 0});
    const auto pion =
                   reference::meson_correlator(size, seen, seen, reference::gamma5(), reference::gamma5(), {0, 0, 0}),
               proton = reference::proton_correlator(size, seen, seen, 1, {0, 0, 0});
    const auto m = measure_hadrons(s, test::from_reference<double, 1>(u));
    for (std::size_t t = 0; t < 6; ++t) {
      EXPECT_LT(std::abs(m.at(0)[t] - 0.21 * 0.21 * pion[t]), 1e-11 * largest(m.at(0))) << t;
      EXPECT_LT(std::abs(m.at(1)[t] - 0.21 * 0.21 * 0.21 * proton[t]), 1e-11 * largest(m.at(1))) << t;
    }
    // Sources where there are no quarks.
    for (const int t : {0, last + 1}) {
      s.positions = {{0, 0, 0, t}};
      EXPECT_THROW(measure_hadrons(s, test::from_reference<double, 1>(u)), InputError);
    }
  }
}

// A gauge transformation, and a translation of links and source together, also across the antiperiodic boundary.
TEST(Hadrons, GaugeAndTranslationInvariance) {
  constexpr int W = 1;
  const reference::Site size{2, 4, 2, 4};
  const auto u = reference::hot_configuration(size, 5);
  auto s = everything();
  s.quark.clover = s.quark.clover_temporal = 1.2;
  s.source = QuarkSourceKind::gaussian;
  s.gaussian = {.alpha = 0.5, .steps = 3, .rho = 0.1, .levels = 2};
  s.sinks = {QuarkSink::point, QuarkSink::smeared};
  s.momenta = {{0, 0, 0}, {0, 1, 0}};
  s.positions = {{0, 1, 0, 1}};
  s.quark.boundary_angle_over_pi = {0, 0.5, 0, 1};
  const auto m = measure_hadrons(s, test::from_reference<double, W>(u));

  const auto transformed = reference::gauge_transform(u, reference::random_transformation(size, 9));
  expect_near(m, measure_hadrons(s, test::from_reference<double, W>(transformed)), 1e-11);

  const Coordinate shift{1, 3, 1, 3};
  auto moved = u;
  for (int n = 0; n < u.volume(); ++n) {
    const auto x = u.site(n);
    reference::Site y;
    for (int mu = 0; mu < 4; ++mu) y[mu] = x[mu] + shift[mu];
    for (int mu = 0; mu < 4; ++mu) moved.link(y, mu) = u.link(x, mu);
  }
  s.positions = {{1, 0, 1, 0}};
  expect_near(m, measure_hadrons(s, test::from_reference<double, W>(moved)), 1e-11);
}

TEST(Hadrons, SeveralSourcesAreEachByItself) {
  constexpr int W = 1;
  const auto u = test::from_reference<double, W>(reference::hot_configuration({2, 2, 2, 4}, 6));
  HadronSelection s{.kappas = {0.1}, .channels = {"pion", "proton"}};
  s.positions = {{0, 0, 0, 0}, {1, 1, 0, 3}};
  s.sources_in_time = 2;
  const auto all = measure_hadrons(s, u);
  EXPECT_EQ(all.sources, 4);
  const auto sources = s.sources({2, 2, 2, 4});
  EXPECT_EQ(sources, (std::vector<Coordinate>{{0, 0, 0, 0}, {0, 0, 0, 2}, {1, 1, 0, 3}, {1, 1, 0, 1}}));
  s.sources_in_time = 1;
  for (std::size_t n = 0; n < 4; ++n) {
    s.positions = {sources[n]};
    const auto one = measure_hadrons(s, u);
    for (const std::size_t channel : {0, 1})
      for (std::size_t t = 0; t < 4; ++t) EXPECT_EQ(all.at(channel)[4 * n + t], one.at(channel)[t]);
  }
}

TEST(Hadrons, MomentaByTheirSquares) {
  EXPECT_EQ(momenta_up_to(0), (std::vector<Momentum>{{0, 0, 0}}));
  EXPECT_EQ(momenta_up_to(1).size(), 7U);
  EXPECT_EQ(momenta_up_to(2)[7], (Momentum{-1, -1, 0}));
  EXPECT_EQ(momenta_up_to(9).size(), 123U);
}

TEST(Hadrons, WhatCannotBeIsRefused) {
  const Coordinate size{4, 4, 4, 6};
  const auto with = [&](auto&& change) {
    HadronSelection s{.kappas = {0.1}, .channels = {"pion"}};
    change(s);
    require_valid(s, size);
  };
  using S = HadronSelection;
  EXPECT_NO_THROW(with([](S&) {}));
  EXPECT_THROW(with([](S& s) { s.kappas = {}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.kappas = {0.1, -0.1}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.positions = {{0, 0, 0, 6}}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.positions = {{0, -1, 0, 0}}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.sources_in_time = 4; }), InputError);
  EXPECT_THROW(with([](S& s) { s.momenta = {{0, 3, 0}}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.channels = {"kaon"}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.sinks = {}; }), InputError);
}

}  // namespace
}  // namespace trellis::measure

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Measurements with named quarks: against those of one kappa, and the oracle from beginning to end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reference/hadrons.hpp"
#include "reference/wilson_source.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;

dirac::WilsonParameters quark(double kappa, double clover) {
  return {.kappa = kappa, .clover = clover, .clover_temporal = clover};
}

HadronSelection light_and_strange(const std::vector<std::string>& channels) {
  HadronSelection s{.channels = channels, .inverse = {.residual = 1e-13}};
  s.quarks = {{"l", quark(0.12, 1.1)}, {"s", quark(0.11, 1.0)}};
  s.combinations = all_combinations(s.quarks, channels);
  return s;
}

TEST(HadronsOfQuarks, WhichThereAre) {
  const std::vector<ValenceQuark> quarks{{"l", {}}, {"s", {}}, {"c", {}}};
  const auto names = [&](const std::vector<std::string>& channels) {
    std::vector<std::string> found;
    for (const auto& combination : all_combinations(quarks, channels)) found.push_back(name_of(quarks, combination));
    return found;
  };
  EXPECT_EQ(names({"pion"}), (std::vector<std::string>{"l.l", "l.s", "l.c", "s.s", "s.c", "c.c"}));
  EXPECT_EQ(names({"proton"}), (std::vector<std::string>{"l.l.l", "l.l.s", "l.l.c", "s.s.l", "s.s.s", "s.s.c", "c.c.l",
                                                         "c.c.s", "c.c.c"}));
  EXPECT_EQ(names({"lambda"}),
            (std::vector<std::string>{"l.l.s", "l.l.c", "s.s.l", "s.s.c", "c.c.l", "c.c.s", "l.s.c"}));
  EXPECT_EQ(names({"decuplet"}).size(), 10U);
  EXPECT_EQ(combination_of(quarks, "s.s.l"), (QuarkCombination{1, 1, 0}));
  for (const auto* wrong : {"", "l", "l.", "l.u", ".l.s", "l.l.l.s"})
    EXPECT_THROW(combination_of(quarks, wrong), InputError) << wrong;
}

// Every quark by itself is what its kappa gives, bit for bit; a proton's contractions have their terms in another
// order.
TEST(HadronsOfQuarks, OfOneQuarkAreThoseOfItsKappa) {
  constexpr int W = test::wide;
  const auto u = test::from_reference<double, W>(reference::hot_configuration({2, 4, 4, 4}, 7));
  auto s = light_and_strange(hadron_names());
  s.positions = {{1, 0, 2, 1}, {0, 0, 0, 3}};
  s.momenta = {{0, 0, 0}, {0, 0, 1}};
  s.source = QuarkSourceKind::gaussian;
  s.gaussian = {.alpha = 0.5, .steps = 3, .rho = 0.1, .levels = 2};
  s.sinks = {QuarkSink::smeared, QuarkSink::point};
  s.stout = {.rho = 0.1, .levels = 1};
  const auto all = measure_hadrons(s, u);
  const auto hadrons = s.hadrons();
  ASSERT_EQ(all.correlators.size(), 2 * hadrons.size() * all.at(0).size());
  for (const auto& own : s.quarks) {
    auto one = s;
    one.quarks.clear();
    one.combinations.clear();
    one.quark = own.parameters;
    one.kappas = {own.parameters.kappa};
    const auto expected = measure_hadrons(one, u);
    for (std::size_t sink = 0; sink < 2; ++sink)
      for (std::size_t c = 0; c < s.channels.size(); ++c) {
        const auto name = own.name + "." + own.name + (is_baryon(s.channels[c]) ? "." + own.name : "");
        const auto found = std::find_if(hadrons.begin(), hadrons.end(), [&](const auto& hadron) {
          return hadron.quarks == name && hadron.channel == s.channels[c];
        });
        ASSERT_NE(found, hadrons.end()) << name << " " << s.channels[c];
        const auto a = all.at(sink * hadrons.size() + std::size_t(found - hadrons.begin()));
        const auto b = expected.at(sink * s.channels.size() + c);
        for (std::size_t i = 0; i < a.size(); ++i)
          EXPECT_LE(std::abs(a[i] - b[i]), is_baryon(s.channels[c]) ? 1e-12 * std::abs(b[i]) : 0)
              << name << " " << s.channels[c] << i;
      }
  }
  EXPECT_LE(all.residual, 1e-13);
}

// Kaon, Sigma and Xi with the oracle's propagators, links and sources.
TEST(HadronsOfQuarks, AreThoseOfTheOracle) {
  constexpr int W = 1;
  const reference::Site size{2, 2, 2, 4};
  const auto u = reference::hot_configuration(size, 31);
  auto s = light_and_strange({"pion", "axial_t", "proton"});
  const Coordinate source{1, 0, 1, 3};
  s.positions = {source};
  s.momenta = {{0, 0, 0}, {1, 0, 1}};
  const auto m = measure_hadrons(s, test::from_reference<double, W>(u));
  std::vector<reference::Propagator> seen;
  for (const auto& one : s.quarks) {
    const reference::WilsonMatrix matrix(u, {one.parameters.kappa, one.parameters.clover, one.parameters.clover});
    auto point = reference::point_propagator(matrix, source);
    for (auto& site : point) site = Complex(2 * one.parameters.kappa) * site;
    seen.push_back(reference::seen_from_source(size, point, source, {0, 0, 0, 1}));
  }
  const auto axial = reference::gamma_matrix(3) * reference::gamma5();
  const auto hadrons = s.hadrons();
  for (std::size_t k = 0; k < hadrons.size(); ++k)
    for (std::size_t p = 0; p < 2; ++p) {
      const auto& q = hadrons[k].combination;
      const auto &first = seen[std::size_t(q[0])], &last = seen[std::size_t(q.back())];
      const bool pion = hadrons[k].channel == "pion";
      const auto& gamma = pion ? reference::gamma5() : axial;
      auto wanted = q.size() == 3 ? reference::proton_correlator(size, first, last, 1, s.momenta[p])
                                  : reference::meson_correlator(size, first, last, gamma, gamma, s.momenta[p]);
      for (std::size_t t = 0; t < 4; ++t) {
        if (q.size() == 2) wanted[t] *= reference::meson_sign(gamma);
        EXPECT_LT(std::abs(m.at(k)[4 * p + t] - wanted[t]), 1e-11 * std::abs(wanted[0]))
            << hadrons[k].quarks << " " << hadrons[k].channel << " " << p << t;
      }
    }
}

// Heavier quarks, heavier hadrons: free correlators fall off faster.
TEST(HadronsOfQuarks, FreeQuarks) {
  constexpr int W = test::wide;
  const auto s = light_and_strange({"pion", "proton", "lambda", "decuplet"});
  const auto m = measure_hadrons(s, GaugeField<double, W>::unit(Lattice({4, 4, 4, 8}, W)));
  const auto hadrons = s.hadrons();
  std::map<std::string, double> mass;
  for (std::size_t k = 0; k < hadrons.size(); ++k) {
    const auto c = m.at(k);
    for (std::size_t t = 1; t < 4; ++t) EXPECT_GT(c[t].real(), 0) << hadrons[k].quarks << hadrons[k].channel << t;
    mass[hadrons[k].quarks + " " + hadrons[k].channel] = std::log(c[1].real() / c[2].real());
  }
  EXPECT_LT(mass.at("l.l pion"), mass.at("l.s pion"));
  EXPECT_LT(mass.at("l.s pion"), mass.at("s.s pion"));
  EXPECT_LT(mass.at("l.l.l proton"), mass.at("l.l.s proton"));
  EXPECT_LT(mass.at("l.l.s lambda"), mass.at("s.s.l proton"));
  EXPECT_LT(mass.at("s.s.l decuplet"), mass.at("s.s.s decuplet"));
}

TEST(HadronsOfQuarks, WhatCannotBeIsRefused) {
  const auto with = [&](auto&& change) {
    auto s = light_and_strange({"pion", "proton"});
    change(s);
    require_valid(s, {4, 4, 4, 6});
  };
  using S = HadronSelection;
  EXPECT_NO_THROW(with([](S&) {}));
  EXPECT_THROW(with([](S& s) { s.quarks[1].name = "l"; }), InputError);
  EXPECT_THROW(with([](S& s) { s.quarks[1].parameters.kappa = -1; }), InputError);
  EXPECT_THROW(with([](S& s) { s.quarks[1].parameters.boundary_angle_over_pi = {0, 0, 0, 0}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.combinations = {{0, 1}}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.combinations.push_back({0, 1, 0}); }), InputError);
  const auto with_current = [&](const QuarkCurrent& current) {
    with([&](S& s) {
      s.quarks.push_back({"c", s.quarks[0].parameters, current});
      s.combinations = {{0, 2}, {2, 0, 1}};
    });
  };
  EXPECT_NO_THROW(with_current({0, "vector_t", {1, 0, 2}, 5}));
  EXPECT_THROW(with_current({2, "vector_t", {}, 1}), InputError);
  EXPECT_THROW(with_current({-1, "vector_t", {}, 1}), InputError);
  EXPECT_THROW(with_current({0, "rho", {}, 1}), InputError);
  EXPECT_THROW(with_current({0, "vector_t", {3, 0, 0}, 1}), InputError);
  EXPECT_THROW(with_current({0, "vector_t", {}, 6}), InputError);
  EXPECT_THROW(with_current({1, "vector_t", {}, 1}), InputError);  // the first two of a proton differ
  EXPECT_THROW(with([](S& s) { s.quarks.push_back({"c", s.quarks[0].parameters, QuarkCurrent{0, "scalar"}}); }),
               InputError);  // in no combination
  EXPECT_THROW(with([](S& s) { s.combinations.push_back({0, 2}); }), InputError);
  EXPECT_THROW(with([](S& s) { s.channels.emplace_back("kaon"); }), InputError);
  EXPECT_THROW(with([](S& s) {
                 s.combinations = {{0, 1}, {0, 0, 0}};
                 s.channels.emplace_back("lambda");
               }),
               InputError);
  EXPECT_THROW(with([](S& s) { s.sinks = {}; }), InputError);
}

}  // namespace
}  // namespace trellis::measure

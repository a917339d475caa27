// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered_hadrons.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/staggered_hadrons.hpp"
#include "reference/stout.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/smearing/stout.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;
const gauge::SmearingParameters no_smearing = gauge::stout_smearing(0, 0);
const dirac::LinkPhases turned{.imaginary_mu = 0.4};
const std::vector<QuarkFlavour> two_flavours{{.name = "u", .mass = 0.2, .phases = turned},
                                             {.name = "s", .mass = 0.5, .phases = {}}};

StaggeredHadronSelection everything() {
  return {.channels = {"pion", "pion_scalar", "rho_tensor", "rho_axial", "nucleon"}, .inverse = {.residual = 1e-13}};
}

double largest(std::span<const Complex> c) {
  double most = 0;
  for (const auto& value : c) most = std::max(most, std::abs(value));
  return most;
}

// Relative to the largest number of each hadron.
void expect_near(const StaggeredHadronMeasurement& a, const StaggeredHadronMeasurement& b, double tolerance) {
  ASSERT_EQ(a.correlators.size(), b.correlators.size());
  const auto hadrons = a.correlators.size() / a.at(0).size();
  for (std::size_t h = 0; h < hadrons; ++h)
    for (std::size_t i = 0; i < a.at(h).size(); ++i)
      EXPECT_LT(std::abs(a.at(h)[i] - b.at(h)[i]), tolerance * largest(a.at(h))) << h << " " << i;
}

// What the oracle says of one hadron: from the origin of links that are seen from the source.
std::vector<Complex> by_the_oracle(const reference::Site& size, const StaggeredHadron& hadron,
                                   const std::vector<reference::StaggeredPropagator>& g, const Momentum& n) {
  using namespace reference;
  const auto meson = [&](const SpinMatrix& gamma) {
    return staggered_meson(size, g[hadron.first], g[hadron.second], gamma, n);
  };
  const auto mean = [&](auto&& gamma) {
    std::vector<Complex> sum(std::size_t(size[3]), 0.0);
    for (int i = 0; i < 3; ++i) {
      const auto one = meson(gamma(i));
      for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += one[t] / 3.0;
    }
    return sum;
  };
  if (hadron.channel == "pion") return meson(gamma5());
  if (hadron.channel == "pion_scalar") return meson(gamma_matrix(3) * gamma5());
  if (hadron.channel == "rho_tensor") return mean([](int i) { return gamma_matrix(i); });
  if (hadron.channel == "rho_axial") return mean([](int i) { return gamma_matrix(i) * gamma_matrix(3); });
  return staggered_nucleon(size, g[hadron.first], n);
}

// On smeared links, with sources anywhere, for every lane count and two numbers of threads.
TEST(StaggeredHadrons, AreThoseOfTheOracle) {
  const reference::Site size{4, 4, 4, 4};
  const auto u = reference::hot_configuration(size, 21);
  auto s = everything();
  s.momenta = {{0, 0, 0}, {1, 0, -1}};
  for (const Coordinate& x0 : {Coordinate{1, 2, 0, 3}, Coordinate{3, 2, 1, 2}}) {
    s.positions = {x0};
    const auto seen = reference::seen_from(reference::stout(u, 0.11), x0);
    std::vector<reference::StaggeredPropagator> g;
    for (const auto& flavour : two_flavours)
      g.push_back(reference::staggered_propagator(seen, test::reference_phases(flavour.phases, size), flavour.mass));
    std::vector<Complex> wanted;
    const auto hadrons = staggered_hadrons({"u", "s"}, s.channels);
    for (const auto& hadron : hadrons)
      for (const auto& n : s.momenta)
        for (const auto& value : by_the_oracle(size, hadron, g, n)) wanted.push_back(value);
    std::vector<Complex> first;
    const int threads = concurrency();
    test::for_each_lane_count(size, [&]<int W>() {
      set_thread_count(W == test::wide ? 2 : 1);
      const auto m = measure_staggered_hadrons(s, two_flavours, gauge::stout_smearing(0.11, 1), 0, 0,
                                               test::from_reference<double, W>(u));
      ASSERT_EQ(m.correlators.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_LT(std::abs(m.correlators[i] - wanted[i]), 1e-11 * largest(m.at(i / 8)))
            << hadrons[i / 8].flavours << " " << hadrons[i / 8].channel << " " << i % 8;
      if (first.empty()) first = m.correlators;
      EXPECT_TRUE(m.correlators == first) << W << " lanes have other bits";
    });
    set_thread_count(threads);
  }
}

// Nothing gets a sign at the lattice's end, and in the oracle, whose links are seen from the source, no link has one.
TEST(StaggeredHadrons, WithBoundariesInTimeAreThoseOfTheOracle) {
  const reference::Site size{4, 4, 4, 6};
  const Coordinate x0{1, 2, 0, 3};
  auto s = everything();
  s.channels.emplace_back("pion_1");
  s.positions = {x0};
  for (const auto& boundary : {test::open_boundary, test::schroedinger_functional(5)}) {
    const auto u = test::with_boundary(reference::hot_configuration(size, 24), boundary);
    const auto seen =
        reference::seen_from(test::staggered_hops(test::stout_with_boundary(u, 0.11, 1, boundary), boundary), x0);
    const auto theta = test::reference_phases({.antiperiodic_time = false}, size);
    const std::vector<reference::StaggeredPropagator> g{reference::staggered_propagator(seen, theta, 0.3)};
    auto smearing = gauge::stout_smearing(0.11, 1);
    smearing.boundary = boundary;
    const std::vector<QuarkFlavour> flavours{{.name = "l", .mass = 0.3, .phases = {.boundary = boundary}}};
    const auto m = measure_staggered_hadrons(s, flavours, smearing, 0, 0, test::from_reference<double, test::wide>(u));
    const auto hadrons = staggered_hadrons({"l"}, s.channels);
    for (std::size_t h = 0; h < hadrons.size(); ++h) {
      const auto wanted = hadrons[h].channel == "pion_1"
                              ? reference::point_split_meson(seen, g[0], theta, 0.3, {0, 1, 2}, {}, {0, 0, 0})
                              : by_the_oracle(size, hadrons[h], g, {0, 0, 0});
      for (std::size_t t = 0; t < 6; ++t)
        EXPECT_LT(std::abs(m.at(h)[t] - wanted[t]), 1e-11 * largest(m.at(h))) << hadrons[h].channel << " " << t;
    }
    EXPECT_LT(m.ward_identity, 1e-11);
    if (boundary.kind != gauge::BoundaryKind::schroedinger_functional) continue;
    for (const auto& [name, kind] : staggered_sources) {
      auto other = s;
      other.source = kind;
      other.channels = {"pion"};
      for (const int t : {0, 5}) {
        other.positions = {{0, 0, 0, t}};
        EXPECT_THROW(require_valid(other, flavours, size), InputError) << name << " " << t;
      }
    }
  }
}

// One, two and three links apart, on smeared links, of two flavours.
TEST(StaggeredHadrons, PointSplitPionsAreThoseOfTheOracle) {
  const reference::Site size{4, 4, 2, 4};
  const Coordinate x0{1, 1, 0, 3};
  const auto u = reference::hot_configuration(size, 22);
  const struct {
    std::string name;
    std::vector<int> spin;
    std::vector<std::vector<int>> tastes;
  } pions[] = {{"pion_i5", {0, 1, 2, 3}, {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}}},
               {"pion_ij", {0, 1, 2}, {{1, 2}, {0, 2}, {0, 1}}},
               {"pion_it", {0, 1, 2, 3}, {{0, 3}, {1, 3}, {2, 3}}},
               {"pion_i", {0, 1, 2}, {{0}, {1}, {2}}},
               {"pion_t", {0, 1, 2, 3}, {{3}}},
               {"pion_1", {0, 1, 2}, {{}}}};
  auto s = everything();
  s.positions = {x0};
  s.momenta = {{1, 0, 0}};
  s.channels = {"pion"};
  for (const auto& pion : pions) s.channels.push_back(pion.name);
  const auto seen = reference::seen_from(reference::stout(u, 0.11), x0);
  const auto phases = [&](std::size_t f) { return test::reference_phases(two_flavours[f].phases, size); };
  const auto g = reference::staggered_propagator(seen, phases(0), two_flavours[0].mass);
  std::vector<Complex> first;
  const int threads = concurrency();
  set_thread_count(1);
  const auto measure = [&]<int W>() {
    const auto m = measure_staggered_hadrons(s, two_flavours, gauge::stout_smearing(0.11, 1), 0, 0,
                                             test::from_reference<double, W>(u));
    if (first.empty()) first = m.correlators;
    EXPECT_TRUE(m.correlators == first) << W << " lanes have other bits";
  };
  measure.operator()<1>();
  measure.operator()<test::wide>();
  set_thread_count(threads);
  const auto hadrons = staggered_hadrons({"u", "s"}, s.channels);
  for (std::size_t h = 0; h < hadrons.size(); ++h)
    for (const auto& pion : pions) {
      if (pion.name != hadrons[h].channel || hadrons[h].flavours != "u.s") continue;
      std::vector<Complex> wanted(4);
      for (const auto& taste : pion.tastes) {
        const auto c =
            reference::point_split_meson(seen, g, phases(1), two_flavours[1].mass, pion.spin, taste, s.momenta[0]);
        for (std::size_t t = 0; t < 4; ++t) wanted[t] += c[t] / double(pion.tastes.size());
      }
      const std::span found = std::span(first).subspan(4 * h, 4);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT(std::abs(found[i] - wanted[i]), 1e-11 * largest(found)) << pion.name << " " << i;
    }
}

// Shifts are covariant, and without links all tastes of the pion are the same.
TEST(StaggeredHadrons, TastesOfPions) {
  constexpr int W = 1;
  auto s = everything();
  s.channels = {"pion", "pion_i5", "pion_ij", "pion_it", "pion_i", "pion_t", "pion_1"};
  s.positions = {{1, 0, 1, 3}};
  const std::vector<QuarkFlavour> flavours{{.name = "q", .mass = 0.3}};
  const reference::Site size{2, 4, 2, 4};
  const auto u = reference::hot_configuration(size, 5);
  const auto transformed = reference::gauge_transform(u, reference::random_transformation(size, 9));
  expect_near(measure_staggered_hadrons(s, flavours, no_smearing, 0, 0, test::from_reference<double, W>(u)),
              measure_staggered_hadrons(s, flavours, no_smearing, 0, 0, test::from_reference<double, W>(transformed)),
              1e-11);
  s.source = StaggeredSource::corner_wall;
  const auto free =
      measure_staggered_hadrons(s, flavours, no_smearing, 0, 0, GaugeField<double, W>::unit(Lattice({4, 4, 4, 8}, W)));
  for (std::size_t h = 1; h < s.channels.size(); ++h)
    for (std::size_t t = 0; t < 8; ++t)
      EXPECT_NEAR(free.at(h)[t].real(), free.at(0)[t].real(), 1e-11) << s.channels[h] << " " << t;
}

// m sum_t C(t) = Re <b, M^-1 b> for each kind of source, whose condensate another part of the program measures.
TEST(StaggeredHadrons, WardIdentity) {
  constexpr int W = test::wide;
  const Coordinate size{4, 4, 4, 4}, x0{1, 0, 2, 1};
  const auto u = test::from_reference<double, W>(reference::hot_configuration(size, 7));
  for (const auto& [name, kind] : staggered_sources) {
    auto s = everything();
    s.source = kind;
    s.positions = {x0};
    s.channels = {"pion"};
    const auto m = measure_staggered_hadrons(s, two_flavours, gauge::stout_smearing(0.1, 2), 3, 5, u);
    EXPECT_LT(m.ward_identity, 1e-10) << name;
    const int count = is_noise(kind) ? s.noise_vectors : 3;
    const auto smeared = gauge::smeared_links<W>(gauge::stout_smearing(0.1, 2), u.lattice());
    const dirac::StaggeredLinks<double, W> links(smeared->smear(u));
    for (const std::size_t f : {0, 1}) {
      double condensate = 0;
      for (const auto& e : quark_estimates<W>({.inverse = {.residual = 1e-13}}, two_flavours[f], links, count,
                                              [&](int first, const FullVectors<double, W>& b) {
                                                staggered_source<W>(kind, x0, {3, 5, staggered_wall_purpose},
                                                                    std::uint32_t(first), b);
                                              }))
        condensate += 4 * e.condensate.real() * double(u.lattice().volume());
      if (is_noise(kind)) condensate /= 8.0 * count;  // corners of the slice
      double sum = 0;
      for (const auto& c : m.at(2 * f)) sum += c.real();
      EXPECT_NEAR(two_flavours[f].mass * sum / condensate, 1, 1e-11) << name << f;
    }
  }
}

// As from a file in single precision, whose links are in SU(3) to 1e-7.
TEST(StaggeredHadrons, WardIdentityOfLinksThatAreRounded) {
  auto c = reference::hot_configuration({4, 4, 4, 4}, 7);
  for (auto& link : c.links)
    for (auto& number : link) number = {double(float(number.real())), double(float(number.imag()))};
  auto s = everything();
  s.channels = {"pion"};
  const auto m = measure_staggered_hadrons(s, two_flavours, no_smearing, 0, 0, test::from_reference<double, 1>(c));
  EXPECT_LT(m.ward_identity, 1e-10);
}

// On unit links the quark of a corner wall is at rest and stays at the corners: m g(t) + (g(t+1) - g(t-1)) / 2 = delta,
// g(t) = a [e^(-E t) - (-1)^t e^(-E (T-t))], sinh E = m, a > 0 from t = 0. All mesons are g^2, the nucleon g^3.
TEST(StaggeredHadrons, FreeQuarksFromACornerWall) {
  constexpr int W = test::wide, T = 8;
  const Coordinate size{4, 4, 4, T};
  const double mass = 0.3, energy = std::asinh(mass);
  const auto alone = [=](int t) { return std::exp(-energy * t); };
  const double a = 1 / (mass * (1 - alone(T)) + alone(1) + alone(T - 1));
  auto s = everything();
  s.source = StaggeredSource::corner_wall;
  s.positions = {{1, 0, 1, 3}};
  const auto m = measure_staggered_hadrons(s, {{.name = "q", .mass = mass}}, no_smearing, 0, 0,
                                           GaugeField<double, W>::unit(Lattice(size, W)));
  for (int t = 0; t < T; ++t) {
    const double g = a * (alone(t) - (t % 2 == 0 ? 1 : -1) * alone(T - t));
    for (std::size_t h = 0; h < 5; ++h)
      EXPECT_NEAR(m.at(h)[std::size_t(t)].real(), h == 4 ? 8 * g * g * g : 24 * g * g, 1e-11) << h << " " << t;
  }
}

// sinh^2 E(p) = m^2 + sum sin^2 p_i (free staggered quarks). The lightest pion of momentum p = 2 pi / 8 has one quark
// at rest and one with p; the next one is e^(-0.7 t) times as large, 2e-7 at t = 22.
TEST(StaggeredHadrons, FreeDispersion) {
  constexpr int W = 1, T = 256;
  const double mass = 0.2;
  StaggeredHadronSelection s{.momenta = {{0, 0, 0}, {1, 0, 0}}, .channels = {"pion"}, .inverse = {.residual = 1e-14}};
  const auto m = measure_staggered_hadrons(s, {{.name = "q", .mass = mass}}, no_smearing, 0, 0,
                                           GaugeField<double, W>::unit(Lattice({8, 2, 2, T}, W)));
  const auto c = m.at(0);
  const double rest = std::asinh(mass), moving = std::asinh(std::sqrt(mass * mass + 0.5));
  for (const std::size_t t : {22, 24}) {
    EXPECT_NEAR(std::log(c[t].real() / c[t + 2].real()) / 2, 2 * rest, 1e-6);
    EXPECT_NEAR(std::log(c[T + t].real() / c[T + t + 2].real()) / 2, rest + moving, 1e-6);
  }
}

TEST(StaggeredHadrons, GaugeInvarianceAndExchangeOfFlavours) {
  constexpr int W = 1;
  const reference::Site size{2, 4, 2, 4};
  const auto u = reference::hot_configuration(size, 5);
  auto s = everything();
  s.momenta = {{0, 0, 0}, {0, 1, 0}};
  s.positions = {{1, 0, 0, 1}};
  const auto smearing = gauge::stout_smearing(0.1, 1);
  const auto m = measure_staggered_hadrons(s, two_flavours, smearing, 0, 0, test::from_reference<double, W>(u));
  const auto transformed = reference::gauge_transform(u, reference::random_transformation(size, 9));
  expect_near(m,
              measure_staggered_hadrons(s, two_flavours, smearing, 0, 0, test::from_reference<double, W>(transformed)),
              1e-11);

  // At zero momentum; at others C(p) of one order is the conjugate of C(-p) of the other.
  s.momenta = {{0, 0, 0}};
  const auto kaon = measure_staggered_hadrons(s, two_flavours, smearing, 0, 0, test::from_reference<double, W>(u));
  const auto other = measure_staggered_hadrons(s, {two_flavours[1], two_flavours[0]}, smearing, 0, 0,
                                               test::from_reference<double, W>(u));
  for (std::size_t h = 5; h < 9; ++h)
    for (std::size_t t = 0; t < 4; ++t) {
      EXPECT_EQ(kaon.at(h)[t].real(), other.at(h)[t].real());
      EXPECT_NEAR(kaon.at(h)[t].imag(), -other.at(h)[t].imag(), 1e-14 * largest(kaon.at(h)));
    }
}

TEST(StaggeredHadrons, SeveralSourcesAreEachByItself) {
  constexpr int W = 1;
  const auto u = test::from_reference<double, W>(reference::hot_configuration({2, 2, 2, 4}, 6));
  auto s = everything();
  s.positions = {{0, 0, 0, 0}, {1, 1, 0, 3}};
  s.sources_in_time = 2;
  const auto all = measure_staggered_hadrons(s, two_flavours, no_smearing, 0, 0, u);
  const auto sources = s.sources({2, 2, 2, 4});
  EXPECT_EQ(sources, (std::vector<Coordinate>{{0, 0, 0, 0}, {0, 0, 0, 2}, {1, 1, 0, 3}, {1, 1, 0, 1}}));
  s.sources_in_time = 1;
  for (std::size_t n = 0; n < 4; ++n) {
    s.positions = {sources[n]};
    const auto one = measure_staggered_hadrons(s, two_flavours, no_smearing, 0, 0, u);
    for (std::size_t h = 0; h < 14; ++h)
      for (std::size_t t = 0; t < 4; ++t) EXPECT_EQ(all.at(h)[4 * n + t], one.at(h)[t]);
  }
}

// A pair of flavours may begin with a point-split channel, which shares nothing with the local ones.
TEST(StaggeredHadrons, ChannelsInAnyOrder) {
  constexpr int W = 1;
  const auto u = test::from_reference<double, W>(reference::hot_configuration({2, 2, 2, 4}, 6));
  auto s = everything();
  s.channels = {"pion", "rho_axial", "pion_1"};
  const auto m = measure_staggered_hadrons(s, two_flavours, no_smearing, 0, 0, u);
  s.channels = {"pion_1", "rho_axial", "pion"};
  const auto turned_round = measure_staggered_hadrons(s, two_flavours, no_smearing, 0, 0, u);
  for (std::size_t pair = 0; pair < 3; ++pair)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t t = 0; t < 4; ++t)
        EXPECT_EQ(turned_round.at(3 * pair + 2 - c)[t], m.at(3 * pair + c)[t]) << pair << " " << c;
}

TEST(StaggeredHadrons, WhatCannotBeIsRefused) {
  const auto with = [&](auto&& change) {
    auto s = everything();
    change(s);
    require_valid(s, {4, 4, 4, 6});
  };
  using S = StaggeredHadronSelection;
  EXPECT_NO_THROW(with([](S&) {}));
  EXPECT_THROW(with([](S& s) { s.positions = {{0, 0, 0, 6}}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.positions.clear(); }), InputError);
  EXPECT_THROW(with([](S& s) { s.sources_in_time = 4; }), InputError);
  EXPECT_THROW(with([](S& s) { s.momenta = {{0, 3, 0}}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.channels = {"kaon"}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.channels = {"pion", "pion"}; }), InputError);
  EXPECT_THROW(with([](S& s) { s.source = StaggeredSource::z2_wall; }), InputError);
  EXPECT_THROW(with([](S& s) { s.source = StaggeredSource::even_wall; }), InputError);
  EXPECT_THROW(with([](S& s) {
                 s.source = StaggeredSource::corner_wall;
                 s.momenta = {{1, 0, 0}};
               }),
               InputError);
  EXPECT_THROW(with([](S& s) { s.noise_vectors = 0; }), InputError);
}

}  // namespace
}  // namespace trellis::measure

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Three-point functions through a fixed sink are those of fixed currents at that time of the sink; with a polarised
// nucleon, those of the dense inverse.
#include "trellis/measure/hadrons/fixed_sink.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/hadrons.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/core/error.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;
const Coordinate kSource{1, 0, 1, 3};

dirac::WilsonParameters quark(double kappa, double angle = 1) {
  return {.kappa = kappa, .clover = 1.1, .clover_temporal = 1.1, .boundary_angle_over_pi = {0.3, 0, 0, angle}};
}

// At all times of the current, with one current of fixed time for each.
struct Case {
  std::vector<int> quarks;
  int place, to;
  const char *channel, *current;
};

void expect_those_of_fixed_currents(const reference::GaugeConfiguration& u, const std::vector<Case>& cases,
                                    const std::vector<int>& times, bool smeared) {
  const Momentum p{1, 0, 1}, q{0, -1, 1};
  for (const auto& one : cases)
    for (const int time : times) {
      HadronSelection s{.positions = {kSource},
                        .gaussian = {.alpha = 0.5, .steps = 2, .rho = 0.1, .levels = 1},
                        .sinks = {smeared ? QuarkSink::smeared : QuarkSink::point},
                        .momenta = {p},
                        .channels = {one.channel},
                        .inverse = {.residual = 1e-13}};
      s.quark.boundary_angle_over_pi = {0.3, 0, 0, 1};
      s.quarks = {{"l", quark(0.12)}, {"s", quark(0.11)}};
      s.combinations = {one.quarks};
      s.fixed_sinks = {{.name = "f",
                        .quarks = one.quarks,
                        .place = one.place,
                        .to = one.to,
                        .channel = one.channel,
                        .smeared = smeared,
                        .momentum = p,
                        .time = time,
                        .currents = {"vector_t", one.current},
                        .momenta = {{0, 0, 0}, q}}};
      test::for_each_lane_count(u.size, [&]<int W>() {
        const auto links = test::from_reference<double, W>(u);
        const auto fixed = measure_hadrons(s, links);
        ASSERT_EQ(fixed.fixed_sinks.size(), 1u);
        ASSERT_EQ(fixed.fixed_sinks[0].size(), 16u);
        for (int tau = 0; tau < 4; ++tau) {
          auto other = s;
          other.fixed_sinks.clear();
          auto after = s.quarks[std::size_t(one.to)].parameters;
          other.quarks.push_back({"j", after, QuarkCurrent{one.quarks[std::size_t(one.place)], one.current, q, tau}});
          other.combinations = {one.quarks};
          other.combinations[0][std::size_t(one.place)] = 2;
          const auto m = measure_hadrons(other, links);
          const auto wanted = m.at(0)[std::size_t(time)], found = fixed.fixed_sinks[0][std::size_t(8 + 4 + tau)];
          double scale = 0;
          for (const auto& c : m.at(0)) scale = std::max(scale, std::abs(c));
          EXPECT_GT(std::abs(wanted), 1e-6 * scale);
          EXPECT_LT(std::abs(found - wanted), 1e-10 * scale)
              << one.channel << " " << one.current << " place " << one.place << " T " << time << " tau " << tau;
        }
      });
    }
}

TEST(FixedSinks, MesonsAreThoseOfFixedCurrents) {
  expect_those_of_fixed_currents(
      reference::hot_configuration({2, 2, 2, 4}, 61),
      {{{0, 1}, 0, 0, "pion", "axial_y"}, {{0, 0}, 0, 1, "axial_t", "scalar"}, {{1, 0}, 0, 1, "rho", "tensor_xt"}},
      {0, 2}, false);
}

TEST(FixedSinks, BaryonsAreThoseOfFixedCurrents) {
  expect_those_of_fixed_currents(reference::hot_configuration({2, 2, 2, 4}, 62),
                                 {{{0, 0, 1}, 0, 0, "proton", "vector_x"},
                                  {{0, 0, 1}, 1, 1, "proton_negative", "scalar"},
                                  {{0, 0, 1}, 2, 0, "proton", "axial_z"},
                                  {{0, 0, 0}, 2, 0, "proton", "tensor_yz"},
                                  {{0, 1, 0}, 0, 0, "lambda", "vector_t"},
                                  {{0, 0, 1}, 2, 1, "lambda_negative", "axial_t"},
                                  {{0, 0, 0}, 1, 0, "decuplet", "vector_t"},
                                  {{1, 0, 0}, 0, 1, "decuplet_negative", "axial_x"}},
                                 {2}, false);
}

TEST(FixedSinks, MayBeSmeared) {
  expect_those_of_fixed_currents(reference::hot_configuration({2, 2, 2, 4}, 63),
                                 {{{0, 1}, 0, 1, "pion", "vector_t"}, {{0, 0, 1}, 0, 0, "proton", "axial_z"}}, {2},
                                 true);
}

// tr P <N Nbar> with P = (1 + gamma_4)/2 i gamma_5 gamma_k, with the current summed by hand.
TEST(FixedSinks, PolarisedNucleonsAreThoseOfTheDenseInverse) {
  const reference::Site size{2, 2, 2, 4};
  const auto u = reference::hot_configuration(size, 64);
  const auto inverse = reference::inverse(reference::dense_wilson({u, {0.12, 1.1, 1.1}}));
  const auto block = [&](int x, int y) {
    reference::DenseMatrix b(12);
    for (int row = 0; row < 12; ++row)
      for (int column = 0; column < 12; ++column) b(row, column) = 0.24 * inverse(12 * x + row, 12 * y + column);
    return b;
  };
  const auto seen = [&](const reference::Propagator& s) {
    return reference::seen_from_source(size, s, kSource, {0, 0, 0, 1});
  };
  reference::Propagator s(std::size_t(u.volume()), reference::DenseMatrix(12));
  for (int x = 0; x < u.volume(); ++x) s[std::size_t(x)] = block(x, u.index(kSource));
  const auto gamma5 = reference::gamma5(), gamma4 = reference::gamma_matrix(3);
  for (int k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]);
    const auto axial = reference::gamma_matrix(k) * gamma5;  // axial_k
    HadronSelection selection{.positions = {kSource}, .channels = {"proton"}, .inverse = {.residual = 1e-13}};
    dirac::WilsonParameters light{.kappa = 0.12, .clover = 1.1, .clover_temporal = 1.1};
    selection.quarks = {{"l", light}};
    selection.combinations = {{0, 0, 0}};
    for (const int place : {0, 2})
      selection.fixed_sinks.push_back({.name = "f",
                                       .quarks = {0, 0, 0},
                                       .place = place,
                                       .channel = "proton",
                                       .projector = sink_projectors[std::size_t(1 + k)].value,
                                       .time = 2,
                                       .currents = {"axial_" + axis}});
    const auto m = measure_hadrons(selection, test::from_reference<double, 1>(u));
    reference::SpinMatrix projector = gamma5 * reference::gamma_matrix(k);
    {
      const auto with_time = gamma4 * projector;
      for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column)
          projector(row, column) = Complex(0, 0.5) * (projector(row, column) + with_time(row, column));
    }
    const reference::SpinMatrix diquark = reference::gamma_matrix(1) * gamma4 * gamma5;
    for (int tau = 0; tau < 4; ++tau) {
      reference::Propagator with_current(std::size_t(u.volume()), reference::DenseMatrix(12));
      for (int y = 0; y < u.volume(); ++y) {
        if (u.site(y)[3] != (kSource[3] + tau) % 4) continue;
        reference::DenseMatrix right(12);
        for (int row = 0; row < 12; ++row)
          for (int column = 0; column < 12; ++column)
            for (int spin = 0; spin < 4; ++spin)
              right(row, column) += axial(row / 3, spin) * s[std::size_t(y)](3 * spin + row % 3, column);
        for (int x = 0; x < u.volume(); ++x)
          with_current[std::size_t(x)] = with_current[std::size_t(x)] + block(x, y) * right;
      }
      const auto plain = seen(s), inserted = seen(with_current);
      // On the d quark; and on the u quarks, the part that is linear in the current.
      const auto correlator = [&](const reference::Propagator& up, const reference::Propagator& down) {
        const reference::BaryonOperator proton{{1.0, {0, 1, 0}, diquark}};
        return reference::baryon_correlator(size, {up, down}, proton, proton, projector, {0, 0, 0})[2];
      };
      auto plus = plain, minus = plain;
      for (std::size_t x = 0; x < plain.size(); ++x) {
        plus[x] = plain[x] + inserted[x];
        minus[x] = plain[x] - inserted[x];
      }
      const Complex on_u = (correlator(plus, plain) - correlator(minus, plain)) / 2.0,
                    on_d = correlator(plain, inserted);
      const double scale = std::abs(correlator(plus, plain)) + std::abs(on_u);
      EXPECT_LT(std::abs(m.fixed_sinks[0][std::size_t(tau)] - on_u), 1e-10 * scale) << axis << tau;
      EXPECT_LT(std::abs(m.fixed_sinks[1][std::size_t(tau)] - on_d), 1e-10 * scale) << axis << tau;
      EXPECT_GT(std::abs(on_d), 1e-6 * scale);
    }
  }
}

// With boundaries in time nothing goes around, and nothing gets a sign: S' Gamma S from the dense matrices of both
// quarks, for currents at all times, also before the source and where there are no quarks.
TEST(FixedSinks, BetweenBoundariesTheyAreThoseOfDenseMatrices) {
  const reference::Site size{2, 2, 2, 6};
  const Coordinate source{1, 0, 1, 2};
  const Momentum p{1, 0, 1}, q{0, -1, 1};
  const double kappas[] = {0.12, 0.11};
  for (const auto& boundary : {test::open_boundary, test::schroedinger_functional(4)}) {
    const int last = boundary.last_slice(size) - 1, time = last - source[3];
    const auto u = test::with_boundary(reference::hot_configuration(size, 65), boundary);
    std::vector<reference::LuDecomposition> lu;
    for (const double kappa : kappas)
      lu.push_back(reference::lu_decomposition(reference::dense_wilson({u,
                                                                        {.kappa = kappa,
                                                                         .clover = 1.1,
                                                                         .clover_temporal = 1.1,
                                                                         .first_slice = 1,
                                                                         .last_slice = last,
                                                                         .c_f = 0.9}})));
    const auto solve = [&](std::size_t quark, const auto& columns) {
      reference::Propagator s(std::size_t(u.volume()), reference::DenseMatrix(12));
      for (int column = 0; column < 12; ++column) {
        reference::DenseVector b(12 * s.size());
        for (std::size_t n = 0; n < s.size(); ++n)
          for (int row = 0; row < 12; ++row) b[12 * n + std::size_t(row)] = 2 * kappas[quark] * columns[n](row, column);
        const auto x = reference::solve(lu[quark], b);
        for (std::size_t n = 0; n < s.size(); ++n)
          for (int row = 0; row < 12; ++row) s[n](row, column) = x[12 * n + std::size_t(row)];
      }
      return s;
    };
    const reference::Propagator nothing(std::size_t(u.volume()), reference::DenseMatrix(12));
    auto point = nothing;
    for (int k = 0; k < 12; ++k) point[std::size_t(u.index(source))](k, k) = 1;
    const reference::Propagator from_source[] = {solve(0, point), solve(1, point)};
    const auto seen = [&](const reference::Propagator& s) {
      return reference::seen_from_source(size, s, source, {0, 0, 0, 0});
    };
    // The second quark after a current on the first.
    const auto after_current = [&](const reference::SpinMatrix& gamma, int tau) {
      auto current = nothing;
      for (int y = 0; y < u.volume(); ++y) {
        const auto site = u.site(y);
        if (site[3] != (source[3] + tau) % size[3]) continue;
        double angle = 0;
        for (std::size_t j = 0; j < 3; ++j) angle += 2 * std::numbers::pi * q[j] * (site[j] - source[j]) / size[j];
        for (int row = 0; row < 12; ++row)
          for (int column = 0; column < 12; ++column)
            for (int spin = 0; spin < 4; ++spin)
              current[std::size_t(y)](row, column) += std::polar(1.0, angle) * gamma(row / 3, spin) *
                                                      from_source[0][std::size_t(y)](3 * spin + row % 3, column);
      }
      return seen(solve(1, current));
    };

    HadronSelection s{.positions = {source}, .channels = {"pion"}, .inverse = {.residual = 1e-13}};
    s.quark.boundary = boundary;
    for (const double kappa : kappas)
      s.quarks.push_back({kappa == kappas[0] ? "l" : "s",
                          {.kappa = kappa, .clover = 1.1, .clover_temporal = 1.1, .boundary = boundary, .c_f = 0.9}});
    s.combinations = {{0, 1}};
    const FixedSink pion{.name = "pion",
                         .quarks = {0, 1},
                         .place = 0,
                         .to = 1,
                         .channel = "pion",
                         .momentum = p,
                         .time = time,
                         .currents = {"vector_t", "axial_y"},
                         .momenta = {q}};
    auto proton = pion;
    proton.name = "proton";
    proton.quarks = {1, 1, 0};
    proton.place = 2;
    proton.channel = "proton";
    s.fixed_sinks = {pion, proton};
    const reference::SpinMatrix matrices[] = {reference::gamma_matrix(3),
                                              reference::gamma_matrix(1) * reference::gamma5()};
    std::vector<Complex> wanted[2];
    for (const auto& gamma : matrices)
      for (int tau = 0; tau < size[3]; ++tau) {
        const auto s_after = after_current(gamma, tau), other = seen(from_source[1]);
        wanted[0].push_back(reference::meson_correlator(size, s_after, other, reference::gamma5(), reference::gamma5(),
                                                        p)[std::size_t(time)]);
        wanted[1].push_back(reference::proton_correlator(size, other, s_after, 1, p)[std::size_t(time)]);
      }
    test::for_each_lane_count(size, [&]<int W>() {
      const auto m = measure_hadrons(s, test::from_reference<double, W>(u));
      ASSERT_EQ(m.fixed_sinks.size(), 2u);
      for (const std::size_t sink : {0, 1}) {
        ASSERT_EQ(m.fixed_sinks[sink].size(), wanted[sink].size());
        double scale = 0;
        for (const auto& c : wanted[sink]) scale = std::max(scale, std::abs(c));
        for (std::size_t k = 0; k < wanted[sink].size(); ++k) {
          const int slice = (source[3] + int(k)) % size[3];
          EXPECT_LT(std::abs(m.fixed_sinks[sink][k] - wanted[sink][k]), 1e-10 * scale) << sink << " " << k;
          EXPECT_EQ(m.fixed_sinks[sink][k] == 0.0, slice == 0 || slice > last) << sink << " " << k;
        }
      }
    });
    // A sink beyond the quarks, also if a lattice that is periodic has quarks there.
    for (const int beyond : {time + 1, size[3] - 1}) {
      s.fixed_sinks[0].time = beyond;
      EXPECT_THROW(require_valid(s, size), InputError) << beyond;
    }
  }
}

TEST(FixedSinks, WhatCannotBeIsAnError) {
  const Coordinate size{4, 4, 4, 8};
  HadronSelection s{.channels = {"pion", "proton"}};
  s.quarks = {{"l", quark(0.12)}, {"s", quark(0.11)}};
  s.combinations = {{0, 1}, {0, 0, 1}};
  const FixedSink good{
      .name = "f", .quarks = {0, 0, 1}, .place = 2, .channel = "proton", .time = 3, .currents = {"vector_t"}};
  const auto with = [&](const auto& change) {
    auto sink = good;
    change(sink);
    auto selection = s;
    selection.fixed_sinks = {sink};
    return selection;
  };
  EXPECT_NO_THROW(require_valid(with([](auto&) {}), size));
  EXPECT_THROW(require_valid(with([](auto& f) { f.quarks = {0, 1, 1}; }), size), InputError);
  EXPECT_THROW(require_valid(with([](auto& f) { f.channel = "pion"; }), size), InputError);
  EXPECT_THROW(require_valid(with([](auto& f) { f.time = 8; }), size), InputError);
  EXPECT_THROW(require_valid(with([](auto& f) { f.place = 3; }), size), InputError);
  EXPECT_THROW(require_valid(with([](auto& f) { f.to = 2; }), size), InputError);
  EXPECT_THROW(require_valid(with([](auto& f) { f.currents = {"rho"}; }), size), InputError);
  EXPECT_THROW(require_valid(with([](auto& f) { f.momentum = {3, 0, 0}; }), size), InputError);
  EXPECT_THROW(require_valid(with([](auto& f) {
                               f.channel = "pion";
                               f.quarks = {0, 1};
                               f.place = 1;
                             }),
                             size),
               InputError);
  EXPECT_THROW(require_valid(with([](auto& f) {
                               f.channel = "decuplet";
                               f.projector = SinkProjector::polarised_x;
                             }),
                             size),
               InputError);
}

}  // namespace
}  // namespace trellis::measure

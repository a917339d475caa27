// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Mesons from noise: with full dilution the average over all point sources of a slice, from the inverse of the dense
// matrix; on average the same without.
#include "trellis/measure/hadrons/noise_source.hpp"

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

// The lattice, the slice of the source, and what quarks are there.
struct Setting {
  reference::Site size{2, 2, 2, 4};
  int time = 3;
  gauge::Boundary boundary = {};

  dirac::WilsonParameters quark(double kappa) const {
    return {.kappa = kappa,
            .clover = 1.1,
            .clover_temporal = 1.1,
            .boundary = boundary,
            .c_f = boundary.is_periodic() ? 1 : 0.9};
  }
  reference::WilsonQuark reference_quark(double kappa) const {
    reference::WilsonQuark quark{.kappa = kappa, .clover = 1.1, .clover_temporal = 1.1};
    if (boundary.is_periodic()) return quark;
    quark.first_slice = 1;
    quark.last_slice = boundary.last_slice(size) - 1;
    quark.c_f = 0.9;
    return quark;
  }
  reference::GaugeConfiguration links(int seed) const {
    const auto u = reference::hot_configuration(size, std::uint64_t(seed));
    return boundary.is_periodic() ? u : test::with_boundary(u, boundary);
  }
};
const Setting periodic;
const Setting between_boundaries[] = {{{2, 2, 2, 6}, 3, test::open_boundary},
                                      {{2, 2, 2, 6}, 1, test::schroedinger_functional(4)}};

HadronSelection selection(const NoiseParameters& noise, std::vector<std::string> channels,
                          const Setting& setting = periodic) {
  HadronSelection s{.quark = setting.quark(1),
                    .source = QuarkSourceKind::noise,
                    .positions = {{0, 0, 0, setting.time}},
                    .noise = noise,
                    .momenta = {{0, 0, 0}, {1, 0, 1}},
                    .channels = std::move(channels),
                    .inverse = {.residual = 1e-13}};
  s.quarks = {{"l", setting.quark(0.12)}, {"s", setting.quark(0.11)}};
  s.combinations = {{0, 0}, {0, 1}, {1, 0}};
  return s;
}

// By quark the propagators from each site of the slice, as seen from there.
std::vector<std::vector<reference::Propagator>> all_propagators(const reference::GaugeConfiguration& u,
                                                                const Setting& setting = periodic) {
  std::vector<std::vector<reference::Propagator>> all;
  for (const double kappa : {0.12, 0.11}) {
    const auto lu = reference::lu_decomposition(reference::dense_wilson({u, setting.reference_quark(kappa)}));
    auto& own = all.emplace_back();
    for (int y = 0; y < u.volume(); ++y) {
      if (u.site(y)[3] != setting.time) continue;
      reference::Propagator s(std::size_t(u.volume()), reference::DenseMatrix(12));
      for (int column = 0; column < 12; ++column) {
        reference::DenseVector b(std::size_t(12 * u.volume()));
        b[std::size_t(12 * y + column)] = 2 * kappa;
        const auto x = reference::solve(lu, b);
        for (std::size_t n = 0; n < s.size(); ++n)
          for (int row = 0; row < 12; ++row) s[n](row, column) = x[12 * n + std::size_t(row)];
      }
      own.push_back(
          reference::seen_from_source(u.size, s, u.site(y), {0, 0, 0, setting.boundary.is_periodic() ? 1.0 : 0.0}));
    }
  }
  return all;
}

reference::SpinMatrix gamma_of(const std::string& channel) {
  if (channel == "pion") return reference::gamma5();
  for (std::size_t g = 0; g < 16; ++g)
    if (meson_channels()[g].name == channel) return reference::sixteen_gammas()[g].matrix;
  return {};
}

reference::Correlator average(const std::vector<std::vector<reference::Propagator>>& all, const QuarkCombination& q,
                              const std::string& channel, const Momentum& momentum, const Setting& setting = periodic) {
  const auto gamma = gamma_of(channel);
  reference::Correlator sum(std::size_t(setting.size[3]));
  const auto& sources = all[0].size();
  for (std::size_t y = 0; y < sources; ++y) {
    const auto c = reference::meson_correlator(setting.size, all[std::size_t(q[0])][y], all[std::size_t(q[1])][y],
                                               gamma, gamma, momentum);
    for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += reference::meson_sign(gamma) * c[t] / double(sources);
  }
  return sum;
}

void expect_averages_over_points(const Setting& setting, int seed, const std::vector<NoiseKind>& kinds) {
  const auto u = setting.links(seed);
  const auto all = all_propagators(u, setting);
  const auto times = std::size_t(setting.size[3]);
  for (const auto kind : kinds) {
    const auto s = selection({.kind = kind, .dilution = NoiseDilution::spin_colour, .spacing = {2, 2, 2}, .seed = 5},
                             {"pion", "scalar", "axial_t", "vector_y", "tensor_xt"}, setting);
    const auto hadrons = s.hadrons();
    test::for_each_lane_count(setting.size, [&]<int W>() {
      const auto m = measure_hadrons(s, test::from_reference<double, W>(u));
      for (std::size_t k = 0; k < hadrons.size(); ++k)
        for (std::size_t p = 0; p < 2; ++p) {
          const auto wanted = average(all, hadrons[k].combination, hadrons[k].channel, s.momenta[p], setting);
          double scale = 0;
          for (const auto& c : wanted) scale = std::max(scale, std::abs(c));
          for (std::size_t t = 0; t < times; ++t)
            EXPECT_LT(std::abs(m.at(k)[times * p + t] - wanted[t]), 1e-10 * scale)
                << hadrons[k].quarks << " " << hadrons[k].channel << " " << p << t;
        }
    });
  }
}

TEST(NoiseSources, WithFullDilutionTheyAreTheAverageOverPointSources) {
  expect_averages_over_points(periodic, 51, {NoiseKind::z2, NoiseKind::z4, NoiseKind::u1});
}

TEST(NoiseSources, AlsoBetweenBoundaries) {
  expect_averages_over_points(between_boundaries[0], 53, {NoiseKind::u1});
  expect_averages_over_points(between_boundaries[1], 54, {NoiseKind::z2});
}

// Zero where there are no quarks, and from slices without quarks nothing.
TEST(NoiseSources, AreOnSlicesWithQuarks) {
  for (const auto& setting : between_boundaries) {
    const int last = setting.boundary.last_slice(setting.size) - 1;
    auto s = selection({.dilution = NoiseDilution::none}, {"pion"}, setting);
    s.quarks.clear();
    s.combinations.clear();
    s.kappas = {0.12};
    s.momenta = {{0, 0, 0}};
    const auto u = test::from_reference<double, 1>(setting.links(55));
    const auto m = measure_hadrons(s, u);
    for (int t = 0; t < 6; ++t) {
      const int slice = (setting.time + t) % 6;
      EXPECT_EQ(m.correlators[std::size_t(t)] == 0.0, slice == 0 || slice > last) << t;
    }
    for (const int t : {0, last + 1}) {
      s.positions = {{0, 0, 0, t}};
      EXPECT_THROW(measure_hadrons(s, u), InputError) << t;
    }
  }
}

void expect_convergence(const Setting& setting, int seed, NoiseKind kind, NoiseDilution dilution) {
  constexpr int vectors = 60;
  const auto u = setting.links(seed);
  const auto all = all_propagators(u, setting);
  const auto channels = dilution == NoiseDilution::spin ? std::vector<std::string>{"pion", "axial_t", "vector_y"}
                                                        : std::vector<std::string>{"pion"};
  auto s = selection({.kind = kind, .dilution = dilution, .vectors = vectors, .seed = 6}, channels, setting);
  s.inverse.residual = 1e-10;
  const auto hadrons = s.hadrons();
  const auto m = measure_hadrons(s, test::from_reference<double, 1>(u));
  ASSERT_EQ(m.sources, vectors);
  const auto times = std::size_t(setting.size[3]);
  double chi2 = 0;
  int count = 0;
  for (std::size_t k = 0; k < hadrons.size(); ++k)
    for (std::size_t p = 0; p < 2; ++p) {
      const auto wanted = average(all, hadrons[k].combination, hadrons[k].channel, s.momenta[p], setting);
      for (std::size_t t = 0; t < times; ++t) {
        if (!dirac::wilson_slices(setting.boundary, setting.size).contain((setting.time + int(t)) % int(times)))
          continue;
        double sum = 0, squares = 0;
        for (std::size_t n = 0; n < vectors; ++n) {
          const double value = m.at(k)[2 * times * n + times * p + t].real();
          sum += value;
          squares += value * value;
        }
        const double mean = sum / vectors, variance = (squares / vectors - mean * mean) / (vectors - 1);
        const double deviation = mean - wanted[t].real();
        EXPECT_GT(variance, 0);
        EXPECT_LT(deviation * deviation, 20 * variance) << hadrons[k].quarks << " " << hadrons[k].channel << p << t;
        chi2 += deviation * deviation / variance;
        ++count;
      }
    }
  EXPECT_LT(chi2 / count, 3) << int(kind) << int(dilution);
}

// The mean of many vectors differs by a few of its own errors.
TEST(NoiseSources, ConvergeToTheAverageOverPointSources) {
  expect_convergence(periodic, 52, NoiseKind::z2, NoiseDilution::none);
  expect_convergence(periodic, 52, NoiseKind::u1, NoiseDilution::colour);
  expect_convergence(periodic, 52, NoiseKind::z4, NoiseDilution::spin);
  expect_convergence(between_boundaries[1], 57, NoiseKind::z2, NoiseDilution::none);
}

TEST(NoiseSources, HaveModulusOneOnOneSliceAndTheSameBitsWithAnyLanes) {
  const Coordinate size{4, 4, 4, 8};
  for (const auto kind : {NoiseKind::z2, NoiseKind::z4, NoiseKind::u1}) {
    const NoiseParameters noise{.kind = kind, .dilution = NoiseDilution::none, .seed = 7, .trajectory = 3};
    const FullSpinors<double, 1> alone(Lattice(size, 1, SiteOrder::even_odd), 1);
    noise_source<1>(noise, 2, 0, 5, {0, 0, 0}, alone);
    Complex sum = 0, squares = 0;
    for (std::int64_t n = 0; n < alone.lattice().volume(); ++n) {
      const auto x = alone.lattice().coordinate(n);
      const auto values = alone.at(x);
      for (std::size_t k = 0; k < 12; ++k) {
        const Complex value(values[2 * k], values[2 * k + 1]);
        EXPECT_NEAR(std::abs(value), x[3] == 5 ? 1.0 : 0.0, 1e-15);
        if (kind == NoiseKind::z2) {
          EXPECT_EQ(value.imag(), 0);
        }
        sum += value;
        squares += value * value;
      }
    }
    const double most = 4 * std::sqrt(64 * 12.0);
    EXPECT_LT(std::abs(sum), most);
    if (kind != NoiseKind::z2) {
      EXPECT_LT(std::abs(squares), most);
    }
    test::for_each_lane_count(size, [&]<int W>() {
      const FullSpinors<double, W> b(Lattice(size, W, SiteOrder::even_odd), 1);
      noise_source<W>(noise, 2, 0, 5, {0, 0, 0}, b);
      for (std::int64_t n = 0; n < alone.lattice().volume(); ++n) {
        const auto x = alone.lattice().coordinate(n);
        EXPECT_EQ(b.at(x), alone.at(x));
      }
    });
    // Other vectors and trajectories have other numbers.
    for (const auto& [vector, trajectory] : {std::pair{1, 3U}, {2, 4U}}) {
      auto other = noise;
      other.trajectory = trajectory;
      const auto b = alone.like();
      noise_source<1>(other, vector, 0, 5, {0, 0, 0}, b);
      EXPECT_NE(b.at({0, 0, 0, 5}), alone.at({0, 0, 0, 5}));
    }
  }
}

// Parts add up to the whole, and dilutions share the numbers.
TEST(NoiseSources, AreDiluted) {
  const Coordinate size{4, 2, 4, 4};
  const Lattice lattice(size, 1, SiteOrder::even_odd);
  const NoiseParameters whole{.dilution = NoiseDilution::spin, .seed = 8};
  const FullSpinors<double, 1> b(lattice, 4), part = b.like(), sum = b.like();
  noise_source<1>(whole, 0, 0, 1, {1, 0, 0}, b);
  auto diluted = whole;
  diluted.spacing = {2, 1, 4};
  ASSERT_EQ(diluted.parts(), 8);
  std::vector<int> found(std::size_t(lattice.volume()));
  for (int k = 0; k < diluted.parts(); ++k) {
    noise_source<1>(diluted, 0, k, 1, {1, 0, 0}, part);
    for (std::int64_t n = 0; n < lattice.volume(); ++n) {
      const auto x = lattice.coordinate(n);
      if (part.at(x, 2) == std::array<double, 24>{}) continue;
      ++found[std::size_t(n)];
      for (int column = 0; column < 4; ++column) {
        EXPECT_EQ(part.at(x, column), b.at(x, column));
        for (std::size_t k12 = 0; k12 < 12; ++k12)
          EXPECT_EQ(k12 / 3 == std::size_t(column),
                    std::abs(Complex(b.at(x, column)[2 * k12], b.at(x, column)[2 * k12 + 1])) > 0.5);
      }
    }
  }
  for (std::int64_t n = 0; n < lattice.volume(); ++n)
    EXPECT_EQ(found[std::size_t(n)], lattice.coordinate(n)[3] == 1 ? 1 : 0);
}

TEST(NoiseSources, WhatTheyCannotDoIsAnError) {
  const Coordinate size{4, 4, 4, 8};
  const NoiseParameters spin{}, none{.dilution = NoiseDilution::none};
  EXPECT_NO_THROW(require_valid(selection(spin, {"pion", "rho"}), size));
  EXPECT_NO_THROW(require_valid(selection(none, {"pion"}), size));
  EXPECT_THROW(require_valid(selection(none, {"rho"}), size), InputError);
  EXPECT_THROW(require_valid(selection(spin, {"proton"}), size), InputError);
  EXPECT_THROW(require_valid(selection({.vectors = 0}, {"pion"}), size), InputError);
  EXPECT_THROW(require_valid(selection({.spacing = {3, 1, 1}}, {"pion"}), size), InputError);
  auto current = selection(spin, {"pion"});
  current.quarks.push_back({"j", periodic.quark(0.12), QuarkCurrent{0, "scalar", {0, 0, 0}, {}}});
  current.combinations = {{2, 0}};
  EXPECT_THROW(require_valid(current, size), InputError);
}

}  // namespace
}  // namespace trellis::measure

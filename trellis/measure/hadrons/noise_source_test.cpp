// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Mesons from noise: with full dilution the average over all point sources of a slice, from the inverse of the dense
// matrix; on average the same without.
#include "trellis/measure/hadrons/noise_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/hadrons.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/core/error.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::measure {
namespace {

using Complex = std::complex<double>;
const reference::Site kLattice{2, 2, 2, 4};
constexpr int kTime = 3;

dirac::WilsonParameters quark(double kappa) { return {.kappa = kappa, .clover = 1.1, .clover_temporal = 1.1}; }

HadronSelection selection(const NoiseParameters& noise, std::vector<std::string> channels) {
  HadronSelection s{.source = QuarkSourceKind::noise,
                    .positions = {{0, 0, 0, kTime}},
                    .noise = noise,
                    .momenta = {{0, 0, 0}, {1, 0, 1}},
                    .channels = std::move(channels),
                    .inverse = {.residual = 1e-13}};
  s.quarks = {{"l", quark(0.12)}, {"s", quark(0.11)}};
  s.combinations = {{0, 0}, {0, 1}, {1, 0}};
  return s;
}

// By quark the propagators from each site of the slice, as seen from there.
std::vector<std::vector<reference::Propagator>> all_propagators(const reference::GaugeConfiguration& u) {
  std::vector<std::vector<reference::Propagator>> all;
  for (const double kappa : {0.12, 0.11}) {
    const auto inverse = reference::inverse(reference::dense_wilson({u, {kappa, 1.1, 1.1}}));
    auto& own = all.emplace_back();
    for (int y = 0; y < u.volume(); ++y) {
      if (u.site(y)[3] != kTime) continue;
      reference::Propagator s(std::size_t(u.volume()), reference::DenseMatrix(12));
      for (int x = 0; x < u.volume(); ++x)
        for (int row = 0; row < 12; ++row)
          for (int column = 0; column < 12; ++column)
            s[std::size_t(x)](row, column) = 2 * kappa * inverse(12 * x + row, 12 * y + column);
      own.push_back(reference::seen_from_source(u.size, s, u.site(y), {0, 0, 0, 1}));
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
                              const std::string& channel, const Momentum& momentum) {
  const auto gamma = gamma_of(channel);
  reference::Correlator sum(4);
  const auto& sources = all[0].size();
  for (std::size_t y = 0; y < sources; ++y) {
    const auto c = reference::meson_correlator(kLattice, all[std::size_t(q[0])][y], all[std::size_t(q[1])][y], gamma,
                                               gamma, momentum);
    for (std::size_t t = 0; t < 4; ++t) sum[t] += reference::meson_sign(gamma) * c[t] / double(sources);
  }
  return sum;
}

TEST(NoiseSources, WithFullDilutionTheyAreTheAverageOverPointSources) {
  const auto u = reference::hot_configuration(kLattice, 51);
  const auto all = all_propagators(u);
  for (const auto kind : {NoiseKind::z2, NoiseKind::z4, NoiseKind::u1}) {
    const auto s = selection({.kind = kind, .dilution = NoiseDilution::spin_colour, .spacing = {2, 2, 2}, .seed = 5},
                             {"pion", "scalar", "axial_t", "vector_y", "tensor_xt"});
    const auto hadrons = s.hadrons();
    test::for_each_lane_count(kLattice, [&]<int W>() {
      const auto m = measure_hadrons(s, test::from_reference<double, W>(u));
      for (std::size_t k = 0; k < hadrons.size(); ++k)
        for (std::size_t p = 0; p < 2; ++p) {
          const auto wanted = average(all, hadrons[k].combination, hadrons[k].channel, s.momenta[p]);
          double scale = 0;
          for (const auto& c : wanted) scale = std::max(scale, std::abs(c));
          for (std::size_t t = 0; t < 4; ++t)
            EXPECT_LT(std::abs(m.at(k)[4 * p + t] - wanted[t]), 1e-10 * scale)
                << hadrons[k].quarks << " " << hadrons[k].channel << " " << p << t;
        }
    });
  }
}

// The mean of many vectors differs by a few of its own errors.
TEST(NoiseSources, ConvergeToTheAverageOverPointSources) {
  const auto u = reference::hot_configuration(kLattice, 52);
  const auto all = all_propagators(u);
  constexpr int vectors = 60;
  for (const auto& [kind, dilution] : {std::pair{NoiseKind::z2, NoiseDilution::none},
                                       {NoiseKind::u1, NoiseDilution::colour},
                                       {NoiseKind::z4, NoiseDilution::spin}}) {
    const auto channels = dilution == NoiseDilution::spin ? std::vector<std::string>{"pion", "axial_t", "vector_y"}
                                                          : std::vector<std::string>{"pion"};
    auto s = selection({.kind = kind, .dilution = dilution, .vectors = vectors, .seed = 6}, channels);
    s.inverse.residual = 1e-10;
    const auto hadrons = s.hadrons();
    const auto m = measure_hadrons(s, test::from_reference<double, 1>(u));
    ASSERT_EQ(m.sources, vectors);
    double chi2 = 0;
    int count = 0;
    for (std::size_t k = 0; k < hadrons.size(); ++k)
      for (std::size_t p = 0; p < 2; ++p) {
        const auto wanted = average(all, hadrons[k].combination, hadrons[k].channel, s.momenta[p]);
        for (std::size_t t = 0; t < 4; ++t) {
          double sum = 0, squares = 0;
          for (std::size_t n = 0; n < vectors; ++n) {
            const double value = m.at(k)[8 * n + 4 * p + t].real();
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
  current.quarks.push_back({"j", quark(0.12), QuarkCurrent{0, "scalar", {0, 0, 0}, {}}});
  current.combinations = {{2, 0}};
  EXPECT_THROW(require_valid(current, size), InputError);
}

}  // namespace
}  // namespace trellis::measure

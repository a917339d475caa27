// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Mesons of noise sources (measure/hadrons/noise_source.hpp).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/app/verify/verify_hadrons.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/app/verify/verify_measurements.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/measure/hadrons/noise_source.hpp"

namespace trellis::app {
namespace {

using Complex = std::complex<double>;
using measure::NoiseDilution;
using measure::NoiseKind;

// How far a number is from those of its kind.
double deviation(NoiseKind kind, Complex xi) {
  const double re = std::abs(xi.real()), im = std::abs(xi.imag());
  switch (kind) {
    case NoiseKind::z2:
      return std::max(std::abs(re - 1), im);
    case NoiseKind::z4:
      return std::max(std::abs(re - std::sqrt(0.5)), std::abs(im - std::sqrt(0.5)));
    default:
      return std::abs(std::abs(xi) - 1);
  }
}

// S with these columns, all others zero.
NaivePropagator propagator_with(const std::vector<NaiveField<12>>& columns, const std::vector<int>& places,
                                double factor) {
  NaivePropagator s(columns.front().size());
  for (std::size_t n = 0; n < columns.size(); ++n)
    for (std::size_t x = 0; x < s.size(); ++x)
      for (std::size_t row = 0; row < 12; ++row) s[x][row][std::size_t(places[n])] = factor * columns[n][x][row];
  return s;
}

}  // namespace

void fit_noise(measure::NoiseParameters& noise, const Coordinate& size) {
  noise.vectors = 1;
  for (std::size_t i = 0; i < 3; ++i) noise.spacing[i] = std::gcd(std::gcd(noise.spacing[i], size[i]), 2);
}

Outcome check_noise_source(const measure::NoiseParameters& noise, int time, const NaiveLinks& shape,
                           const std::vector<std::vector<NaiveField<12>>>& parts) {
  const bool by_spin = noise.dilution == NoiseDilution::spin || noise.dilution == NoiseDilution::spin_colour,
             by_colour = noise.dilution == NoiseDilution::colour || noise.dilution == NoiseDilution::spin_colour;
  double worst = 0;
  for (std::size_t x = 0; x < shape.volume(); ++x) {
    std::array<int, 12> times_found{};
    for (const auto& columns : parts)
      for (std::size_t n = 0; n < columns.size(); ++n)
        for (std::size_t k = 0; k < 12; ++k) {
          const Complex xi = columns[n][x][k];
          if (xi == 0.0) continue;
          ++times_found[k];
          worst = std::max(worst, deviation(noise.kind, xi));
          const std::size_t own = by_spin && by_colour ? k : by_spin ? k / 3 : by_colour ? k % 3 : 0;
          if (n != own || shape.coordinate(x)[3] != time) worst = HUGE_VAL;
          // The same number for all components that are diluted.
          const std::size_t first = (by_spin ? 0 : 3 * (k / 3)) + (by_colour ? 0 : k % 3);
          const std::size_t column = by_spin && by_colour ? first : by_spin ? first / 3 : by_colour ? first % 3 : 0;
          worst = std::max(worst, std::abs(xi - columns[column][x][first]));
        }
    for (const int count : times_found)
      if (count != (shape.coordinate(x)[3] == time ? 1 : 0)) worst = HUGE_VAL;
  }
  return at_most(worst, 10 * operation_rounding);
}

template <int W>
void check_noise(const measure::HadronSelection& s, const std::string& name, const NaiveCase<W>& c,
                 const measure::WilsonInverse<W>& inverse, VerifyReport& report) {
  const auto& size = c.u.lattice().size();
  const auto source = s.sources(size).front();
  const auto places = measure::propagator_columns(s.noise.dilution);
  const measure::FullSpinors<double, W> b(c.u.lattice(), int(places.size())), x = b.like();
  const auto naive_columns = [&](const measure::FullSpinors<double, W>& field) {
    std::vector<NaiveField<12>> columns;
    for (int n = 0; n < field.count(); ++n) columns.push_back(naive_field<W>(field, n));
    return columns;
  };
  const auto fill = [&](int part, const measure::Momentum& momentum) {
    measure::noise_source<W>(s.noise, 0, part, source[3], momentum, b);
    return naive_columns(b);
  };
  std::vector<std::vector<NaiveField<12>>> parts;
  report.check(fmt::format("noise at t = {}: kinds of numbers and their places", source[3]), [&] {
    for (int part = 0; part < s.noise.parts(); ++part) parts.push_back(fill(part, {0, 0, 0}));
    return check_noise_source(s.noise, source[3], c.shape, parts);
  });
  // Solutions by part: of the source at rest, and of each momentum.
  std::vector<std::vector<NaiveField<12>>> at_rest;
  std::vector<std::vector<std::vector<NaiveField<12>>>> moving;
  report.check(fmt::format("|b - M S| / |b| at {}, naive M", name), [&] {
    std::vector<NaiveField<12>> all_b, all_x;
    const auto solve = [&](int part, const measure::Momentum& momentum) {
      const auto own_b = fill(part, momentum);
      inverse(b, x, "hadrons");
      auto own_x = naive_columns(x);
      all_b.insert(all_b.end(), own_b.begin(), own_b.end());
      all_x.insert(all_x.end(), own_x.begin(), own_x.end());
      return own_x;
    };
    for (int part = 0; part < s.noise.parts(); ++part) {
      at_rest.push_back(solve(part, {0, 0, 0}));
      auto& of_part = moving.emplace_back();
      for (const auto& momentum : s.momenta) of_part.push_back(solve(part, momentum));
    }
    return compare_solutions(c.naive, all_b, all_x, s.quark, c.smearing, s.inverse.residual);
  });
  if (moving.empty()) return;
  std::optional<measure::HadronMeasurement> measured;
  for (std::size_t sink = 0; sink < s.sinks.size(); ++sink)
    report.check(fmt::format("mesons at {}, {} sink, over the sums of |S|^2", name, sink_name(s.sinks[sink])), [&] {
      if (!measured) measured = measure::measure_hadrons(s, c.u);
      const bool smear = s.sinks[sink] == measure::QuarkSink::smeared;
      const auto propagator = [&](std::vector<NaiveField<12>> columns) {
        if (smear)
          for (auto& column : columns)
            column = naive_gaussian(c.spatial, s.gaussian, s.quark.boundary_angle_over_pi, std::move(column));
        return propagator_with(columns, places, 2 * s.quark.kappa);
      };
      double worst = 0;
      for (std::size_t k = 0; k < s.channels.size(); ++k)
        for (std::size_t p = 0; p < s.momenta.size(); ++p) {
          NaiveCorrelator expected{std::vector<Complex>(std::size_t(size[3])),
                                   std::vector<double>(std::size_t(size[3]))};
          for (std::size_t part = 0; part < at_rest.size(); ++part) {
            const auto one = naive_meson(size, propagator(moving[part][p]), propagator(at_rest[part]), s.channels[k],
                                         source, s.momenta[p], c.angles);
            const double sites = double(size[0]) * size[1] * size[2];
            for (std::size_t t = 0; t < expected.value.size(); ++t) {
              expected.value[t] += one.value[t] / sites;
              expected.scale[t] += one.scale[t] / sites;
            }
          }
          const auto times = std::size_t(measured->times);
          const auto all = measured->at(sink * s.channels.size() + k);
          worst = std::max(worst, correlator_difference(all.subspan(p * times, times), expected));
        }
      return at_most(worst, correlator_limit(smear ? s.gaussian.steps : 0));
    });
}

#define TRELLIS_INSTANTIATE(W)                                                                           \
  template void check_noise<W>(const measure::HadronSelection&, const std::string&, const NaiveCase<W>&, \
                               const measure::WilsonInverse<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

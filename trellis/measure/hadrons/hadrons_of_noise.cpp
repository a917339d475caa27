// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Mesons from noise sources: solutions of each quark for the source, and of those that are a meson's quark also for the
// source times exp(i p y), for each momentum other than zero.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/measure/hadrons.hpp"
#include "trellis/measure/hadrons/correlators_of_quarks.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::measure {

namespace {

// The correlators of two quarks, as they are ordered in HadronMeasurement.
struct Meson {
  int quark, antiquark;
  std::vector<std::string> channels;
  // By sink, the first channel's place.
  std::vector<std::size_t> places;
};

struct QuarksOfNoise {
  std::vector<ValenceQuark> quarks;
  std::vector<Meson> mesons;
  std::size_t correlators = 0;
};

QuarksOfNoise quarks_of_noise(const HadronSelection& s) {
  QuarksOfNoise all{.quarks = s.quarks, .mesons = {}};
  if (s.quarks.empty()) {
    for (std::size_t k = 0; k < s.kappas.size(); ++k) {
      auto parameters = s.quark;
      parameters.kappa = s.kappas[k];
      all.quarks.push_back({fmt::format("kappa = {}", parameters.kappa), parameters});
      Meson meson{int(k), int(k), s.channels, {}};
      for (std::size_t sink = 0; sink < s.sinks.size(); ++sink, all.correlators += s.channels.size())
        meson.places.push_back(all.correlators);
      all.mesons.push_back(std::move(meson));
    }
    return all;
  }
  const auto hadrons = s.hadrons();
  for (std::size_t k = 0; k < hadrons.size(); ++k) {
    const auto& c = hadrons[k].combination;
    if (k == 0 || hadrons[k - 1].combination != c) {
      Meson meson{c[0], c[1], {}, {}};
      for (std::size_t sink = 0; sink < s.sinks.size(); ++sink) meson.places.push_back(sink * hadrons.size() + k);
      all.mesons.push_back(std::move(meson));
    }
    all.mesons.back().channels.push_back(hadrons[k].channel);
  }
  all.correlators = s.sinks.size() * hadrons.size();
  return all;
}

// The solutions of one quark in the places of a propagator's columns.
template <int W>
class NoiseSolver {
 public:
  NoiseSolver(const HadronSelection& s, const QuarksOfNoise& all, const GaugeField<double, W>& links)
      : own_(propagator_columns(s.noise.dilution)), b_(links.lattice(), int(own_.size())), x_(b_.like()) {
    for (const auto& quark : all.quarks)
      inverses_.push_back(std::make_unique<WilsonInverse<W>>(links, quark.parameters, s.inverse));
  }

  const FullSpinors<double, W>& source() const { return b_; }
  void operator()(std::size_t quark, const std::string& name, const FullSpinors<double, W>& to,
                  HadronMeasurement& m) const {
    const auto report = (*inverses_[quark])(b_, x_, "hadrons of the quark " + name);
    m.iterations += report.iterations;
    m.residual = std::max(m.residual, *std::max_element(report.residuals.begin(), report.residuals.end()));
    to.set_zero();
    for (const std::size_t parity : {0, 1}) solver::scatter(x_.part[parity], own_, to.part[parity]);
  }

 private:
  std::vector<int> own_;
  FullSpinors<double, W> b_, x_;
  std::vector<std::unique_ptr<WilsonInverse<W>>> inverses_;
};

}  // namespace

template <int W>
HadronMeasurement measure_hadrons_of_noise(const HadronSelection& s, const GaugeField<double, W>& u) {
  const Stopwatch watch;
  const Lattice& lattice = u.lattice();
  require_valid(s, lattice.size());
  const auto sources = s.sources(lattice.size());
  HadronMeasurement m = no_correlators(s, lattice.size());
  const auto all = quarks_of_noise(s);
  const std::size_t times = std::size_t(m.times), block = sources.size() * s.momenta.size() * times;
  m.correlators.resize(all.correlators * block);
  const double slice = double(lattice.volume()) / lattice.size(3);

  const HadronSources<W> sources_of(s, u);
  const NoiseSolver<W> solve(s, all, sources_of.links());
  const FullSpinors<double, W> with_momentum(lattice, columns);
  const bool smear = has(s.sinks, QuarkSink::smeared);
  std::vector<FullSpinors<double, W>> plain, smeared;
  for (std::size_t q = 0; q < all.quarks.size(); ++q) plain.push_back(with_momentum.like());
  if (smear)
    for (const auto& one : plain) smeared.push_back(one.like());

  for (std::size_t n = 0; n < sources.size(); ++n)
    for (int part = 0; part < s.noise.parts(); ++part) {
      const int vector = static_cast<int>(n) % s.noise.vectors, time = sources[n][3];
      noise_source<W>(s.noise, vector, part, time, {0, 0, 0}, solve.source());
      for (std::size_t q = 0; q < all.quarks.size(); ++q) {
        solve(q, all.quarks[q].name, plain[q], m);
        if (!smear) continue;
        for (const std::size_t parity : {0, 1}) smeared[q].part[parity].copy_from(plain[q].part[parity]);
        sources_of.smear(smeared[q]);
      }
      for (std::size_t p = 0; p < s.momenta.size(); ++p) {
        const auto& momentum = s.momenta[p];
        const bool at_rest = momentum == Momentum{0, 0, 0};
        if (!at_rest) noise_source<W>(s.noise, vector, part, time, momentum, solve.source());
        const auto add = [&](const Meson& meson, QuarkSink sink, const FullSpinors<double, W>& quark) {
          const auto& antiquarks = sink == QuarkSink::smeared ? smeared : plain;
          const SinkParameters at{
              .source = sources[n], .momenta = {momentum}, .boundary_angle_over_pi = s.sink_angles()};
          const auto found =
              at_rest && meson.quark == meson.antiquark
                  ? hadron_correlators(quark, std::span<const std::string>(meson.channels), at)
                  : meson_correlators<W>(quark, antiquarks[std::size_t(meson.antiquark)], meson.channels, at);
          const auto place = std::find(s.sinks.begin(), s.sinks.end(), sink) - s.sinks.begin();
          const double factor = 4 * all.quarks[std::size_t(meson.quark)].parameters.kappa *
                                all.quarks[std::size_t(meson.antiquark)].parameters.kappa / slice;
          for (std::size_t c = 0; c < found.size(); ++c)
            for (std::size_t t = 0; t < times; ++t)
              m.correlators[(meson.places[std::size_t(place)] + c) * block + (n * s.momenta.size() + p) * times + t] +=
                  factor * found[c][t];
        };
        for (std::size_t q = 0; q < all.quarks.size(); ++q) {
          std::vector<const Meson*> own;
          for (const auto& meson : all.mesons)
            if (meson.quark == int(q)) own.push_back(&meson);
          if (own.empty()) continue;
          if (!at_rest) solve(q, all.quarks[q].name, with_momentum, m);
          if (has(s.sinks, QuarkSink::point))
            for (const auto* meson : own) add(*meson, QuarkSink::point, at_rest ? plain[q] : with_momentum);
          if (!smear) continue;
          if (!at_rest) sources_of.smear(with_momentum);
          for (const auto* meson : own) add(*meson, QuarkSink::smeared, at_rest ? smeared[q] : with_momentum);
        }
      }
    }
  m.seconds = watch.seconds();
  return m;
}

#define TRELLIS_INSTANTIATE(W) \
  template HadronMeasurement measure_hadrons_of_noise(const HadronSelection&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure

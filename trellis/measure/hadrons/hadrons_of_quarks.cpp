// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Named quarks: all propagators of a source first, each computed once, those with a current from an earlier one; and
// then the hadrons that they form, and those with fixed sinks.
#include <algorithm>
#include <cmath>
#include <memory>

#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/measure/hadrons.hpp"
#include "trellis/measure/hadrons/correlators_of_quarks.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::measure {

namespace {

template <int W>
std::vector<std::vector<std::complex<double>>> correlators_of(const std::vector<FullSpinors<double, W>>& propagators,
                                                              const QuarkCombination& q,
                                                              std::span<const std::string> channels,
                                                              const SinkParameters& sink) {
  if (q.size() == 3) return baryon_correlators<W>(propagators, {q[0], q[1], q[2]}, channels, sink);
  const auto &quark = propagators[std::size_t(q[0])], &antiquark = propagators[std::size_t(q[1])];
  return q[0] == q[1] ? hadron_correlators(quark, channels, sink) : meson_correlators(quark, antiquark, channels, sink);
}

// Smears copies: the propagators are needed as they are.
template <int W>
void sequential_source_of(const FixedSink& sink, const std::vector<FullSpinors<double, W>>& propagators,
                          const HadronSources<W>& sources, const SinkParameters& parameters,
                          const FullSpinors<double, W>& b) {
  if (!sink.smeared) return sequential_source<W>(sink, propagators, parameters, b);
  auto smeared = propagators;
  for (std::size_t q = 0; q < smeared.size(); ++q) {
    bool needed = false;
    for (std::size_t k = 0; k < sink.quarks.size(); ++k)
      needed = needed || (int(k) != sink.place && sink.quarks[k] == int(q));
    if (!needed) continue;
    smeared[q] = propagators[q].clone();
    sources.smear(smeared[q]);
  }
  sequential_source<W>(sink, smeared, parameters, b);
  sources.smear(b);
}

}  // namespace

template <int W>
HadronMeasurement measure_hadrons_of_quarks(const HadronSelection& s, const GaugeField<double, W>& u) {
  const Stopwatch watch;
  const Lattice& lattice = u.lattice();
  require_valid(s, lattice.size());
  const auto sources = s.sources(lattice.size());
  HadronMeasurement m = no_correlators(s, lattice.size());
  const auto hadrons = s.hadrons();
  const std::size_t length = s.momenta.size() * std::size_t(m.times), block = sources.size() * length;
  m.correlators.resize(s.sinks.size() * hadrons.size() * block);

  const HadronSources<W> sources_of(s, u);
  std::vector<std::unique_ptr<WilsonInverse<W>>> inverses;
  std::vector<FullSpinors<double, W>> propagators;
  const FullSpinors<double, W> b(lattice, columns);
  std::vector<double> factors;  // propagators are 2 kappa M^-1, with a current the product of two
  bool any_current = false;
  for (const auto& quark : s.quarks) {
    factors.push_back(2 * quark.parameters.kappa * (quark.current ? factors[std::size_t(quark.current->quark)] : 1));
    any_current = any_current || quark.current;
    inverses.push_back(std::make_unique<WilsonInverse<W>>(sources_of.links(), quark.parameters, s.inverse));
    propagators.push_back(b.like());
  }
  m.fixed_sinks.resize(s.fixed_sinks.size());
  std::optional<FullSpinors<double, W>> with_current;
  if (any_current) with_current = b.like();
  for (std::size_t n = 0; n < sources.size(); ++n) {
    sources_of.fill(sources[n], b);
    for (std::size_t q = 0; q < s.quarks.size(); ++q) {
      const auto& current = s.quarks[q].current;
      if (current) apply_current(*current, sources[n], propagators[std::size_t(current->quark)], *with_current);
      const auto report = (*inverses[q])(current ? *with_current : b, propagators[q],
                                         fmt::format("hadrons of the quark {}", s.quarks[q].name));
      m.iterations += report.iterations;
      m.residual = std::max(m.residual, *std::max_element(report.residuals.begin(), report.residuals.end()));
    }
    for (std::size_t k = 0; k < s.fixed_sinks.size(); ++k) {
      const auto& sink = s.fixed_sinks[k];
      sequential_source_of(
          sink, propagators, sources_of,
          {.source = sources[n], .momenta = {sink.momentum}, .boundary_angle_over_pi = s.sink_angles()}, b);
      const auto x = b.like();
      const auto report = (*inverses[std::size_t(sink.to)])(b, x, fmt::format("the fixed sink {}", sink.name));
      m.iterations += report.iterations;
      m.residual = std::max(m.residual, *std::max_element(report.residuals.begin(), report.residuals.end()));
      double factor = factors[std::size_t(sink.to)];
      for (const int q : sink.quarks) factor *= factors[std::size_t(q)];
      const auto& to_current = propagators[std::size_t(sink.quarks[std::size_t(sink.place)])];
      for (const auto& value : current_insertions(sink, x, to_current, sources[n]))
        m.fixed_sinks[k].push_back(factor * value);
    }
    // Smearing is in place, so the point sink comes first.
    for (const auto sink : {QuarkSink::point, QuarkSink::smeared}) {
      if (!has(s.sinks, sink)) continue;
      if (sink == QuarkSink::smeared)
        for (const auto& propagator : propagators) sources_of.smear(propagator);
      const auto place = std::size_t(std::find(s.sinks.begin(), s.sinks.end(), sink) - s.sinks.begin());
      for (std::size_t first = 0, last = 0; first < hadrons.size(); first = last) {
        const auto& combination = hadrons[first].combination;
        std::vector<std::string> channels;
        for (last = first; last < hadrons.size() && hadrons[last].combination == combination; ++last)
          channels.push_back(hadrons[last].channel);
        const auto all =
            correlators_of<W>(propagators, combination, channels,
                              {.source = sources[n], .momenta = s.momenta, .boundary_angle_over_pi = s.sink_angles()});
        double factor = 1;
        for (const int q : combination) factor *= factors[std::size_t(q)];
        for (std::size_t k = first; k < last; ++k)
          std::transform(all[k - first].begin(), all[k - first].end(),
                         m.correlators.begin() + std::ptrdiff_t((place * hadrons.size() + k) * block + n * length),
                         [=](const auto& value) { return factor * value; });
      }
    }
  }
  m.seconds = watch.seconds();
  return m;
}

#define TRELLIS_INSTANTIATE(W) \
  template HadronMeasurement measure_hadrons_of_quarks(const HadronSelection&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure

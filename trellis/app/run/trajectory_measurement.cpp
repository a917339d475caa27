// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/trajectory_measurement.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"

namespace trellis::app {

bool measures_quarks(const MeasureSection& section, std::uint32_t completed) {
  const auto due = [&](std::int64_t every) { return every > 0 && completed % every == 0; };
  return due(section.every) &&
         ((section.quarks && due(section.quarks->every)) || (section.hadrons && due(section.hadrons->every)) ||
          (section.staggered_hadrons && due(section.staggered_hadrons->every)));
}

template <int W>
Measurement measure_trajectory(const RunInput& input, const ObservableColumns& columns, std::uint32_t completed,
                               const GaugeField<double, W>& links) {
  const auto& section = input.measure;
  const auto seed = static_cast<std::uint64_t>(input.chain.seed);
  const auto due = [&](std::int64_t every) { return every > 0 && completed % every == 0; };
  Measurement m{measure::measure_gauge(gauge_selection(columns, section, due), links, input.boundary)};
  m.seconds = m.gauge.seconds;
  if (!due(section.every)) return m;
  if (const auto& job = columns.quarks; job && due(section.quarks->every))
    m.quarks = timed(m.seconds["quarks"], [&] {
      return measure::measure_quarks(job->selection, job->flavours, job->smearing, seed, completed, links);
    });
  if (const auto& job = columns.hadrons; job && due(section.hadrons->every))
    m.hadrons = timed(m.seconds["hadrons"], [&] {
      auto selection = job->selection;
      selection.noise.seed = seed;
      selection.noise.trajectory = completed;
      selection.inverse.kept.configuration = fmt::format("{}.{:06}", input.output.name, completed);
      return measure::measure_hadrons(selection, links);
    });
  if (const auto& job = columns.staggered_hadrons; job && due(section.staggered_hadrons->every))
    m.staggered_hadrons = timed(m.seconds["staggered_hadrons"], [&] {
      return measure::measure_staggered_hadrons(job->selection, job->flavours, job->smearing, seed, completed, links);
    });
  return m;
}

#define TRELLIS_INSTANTIATE(W)                                                                         \
  template Measurement measure_trajectory<W>(const RunInput&, const ObservableColumns&, std::uint32_t, \
                                             const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

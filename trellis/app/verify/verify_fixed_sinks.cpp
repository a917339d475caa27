// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Three-point functions through fixed sinks (measure/hadrons/fixed_sink.hpp): the same numbers by currents at fixed
// times (measure/hadrons/current.hpp), which share neither sources nor contractions with them.
#include <algorithm>
#include <cmath>

#include "trellis/app/verify/naive_boundary.hpp"
#include "trellis/app/verify/verify_hadrons.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/app/verify/verify_sources.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::app {

Outcome compare_three_point(double difference, double scale, double residual) {
  const std::vector<Inaccuracy> from{{"measure.hadrons.residual", residual, 1000}};
  return at_most(difference / scale, 1e-10, from, 1e-3);
}

template <int W>
void check_fixed_sinks(const measure::HadronSelection& s, const GaugeField<double, W>& u, VerifyReport& report) {
  const auto& size = u.lattice().size();
  const auto slices = naive_wilson_slices(s.quark.boundary, size);
  const int source_time = s.positions.front()[3];
  const int last = slices.all ? size[3] - 1 : slices.last - source_time;
  for (auto sink : s.fixed_sinks) {
    const auto what = fmt::format("fixed sink '{}': the same by currents at a fixed time", sink.name);
    if (sink.projector != measure::SinkProjector::unpolarised) {
      report.check(what, [] { return for_information("not of a spin"); });
      continue;
    }
    sink.time = std::min(sink.time, last);
    sink.momentum = on_lattice({sink.momentum}, size).front();
    sink.momenta = on_lattice(sink.momenta, size);
    sink.momenta.resize(std::min<std::size_t>(2, sink.momenta.size()));
    sink.currents.resize(std::min<std::size_t>(2, sink.currents.size()));
    const int tau = (sink.time + 1) / 2;
    auto one = s;
    one.fixed_sinks = {sink};
    one.channels = {sink.channel};
    one.combinations = {sink.quarks};
    one.momenta = {sink.momentum};
    one.sinks = {sink.smeared ? measure::QuarkSink::smeared : measure::QuarkSink::point};
    report.check(what, [&] {
      const auto through_sink = measure::measure_hadrons(one, u);
      const auto& found = through_sink.fixed_sinks.front();
      const auto times = std::size_t(through_sink.times);
      double difference = 0, scale = 0;
      for (std::size_t current = 0; current < sink.currents.size(); ++current)
        for (std::size_t q = 0; q < sink.momenta.size(); ++q) {
          auto other = one;
          other.fixed_sinks.clear();
          other.quarks.push_back({"with_a_current", s.quarks[std::size_t(sink.to)].parameters,
                                  measure::QuarkCurrent{sink.quarks[std::size_t(sink.place)], sink.currents[current],
                                                        sink.momenta[q], tau}});
          // A proton's first two places mean both of its quarks.
          other.combinations.front()[std::size_t(sink.place)] = int(other.quarks.size()) - 1;
          const auto by_current = measure::measure_hadrons(other, u);
          for (const auto& c : by_current.at(0)) scale = std::max(scale, std::abs(c));
          const auto& here = found[(current * sink.momenta.size() + q) * times + std::size_t(tau)];
          const double own = std::abs(here - by_current.at(0)[std::size_t(sink.time)]);
          if (!(own <= difference)) difference = own;
        }
      return compare_three_point(difference, scale, s.inverse.residual);
    });
  }
}

#define TRELLIS_INSTANTIATE(W) \
  template void check_fixed_sinks<W>(const measure::HadronSelection&, const GaugeField<double, W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

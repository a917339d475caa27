// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/effective_mass_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/analysis/statistics.hpp"

namespace trellis::app {
namespace {

// Series over configurations, indexed by [t], for each quarks, sink, n^2 and channel.
using Place = std::tuple<std::string, std::string, std::int64_t, std::string>;
using Series = std::map<Place, std::vector<std::vector<double>>>;

Series read_series(const HadronJob& job, const std::filesystem::path& table, std::int64_t skip) {
  const auto data = io::read_csv(table, {"sink", "quarks"});
  const auto quarks = io::read_csv_texts(table, job.quarks_column()), sinks = io::read_csv_texts(table, "sink");
  const auto &squared = data.column("momentum_squared"), &time = data.column("t");
  Series series;
  for (const auto& channel : job.selection.channels) {
    const auto& values = data.column(channel);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (data.values[0][i] <= double(skip) || std::isnan(values[i])) continue;
      auto& at = series[{quarks[i], sinks[i], std::llround(squared[i]), channel}];
      const auto t = static_cast<std::size_t>(time[i]);
      if (at.size() <= t) at.resize(t + 1);
      at[t].push_back(values[i]);
    }
  }
  return series;
}

// For one configuration each, folded for mesons.
std::vector<double> at_time(const std::vector<std::vector<double>>& c, int t, bool fold) {
  auto values = c[static_cast<std::size_t>(t)];
  const auto& other = c[(c.size() - static_cast<std::size_t>(t)) % c.size()];
  for (std::size_t i = 0; fold && i < values.size(); ++i) values[i] = 0.5 * (values[i] + other[i]);
  return values;
}

EffectiveMassRow row_of(const Place& place, const std::vector<std::vector<double>>& c, int t, bool periodic) {
  const auto& [quarks, sink, squared, channel] = place;
  const int extent = static_cast<int>(c.size());
  const bool meson = periodic && !measure::is_baryon(channel);
  const auto p = effective_mass_point(at_time(c, t, meson), at_time(c, t + 1, meson), t, extent, meson);
  return {.quarks = quarks,
          .sink = sink,
          .momentum_squared = squared,
          .channel = channel,
          .t = t,
          .configurations = p.configurations,
          .correlator = p.correlator,
          .correlator_error = p.correlator_error,
          .mass = p.mass,
          .mass_error = p.mass_error};
}

}  // namespace

EffectiveMassPoint effective_mass_point(const std::vector<double>& here, const std::vector<double>& next, int t,
                                        int extent, bool cosh) {
  const auto correlator = analysis::gamma_method(here), after = analysis::gamma_method(next);
  // The mass depends only on the ratio, in whose error most of the common fluctuations cancel.
  std::vector<double> log_ratio;
  for (std::size_t i = 0; i < here.size(); ++i) log_ratio.push_back(here[i] / correlator.mean - next[i] / after.mean);
  const double mass = cosh ? analysis::cosh_mass(correlator.mean, after.mean, t, extent)
                           : analysis::log_mass(correlator.mean, after.mean);
  const double slope = cosh ? analysis::cosh_mass_slope(mass, t, extent) : 1;
  return {.configurations = correlator.count,
          .correlator = correlator.mean,
          .correlator_error = correlator.error,
          .mass = mass,
          .mass_error = slope * analysis::gamma_method(log_ratio).error};
}

std::vector<EffectiveMassRow> effective_masses(const HadronJob& job, const std::filesystem::path& table,
                                               std::int64_t skip) {
  const auto series = read_series(job, table, skip);
  std::vector<EffectiveMassRow> rows;
  for (const auto& block : job.blocks())
    for (const auto squared : block.has_current ? std::vector<std::int64_t>{} : job.momenta_squared())
      for (const auto& [channel, unused] : block.places) {
        const Place place{block.quarks, block.sink, squared, channel};
        const auto found = series.find(place);
        if (found == series.end()) continue;
        const int extent = static_cast<int>(found->second.size());
        const int times = job.is_periodic() ? (extent + 1) / 2 : job.times_after_sources(extent) - 1;
        for (int t = 0; t < times; ++t) rows.push_back(row_of(place, found->second, t, job.is_periodic()));
      }
  return rows;
}

std::string csv_cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string effective_mass_csv(const HadronJob& job, const std::vector<EffectiveMassRow>& rows) {
  std::string text = job.quarks_column() +
                     ",sink,momentum_squared,channel,t,configurations,correlator,correlator_error,effective_mass,"
                     "effective_mass_error\n";
  for (const auto& r : rows)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", r.quarks, r.sink, r.momentum_squared, r.channel, r.t,
                        r.configurations, csv_cell(r.correlator), csv_cell(r.correlator_error), csv_cell(r.mass),
                        csv_cell(r.mass_error));
  return text;
}

std::string effective_mass_text(const HadronJob& job, const std::vector<EffectiveMassRow>& rows) {
  if (rows.empty()) return "";
  constexpr std::size_t most_channels = 6;
  const auto& s = job.selection;
  const auto sink = sink_name(s.sinks[0]);
  const auto squared = job.momenta_squared()[0];
  std::string text;
  for (const auto& block : job.blocks()) {
    if (block.sink != sink || block.has_current) continue;
    const auto shown = std::span(block.places).first(std::min(most_channels, block.places.size()));
    std::map<int, std::map<std::string, std::string>> table;
    for (const auto& r : rows)
      if (r.quarks == block.quarks && r.sink == sink && r.momentum_squared == squared)
        table[r.t][r.channel] = std::isfinite(r.mass) ? analysis::with_error(r.mass, r.mass_error) : "-";
    text +=
        fmt::format("Effective masses between t and t + 1, {}{}, {} sink{}:\n", block.kappa ? "kappa = " : "quarks ",
                    block.quarks, sink, squared == 0 ? "" : fmt::format(", n^2 = {}", squared));
    text += "    t";
    for (const auto& [channel, unused] : shown) text += fmt::format("  {:<16}", channel);
    text += "\n";
    for (auto& [t, masses] : table) {
      text += fmt::format("  {:>3}", t);
      for (const auto& [channel, unused] : shown) text += fmt::format("  {:<16}", masses[channel]);
      text += "\n";
    }
  }
  return text;
}

std::string write_effective_masses(const HadronJob& job, const RunFolder& folder, std::int64_t skip) {
  const auto rows = effective_masses(job, folder.hadrons(), skip);
  if (rows.empty()) return "";
  write_text_file(folder.effective_masses(), effective_mass_csv(job, rows));
  return effective_mass_text(job, rows);
}

}  // namespace trellis::app

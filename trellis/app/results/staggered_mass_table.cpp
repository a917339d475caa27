// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/staggered_mass_table.hpp"

#include <cmath>
#include <map>
#include <tuple>

#include "trellis/analysis/effective_mass.hpp"
#include "trellis/analysis/statistics.hpp"

namespace trellis::app {
namespace {

using Place = std::tuple<std::string, std::int64_t, std::string>;       // flavours, n^2, channel
using Correlators = std::map<Place, std::vector<std::vector<double>>>;  // [configuration][t]

struct Row {
  Place place;
  int t = 0;
  EffectiveMassPoint point;
};

Correlators read(const StaggeredHadronJob& job, const std::filesystem::path& table, std::int64_t skip) {
  const auto data = io::read_csv(table, {"flavours"});
  const auto flavours = io::read_csv_texts(table, "flavours");
  const auto &squared = data.column("momentum_squared"), &time = data.column("t");
  Correlators all;
  for (const auto& hadron : job.hadrons()) {
    const auto& values = data.column(hadron.channel);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (flavours[i] != hadron.flavours || data.values[0][i] <= double(skip)) continue;
      auto& here = all[{hadron.flavours, std::llround(squared[i]), hadron.channel}];
      if (time[i] == 0) here.emplace_back();
      here.back().push_back(values[i]);
    }
  }
  return all;
}

// With boundaries in time, from the times that follow all sources: nothing is folded, and masses are logarithmic. A
// partner that oscillates is averaged out as with periodic ones.
std::vector<Row> masses_without_period(const Place& place, const std::vector<std::vector<double>>& all, int times) {
  const bool partner = measure::has_oscillating_partner(std::get<2>(place));
  std::vector<std::vector<double>> smooth(std::size_t(std::max(times, 0)), std::vector<double>(all.size()));
  for (int t = 0; t < times; ++t)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto at = [&](int time) { return all[i][std::size_t(time)]; };
      smooth[std::size_t(t)][i] = partner && t > 0 && t + 1 < times ? (at(t - 1) + 2 * at(t) + at(t + 1)) / 4 : at(t);
    }
  std::vector<Row> rows;
  const int edge = partner ? 1 : 0;
  for (int t = edge; t + 1 < times - edge; ++t)
    rows.push_back(
        {place, t, effective_mass_point(smooth[std::size_t(t)], smooth[std::size_t(t) + 1], t, times, false)});
  return rows;
}

std::vector<Row> masses(const Place& place, std::vector<std::vector<double>> all, bool antiperiodic) {
  const auto& channel = std::get<2>(place);
  const bool nucleon = measure::is_staggered_nucleon(channel), partner = measure::has_oscillating_partner(channel);
  const int extent = int(all.front().size());
  std::vector<std::vector<double>> by_time(std::size_t(extent / 2 + 1));
  for (auto& c : all) {
    c = nucleon ? analysis::alternately_folded(c, antiperiodic) : analysis::folded(c);
    for (std::size_t t = 0; t < by_time.size(); ++t) by_time[t].push_back(c[t]);
  }
  // At the last time the partner remains.
  auto smooth = by_time;
  for (std::size_t t = 1; partner && t + 1 < by_time.size(); ++t)
    for (std::size_t i = 0; i < all.size(); ++i)
      smooth[t][i] = (by_time[t - 1][i] + 2 * by_time[t][i] + by_time[t + 1][i]) / 4;
  std::vector<Row> rows;
  const int first = partner ? 1 : 0, last = extent / 2 - (partner ? 2 : 1);
  for (int t = first; t <= last; ++t)
    rows.push_back(
        {place, t, effective_mass_point(smooth[std::size_t(t)], smooth[std::size_t(t) + 1], t, extent, !nucleon)});
  return rows;
}

std::string csv_of(const std::vector<Row>& rows) {
  std::string text = joined(staggered_mass_columns(), ",") + "\n";
  for (const auto& [place, t, p] : rows) {
    const auto& [flavours, squared, channel] = place;
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", flavours, squared, channel, t, p.configurations,
                        csv_cell(p.correlator), csv_cell(p.correlator_error), csv_cell(p.mass), csv_cell(p.mass_error));
  }
  return text;
}

std::string text_of(const StaggeredHadronJob& job, const std::vector<Row>& rows) {
  const auto shown = momenta_squared(job.selection.momenta)[0];
  std::string text, before;
  std::map<int, std::map<std::string, std::string>> table;
  const auto flush = [&] {
    if (table.empty()) return;
    text += fmt::format("Effective masses between t and t + 1 of {}{}:\n    t", before,
                        shown == 0 ? "" : fmt::format(", n^2 = {}", shown));
    for (const auto& channel : job.selection.channels) text += fmt::format("  {:<16}", channel);
    for (auto& [t, found] : table) {
      text += fmt::format("\n  {:>3}", t);
      for (const auto& channel : job.selection.channels) text += fmt::format("  {:<16}", found[channel]);
    }
    text += "\n";
    table.clear();
  };
  for (const auto& [place, t, p] : rows) {
    const auto& [flavours, squared, channel] = place;
    if (flavours != before) flush();
    before = flavours;
    if (squared == shown) table[t][channel] = std::isfinite(p.mass) ? analysis::with_error(p.mass, p.mass_error) : "-";
  }
  flush();
  return text;
}

}  // namespace

std::vector<std::string> staggered_mass_columns() {
  return {"flavours",       "momentum_squared",    "channel", "t", "configurations", "correlator", "correlator_error",
          "effective_mass", "effective_mass_error"};
}

std::string write_staggered_masses(const StaggeredHadronJob& job, const RunFolder& folder, std::int64_t skip) {
  auto all = read(job, folder.staggered_hadrons(), skip);
  if (all.empty()) return "";
  std::vector<Row> rows;
  for (const auto& squared : momenta_squared(job.selection.momenta)) {
    for (const auto& hadron : job.hadrons()) {
      const Place place{hadron.flavours, squared, hadron.channel};
      const auto& correlators = all.at(place);
      for (auto& row :
           job.is_periodic()
               ? masses(place, correlators, job.flavours[hadron.first].phases.antiperiodic_time)
               : masses_without_period(place, correlators, job.times_after_sources(int(correlators.front().size()))))
        rows.push_back(std::move(row));
    }
  }
  write_text_file(folder.staggered_masses(), csv_of(rows));
  return text_of(job, rows);
}

}  // namespace trellis::app

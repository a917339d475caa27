// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/staggered_hadron_measurement.hpp"

#include <algorithm>
#include <map>

#include "trellis/app/origin/recorded_gauge.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"

namespace trellis::app {
namespace {

dirac::QuarkSlices slices_of(const StaggeredHadronJob& job, int times) {
  return job.flavours.empty() ? dirac::QuarkSlices{} : dirac::staggered_slices(job.flavours[0].phases.boundary, times);
}

}  // namespace

std::optional<StaggeredHadronJob> staggered_hadron_job(const MeasureSection& section, const QuarkInput& quarks) {
  if (!section.staggered_hadrons) return std::nullopt;
  const auto& h = *section.staggered_hadrons;
  StaggeredHadronJob job;
  job.smearing = quarks.smearing;
  job.flavours = measured_flavours(quarks, h.flavours);
  job.selection = {.source = named("source", measure::staggered_sources, h.source).value,
                   .positions = rows_of<4>(h.source_positions),
                   .sources_in_time = static_cast<int>(h.sources_in_time),
                   .noise_vectors = static_cast<int>(h.noise_vectors),
                   .momenta = rows_of<3>(h.momenta),
                   .channels = h.channels,
                   .inverse = {.residual = h.residual, .max_iterations = static_cast<int>(h.max_iterations)}};
  return job;
}

std::vector<measure::StaggeredHadron> StaggeredHadronJob::hadrons() const {
  std::vector<std::string> names;
  for (const auto& flavour : flavours) names.push_back(flavour.name);
  return measure::staggered_hadrons(names, selection.channels);
}

int StaggeredHadronJob::times_after_sources(int times) const {
  return measure::times_after(selection.sources(times), slices_of(*this, times), times);
}

std::vector<std::size_t> StaggeredHadronJob::sources_at(int t, int times) const {
  return measure::sources_at(t, selection.sources(times), slices_of(*this, times), times);
}

std::vector<std::string> StaggeredHadronJob::columns() const {
  return {"staggered_hadron_iterations", "staggered_hadron_residual", "staggered_hadron_ward"};
}

std::vector<io::CsvCell> StaggeredHadronJob::cells(const std::optional<measure::StaggeredHadronMeasurement>& m) const {
  if (!m) return {{}, {}, {}};
  return {std::int64_t{m->iterations}, m->residual, m->ward_identity};
}

std::vector<std::string> StaggeredHadronJob::table_columns(const std::string& number) const {
  std::vector<std::string> names{number, "flavours", "momentum_squared", "t"};
  names.insert(names.end(), selection.channels.begin(), selection.channels.end());
  return names;
}

std::vector<std::vector<io::CsvCell>> StaggeredHadronJob::table_rows(
    std::int64_t number, const measure::StaggeredHadronMeasurement& m) const {
  const auto all = hadrons();
  std::vector<std::vector<io::CsvCell>> rows;
  for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
    std::map<std::string, std::size_t> place;  // of a channel of these flavours
    for (last = first; last < all.size() && all[last].flavours == all[first].flavours; ++last)
      place[all[last].channel] = last;
    for (const auto squared : momenta_squared(selection.momenta))
      for (int t = 0; t < m.times; ++t) {
        const auto sources = sources_at(t, m.times);
        std::vector<io::CsvCell> row{number, all[first].flavours, squared, std::int64_t{t}};
        for (const auto& channel : selection.channels)
          if (const auto found = place.find(channel); found != place.end())
            row.emplace_back(correlator_average(selection.momenta, m.times, m.at(found->second), squared, t, sources));
          else
            row.emplace_back();
        rows.push_back(std::move(row));
      }
  }
  return rows;
}

std::size_t StaggeredHadronJob::table_row_count(int times) const {
  std::size_t pairs = 0;
  const auto all = hadrons();
  for (std::size_t i = 0; i < all.size(); ++i) pairs += i == 0 || all[i].flavours != all[i - 1].flavours ? 1 : 0;
  return pairs * momenta_squared(selection.momenta).size() * static_cast<std::size_t>(times);
}

CorrelatorLayout StaggeredHadronJob::layout(const Coordinate& size) const {
  CorrelatorLayout layout{.group = "staggered_hadrons",
                          .correlators = {},
                          .sources = selection.sources(size),
                          .momenta = selection.momenta,
                          .times = size[3]};
  for (const auto& hadron : hadrons())
    layout.correlators.push_back({.name = hadron.flavours + "/" + hadron.channel,
                                  .channel = hadron.channel,
                                  .labels = {{"flavours", hadron.flavours}}});
  return layout;
}

void warn_of_walls(const MeasureSection& section, std::string_view remedy,
                   const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> walls;
  if (section.hadrons && section.hadrons->source == "wall") walls.emplace_back("measure.hadrons.source = \"wall\"");
  if (const auto& h = section.staggered_hadrons)
    if (measure::wants_gauge_fixing(named("source", measure::staggered_sources, h->source).value))
      walls.push_back(fmt::format("measure.staggered_hadrons.source = \"{}\"", h->source));
  if (walls.empty()) return;
  std::string which;
  if (!files.empty()) {
    const auto is_in_no_gauge = [](const std::filesystem::path& file) { return !recorded_gauge(file); };
    const auto first = std::ranges::find_if(files, is_in_no_gauge);
    if (first == files.end()) return;
    const auto others = std::count_if(first + 1, files.end(), is_in_no_gauge);
    which = fmt::format("; {}{} not record any", first->string(),
                        others > 0 ? fmt::format(" and {} do", plural(others, "other")) : " does");
  }
  log_warning("{}: a wall source on links without gauge fixing gives mostly noise; {}{}", joined(walls, ", "), remedy,
              which);
}

}  // namespace trellis::app

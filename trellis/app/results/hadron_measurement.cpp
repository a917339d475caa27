// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/hadron_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "trellis/core/base/log.hpp"
#include "trellis/core/base/named.hpp"

namespace trellis::app {

std::string sink_name(measure::QuarkSink sink) {
  return std::string(std::ranges::find(measure::quark_sinks, sink, &NamedValue<measure::QuarkSink>::value)->name);
}

namespace {

measure::FixedSink fixed_sink(const FixedSinkInput& input, const std::vector<measure::ValenceQuark>& quarks) {
  measure::FixedSink sink{.name = input.name,
                          .quarks = measure::combination_of(quarks, input.quarks),
                          .place = static_cast<int>(input.current_on - 1),
                          .channel = input.channel,
                          .projector = named("projector", measure::sink_projectors, input.projector).value,
                          .smeared = input.sink == "smeared",
                          .time = static_cast<int>(input.sink_time),
                          .currents = input.currents,
                          .momenta = rows_of<3>(input.momenta)};
  while (quarks[std::size_t(sink.to)].name != input.to) ++sink.to;
  std::copy_n(input.sink_momentum.begin(), 3, sink.momentum.begin());
  return sink;
}

// The error by noise of the average over sources and the momenta of one n^2. Sources of one time follow one another.
std::optional<double> noise_error(const measure::HadronSelection& s, int times, std::span<const std::complex<double>> c,
                                  std::int64_t squared, int t, std::span<const std::size_t> sources) {
  const auto vectors = std::size_t(s.noise.vectors);
  if (vectors < 2) return std::nullopt;
  double variance = 0;
  const std::size_t groups = sources.size() / vectors;
  for (std::size_t group = 0; group < groups; ++group) {
    double sum = 0, squares = 0;
    for (std::size_t n = 0; n < vectors; ++n) {
      const double value = correlator_average(s.momenta, times, c, squared, t, sources.subspan(group * vectors + n, 1));
      sum += value;
      squares += value * value;
    }
    const double n = double(vectors);
    variance += std::max(0.0, squares / n - sum / n * (sum / n)) / (n - 1);
  }
  return std::sqrt(variance) / double(groups);
}

}  // namespace

std::optional<HadronJob> hadron_job(const MeasureSection& section) {
  if (!section.hadrons) return std::nullopt;
  const auto& h = *section.hadrons;
  HadronJob job;
  auto& s = job.selection;
  s.kappas = h.kappas;
  s.quark.clover = h.clover;
  s.quark.clover_temporal = h.clover_temporal;
  s.quark.spatial_hopping = h.spatial_hopping;
  std::copy_n(h.boundary_angle_over_pi.begin(), 4, s.quark.boundary_angle_over_pi.begin());
  s.quark.boundary = h.boundary;
  s.quark.c_f = h.c_f;
  s.stout = {h.stout_rho, static_cast<int>(h.stout_levels), h.boundary};
  s.stout_is_spatial = h.stout_directions == "spatial";
  s.smearing = h.smearing;
  if (s.smearing) s.smearing->boundary = h.boundary;
  s.source = named("source", measure::quark_sources, h.source).value;
  if (s.source == measure::QuarkSourceKind::noise) {
    s.noise = {.kind = named("source", measure::noise_kinds, h.source).value,
               .dilution = named("noise_dilution", measure::noise_dilutions, h.noise_dilution).value,
               .vectors = static_cast<int>(h.noise_vectors)};
    std::copy_n(h.noise_spacing.begin(), 3, s.noise.spacing.begin());
  }
  s.positions = rows_of<4>(h.source_positions);
  s.sources_in_time = static_cast<int>(h.sources_in_time);
  s.gaussian = {.alpha = h.smearing_alpha,
                .steps = static_cast<int>(h.smearing_steps),
                .rho = h.smearing_rho,
                .levels = static_cast<int>(h.smearing_levels),
                .width = h.smearing_width,
                .links = named("smearing_links", measure::source_links, h.smearing_links).value};
  std::copy(h.smearing_links_alpha.begin(), h.smearing_links_alpha.end(), s.gaussian.links_alpha.begin());
  s.sinks.clear();
  for (const auto& sink : h.sinks) s.sinks.push_back(named("sink", measure::quark_sinks, sink).value);
  s.momenta = rows_of<3>(h.momenta);
  s.channels = h.channels;
  s.quarks = valence_quarks(h, s.quark);
  for (const auto& name : h.combinations) s.combinations.push_back(measure::combination_of(s.quarks, name));
  for (const auto& sink : h.fixed_sinks) s.fixed_sinks.push_back(fixed_sink(sink, s.quarks));
  s.inverse = {
      .solver = named("solver", measure::wilson_solvers, h.solver).value,
      .precision = named("precision", measure::solver_precisions, h.precision).value,
      .residual = h.residual,
      .max_iterations = static_cast<int>(h.max_iterations),
      .kept = {.folder = h.propagators,
               .configuration = {},
               .format = named("propagators_format", measure::propagator_formats, h.propagators_format).value}};
  return job;
}

void warn_of_width(const std::optional<HadronJob>& job) {
  if (!job || !job->selection.gaussian.modes_grow()) return;
  const auto& gaussian = job->selection.gaussian;
  log_warning(
      "measure.hadrons.smearing_width = {} with {} steps: width^2 / (4 steps) = {:.4f} is above 1/6, so that "
      "the highest modes grow with each step; {} steps are enough",
      *gaussian.width, gaussian.steps, gaussian.weights().hop,
      static_cast<std::int64_t>(std::ceil(*gaussian.width * *gaussian.width * 1.5)));
}

std::vector<std::string> HadronJob::columns() const { return {"hadron_iterations", "hadron_residual"}; }

std::vector<io::CsvCell> HadronJob::cells(const std::optional<measure::HadronMeasurement>& m) const {
  if (!m) return {{}, {}};
  return {std::int64_t{m->iterations}, m->residual};
}

std::string HadronJob::quarks_column() const { return selection.quarks.empty() ? "kappa" : "quarks"; }

std::vector<HadronBlock> HadronJob::blocks() const {
  const auto& s = selection;
  std::vector<HadronBlock> all;
  if (s.quarks.empty()) {
    std::size_t place = 0;
    for (const double kappa : s.kappas)
      for (const auto sink : s.sinks) {
        HadronBlock block{.quarks = fmt::format("{}", kappa),
                          .kappa = kappa,
                          .sink = sink_name(sink),
                          .has_current = false,
                          .places = {}};
        for (const auto& channel : s.channels) block.places.emplace_back(channel, place++);
        all.push_back(std::move(block));
      }
    return all;
  }
  const auto hadrons = s.hadrons();
  for (std::size_t first = 0, last = 0; first < hadrons.size(); first = last) {
    while (last < hadrons.size() && hadrons[last].combination == hadrons[first].combination) ++last;
    for (std::size_t sink = 0; sink < s.sinks.size(); ++sink) {
      HadronBlock block{.quarks = hadrons[first].quarks,
                        .kappa = {},
                        .sink = sink_name(s.sinks[sink]),
                        .has_current = hadrons[first].has_current,
                        .places = {}};
      for (std::size_t k = first; k < last; ++k)
        block.places.emplace_back(hadrons[k].channel, sink * hadrons.size() + k);
      all.push_back(std::move(block));
    }
  }
  return all;
}

std::vector<std::string> HadronJob::table_columns(const std::string& number) const {
  std::vector<std::string> names{number, quarks_column(), "sink", "momentum_squared", "t"};
  names.insert(names.end(), selection.channels.begin(), selection.channels.end());
  if (selection.source == measure::QuarkSourceKind::noise)
    for (const auto& channel : selection.channels) names.push_back(channel + "_noise_error");
  return names;
}

std::vector<std::vector<io::CsvCell>> HadronJob::table_rows(std::int64_t number,
                                                            const measure::HadronMeasurement& m) const {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& block : blocks())
    for (const auto squared : momenta_squared())
      for (int t = 0; t < m.times; ++t) {
        const auto sources = sources_at(t, m.times);
        std::vector<io::CsvCell> row{number, block.kappa ? io::CsvCell(*block.kappa) : io::CsvCell(block.quarks),
                                     block.sink, squared, std::int64_t{t}};
        for (const auto& channel : selection.channels)
          if (const auto* place = block.place(channel))
            row.emplace_back(correlator_average(selection.momenta, m.times, m.at(*place), squared, t, sources));
          else
            row.emplace_back();
        if (selection.source == measure::QuarkSourceKind::noise)
          for (const auto& channel : selection.channels) {
            const auto* place = block.place(channel);
            const auto error =
                place ? noise_error(selection, m.times, m.at(*place), squared, t, sources) : std::nullopt;
            row.push_back(error ? io::CsvCell(*error) : io::CsvCell());
          }
        rows.push_back(std::move(row));
      }
  return rows;
}

std::size_t HadronJob::table_row_count(int times) const {
  return blocks().size() * momenta_squared().size() * static_cast<std::size_t>(times);
}

std::vector<std::string> HadronJob::three_point_columns(const std::string& number) {
  return {number,       "fixed_sink", "current",        "momentum_x",    "momentum_y",
          "momentum_z", "t",          "three_point_re", "three_point_im"};
}

std::vector<std::vector<io::CsvCell>> HadronJob::three_point_rows(std::int64_t number,
                                                                  const measure::HadronMeasurement& m) const {
  std::vector<std::vector<io::CsvCell>> rows;
  const auto times = std::size_t(m.times);
  for (std::size_t k = 0; k < selection.fixed_sinks.size(); ++k) {
    const auto& sink = selection.fixed_sinks[k];
    const std::size_t each = sink.currents.size() * sink.momenta.size() * times;
    for (std::size_t c = 0; c < sink.currents.size(); ++c)
      for (std::size_t q = 0; q < sink.momenta.size(); ++q)
        for (std::size_t t = 0; t < times; ++t) {
          std::complex<double> sum = 0;
          const auto sources = sources_at(int(t), m.times);
          for (const std::size_t n : sources)
            sum += m.fixed_sinks[k][n * each + (c * sink.momenta.size() + q) * times + t];
          sum /= double(sources.size());
          const auto& momentum = sink.momenta[q];
          rows.push_back({number, sink.name, sink.currents[c], std::int64_t{momentum[0]}, std::int64_t{momentum[1]},
                          std::int64_t{momentum[2]}, std::int64_t(t), sum.real(), sum.imag()});
        }
  }
  return rows;
}

std::size_t HadronJob::three_point_row_count(int times) const {
  std::size_t rows = 0;
  for (const auto& sink : selection.fixed_sinks)
    rows += sink.currents.size() * sink.momenta.size() * static_cast<std::size_t>(times);
  return rows;
}

int HadronJob::times_after_sources(int times) const {
  return measure::times_after(selection.sources(times), dirac::wilson_slices(selection.quark.boundary, times), times);
}

std::vector<std::size_t> HadronJob::sources_at(int t, int times) const {
  return measure::sources_at(t, selection.sources(times), dirac::wilson_slices(selection.quark.boundary, times), times);
}

std::vector<std::int64_t> HadronJob::momenta_squared() const { return app::momenta_squared(selection.momenta); }

CorrelatorLayout HadronJob::layout(const Coordinate& size) const {
  CorrelatorLayout layout{.group = "hadrons",
                          .correlators = {},
                          .sources = selection.sources(size),
                          .momenta = selection.momenta,
                          .times = size[3]};
  std::map<std::size_t, NamedCorrelator> by_place;
  for (const auto& block : blocks())
    for (const auto& [channel, place] : block.places) {
      const bool local = selection.source == measure::QuarkSourceKind::point && block.sink == "point";
      NamedCorrelator correlator{
          .name = fmt::format("{}{}/{}/{}", block.kappa ? "kappa_" : "", block.quarks, block.sink, channel),
          .channel = channel,
          .units = !local                        ? "lattice units"
                   : measure::is_baryon(channel) ? "a^-6"
                                                 : "a^-3",
          .labels = {{"sink", block.sink}},
          .kappa = block.kappa};
      if (!block.kappa) correlator.labels.emplace_back("quarks", block.quarks);
      by_place.emplace(place, std::move(correlator));
    }
  for (auto& [place, correlator] : by_place) layout.correlators.push_back(std::move(correlator));
  return layout;
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/hadron_measurement.hpp"

#include <algorithm>

#include "trellis/core/base/log.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/lattice/single_lanes.hpp"
#include "trellis/tuning/tuning_cache.hpp"

namespace trellis::app {
namespace {

std::int64_t square(const measure::Momentum& n) { return std::int64_t{n[0]} * n[0] + n[1] * n[1] + n[2] * n[2]; }

template <std::size_t N>
std::vector<std::array<int, N>> rows_of(const std::vector<std::vector<std::int64_t>>& given) {
  std::vector<std::array<int, N>> rows;
  for (const auto& numbers : given) {
    std::array<int, N> row{};
    for (std::size_t i = 0; i < N; ++i) row[i] = static_cast<int>(numbers[i]);
    rows.push_back(row);
  }
  return rows;
}

// Real parts at one time, averaged over sources and over the momenta with one n^2.
double average(const HadronJob& job, const measure::HadronMeasurement& m, std::span<const std::complex<double>> c,
               std::int64_t squared, int t) {
  double sum = 0;
  int terms = 0;
  for (int source = 0; source < m.sources; ++source)
    for (int p = 0; p < m.momenta; ++p) {
      if (square(job.selection.momenta[static_cast<std::size_t>(p)]) != squared) continue;
      sum += c[static_cast<std::size_t>((source * m.momenta + p) * m.times + t)].real();
      ++terms;
    }
  return sum / terms;
}

}  // namespace

std::string sink_name(measure::QuarkSink sink) {
  return std::string(std::ranges::find(measure::quark_sinks, sink, &NamedValue<measure::QuarkSink>::value)->name);
}

void warn_of_walls(const HadronJob& job, std::string_view remedy) {
  if (job.selection.source == measure::QuarkSourceKind::wall)
    log_warning("[measure.hadrons]: a wall source on links without gauge fixing gives mostly noise; {}", remedy);
}

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
  s.stout = {h.stout_rho, static_cast<int>(h.stout_levels)};
  s.source = named("source", measure::quark_sources, h.source).value;
  s.positions = rows_of<4>(h.source_positions);
  s.sources_in_time = static_cast<int>(h.sources_in_time);
  s.gaussian = {.alpha = h.smearing_alpha,
                .steps = static_cast<int>(h.smearing_steps),
                .rho = h.smearing_rho,
                .levels = static_cast<int>(h.smearing_levels)};
  s.sinks.clear();
  for (const auto& sink : h.sinks) s.sinks.push_back(named("sink", measure::quark_sinks, sink).value);
  s.momenta = rows_of<3>(h.momenta);
  s.channels = h.channels;
  s.inverse = {.solver = named("solver", measure::wilson_solvers, h.solver).value,
               .precision = named("precision", measure::solver_precisions, h.precision).value,
               .residual = h.residual,
               .max_iterations = static_cast<int>(h.max_iterations)};
  return job;
}

measure::HadronSelection HadronJob::tuned(const Lattice& lattice) const {
  measure::HadronSelection result = selection;
  constexpr int columns_of_a_propagator = 12;
  const auto best = [&](Precision precision, int lanes) {
    // The first rank's settings: all ranks must agree on halos.
    return io::from_first_rank(lattice.ranks(), "tuned settings", [&] {
      return tuning::tuned_or_default({.size = lattice.local_size(),
                                       .precision = precision,
                                       .lanes = lanes,
                                       .links = dirac::LinkFormat::two_rows,
                                       .vectors = columns_of_a_propagator,
                                       .threads = concurrency()});
    });
  };
  auto& inverse = result.inverse;
  inverse.settings = best(Precision::double_, lattice.lanes()).settings;
  if (inverse.precision == measure::SolverPrecision::double_) return result;
  const int lanes = with_lanes(lattice.lanes(), [&]<int W>() {
    return with_single_lanes<W>(lattice.local_size(), []<int WS>() { return WS; });
  });
  const auto inner =
      best(inverse.precision == measure::SolverPrecision::mixed ? Precision::single : Precision::fixed16, lanes);
  inverse.inner_settings = inner.settings;
  inverse.inner_shape = inner.shape;
  return result;
}

std::vector<std::string> HadronJob::columns() const { return {"hadron_iterations", "hadron_residual"}; }

std::vector<io::CsvCell> HadronJob::cells(const std::optional<measure::HadronMeasurement>& m) const {
  if (!m) return {{}, {}};
  return {std::int64_t{m->iterations}, m->residual};
}

std::vector<std::string> HadronJob::table_columns(const std::string& number) const {
  std::vector<std::string> names{number, "kappa", "sink", "momentum_squared", "t"};
  names.insert(names.end(), selection.channels.begin(), selection.channels.end());
  return names;
}

std::vector<std::vector<io::CsvCell>> HadronJob::table_rows(std::int64_t number,
                                                            const measure::HadronMeasurement& m) const {
  std::vector<std::vector<io::CsvCell>> rows;
  const auto channels = selection.channels.size();
  std::size_t place = 0;
  for (const double kappa : selection.kappas)
    for (const auto sink : selection.sinks) {
      for (const auto squared : momenta_squared())
        for (int t = 0; t < m.times; ++t) {
          std::vector<io::CsvCell> row{number, kappa, sink_name(sink), squared, std::int64_t{t}};
          for (std::size_t c = 0; c < channels; ++c) row.emplace_back(average(*this, m, m.at(place + c), squared, t));
          rows.push_back(std::move(row));
        }
      place += channels;
    }
  return rows;
}

std::vector<std::int64_t> HadronJob::momenta_squared() const {
  std::vector<std::int64_t> all;
  for (const auto& n : selection.momenta) all.push_back(square(n));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace trellis::app

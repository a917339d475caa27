// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// What of [measure] depends on the lattice: sources, momenta, times and loops.
#include "trellis/app/input/input_sections.hpp"
#include "trellis/app/results/gauge/loop_tables.hpp"
#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/dirac/stencil/quark_slices.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::app {
namespace {

struct LatticeOf {
  std::string file;  // empty: that of the input
  Coordinate size;
  std::string prefix() const { return file.empty() ? "" : file + ": "; }
  std::string name() const { return file.empty() ? "lattice.size" : file; }
};

struct NamedSlices {
  std::string quarks;
  dirac::QuarkSlices slices;
};

// What measure/ says is wrong, at the key. lattice: if the message does not say which one it is of.
template <class F>
void require_at(const Table& table, const char* key, const LatticeOf& lattice, const F& check) {
  try {
    check();
  } catch (const InputError& error) {
    table.wrong(key, "{}{}", lattice.prefix(), error.what());
  }
}
template <class F>
void require_at(const Table& table, const char* key, const F& check) {
  require_at(table, key, {}, check);
}

void require_momenta(const Table& table, const LatticeOf& lattice, const std::vector<measure::Momentum>& momenta) {
  require_at(table, table.has("max_momentum_squared") ? "max_momentum_squared" : "momenta",
             [&] { measure::require_on_lattice(lattice.name(), {}, 1, momenta, lattice.size); });
}

// Returns all of them.
std::vector<Coordinate> require_sources(const Table& table, const LatticeOf& lattice,
                                        const std::vector<Coordinate>& positions, int count, const NamedSlices& on) {
  require_at(table, "source_positions", [&] {
    measure::require_on_lattice(lattice.name(), positions, 1, {}, lattice.size);
    measure::require_on_slices(lattice.file, positions, on.slices, on.quarks);
  });
  std::vector<Coordinate> sources;
  require_at(table, "sources_in_time", [&] {
    measure::require_on_lattice(lattice.name(), {}, count, {}, lattice.size);
    sources = measure::spread_in_time(positions, count, lattice.size[3]);
    measure::require_on_slices(lattice.file, sources, on.slices, on.quarks);
  });
  return sources;
}

// A momentum and a time of the same thing.
void require_insertion(const Table& table, const LatticeOf& lattice, const std::string& what, const char* momentum_key,
                       const measure::Momentum& momentum, const char* time_key, std::optional<int> time,
                       const std::vector<Coordinate>& sources, const NamedSlices& on) {
  const auto name = lattice.prefix() + what;
  require_at(table, momentum_key, [&] { measure::require_on_lattice(name, {}, 1, {momentum}, lattice.size); });
  if (time)
    require_at(table, time_key,
               [&] { measure::require_time_on_slices(name, *time, sources, on.slices, on.quarks, lattice.size); });
}

void require_hadrons(const Table& table, const LatticeOf& lattice, const measure::HadronSelection& s,
                     const NamedSlices& on) {
  const auto sources = require_sources(table, lattice, s.positions, s.sources_in_time, on);
  require_momenta(table, lattice, s.momenta);
  if (s.source == measure::QuarkSourceKind::noise)
    require_at(table, "noise_spacing", lattice, [&] { measure::require_valid(s.noise, lattice.size); });
  for (std::size_t n = 0; n < s.quarks.size(); ++n)
    if (const auto& current = s.quarks[n].current)
      require_insertion(table.tables("quarks")[n], lattice, "the current of the quark " + s.quarks[n].name,
                        "current_momentum", current->momentum, "current_time", current->time, sources, on);
  for (std::size_t n = 0; n < s.fixed_sinks.size(); ++n) {
    const auto& sink = s.fixed_sinks[n];
    const auto inner = table.tables("fixed_sinks")[n];
    require_insertion(inner, lattice, "the fixed sink " + sink.name, "sink_momentum", sink.momentum, "sink_time",
                      sink.time, sources, on);
    require_momenta(inner, lattice, sink.momenta);
  }
}

void require_staggered_hadrons(const Table& table, const LatticeOf& lattice, const StaggeredHadronInput& h,
                               const NamedSlices& on) {
  require_sources(table, lattice, rows_of<4>(h.source_positions), static_cast<int>(h.sources_in_time), on);
  require_momenta(table, lattice, rows_of<3>(h.momenta));
}

void require_wilson_loops(const Table& table, const LatticeOf& lattice, const WilsonLoopInput& loops,
                          const gauge::Boundary& boundary) {
  if (boundary.is_periodic() && loops.boundary_distance > 0)
    table.wrong("boundary_distance", "found {}; the lattice is periodic in time", loops.boundary_distance);
  const auto selection = wilson_loop_selection(loops);
  require_at(table, "distance", lattice, [&] { measure::require_distances_fit(selection, lattice.size); });
  require_at(table, "time", lattice, [&] { measure::require_times_fit(selection, lattice.size, boundary); });
}

}  // namespace

void require_on_lattice(const Table& table, const MeasureSection& measure, const std::string& file,
                        const Coordinate& size, const gauge::Boundary& boundary) {
  const LatticeOf lattice{file, size};
  if (const auto job = hadron_job(measure)) {
    NamedSlices on{"Wilson quarks", {}};
    require_at(table, "hadrons", lattice, [&] { on.slices = dirac::wilson_slices(boundary, size); });
    require_hadrons(table.table("hadrons"), lattice, job->selection, on);
  }
  if (const auto& h = measure.staggered_hadrons)
    require_staggered_hadrons(table.table("staggered_hadrons"), lattice, *h,
                              {"staggered quarks", dirac::staggered_slices(boundary, size)});
  if (const auto& loops = measure.wilson_loops)
    require_wilson_loops(table.table("wilson_loops"), lattice, *loops, boundary);
}

void require_on_lattice(const MeasureInput& input, const std::filesystem::path& file, const Coordinate& size,
                        const gauge::Boundary& boundary) {
  require_on_lattice(*input.measure_table, input.measure, file.string(), size, boundary);
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/measure/sources.hpp"

#include <fmt/format.h>

#include <sstream>

#include "trellis/app/command.hpp"
#include "trellis/app/input/input_boundary.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/input/read_options.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/origin/recorded_boundary.hpp"
#include "trellis/app/origin/recorded_replica.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/formats/openqcd_functional.hpp"

namespace trellis::app {
namespace {

using gauge::Boundary;
using enum gauge::BoundaryKind;

std::string described(const Boundary& boundary) {
  return boundary.kind == open ? "open (the links across it are zero)" : gauge::name_of(boundary);
}

// Those that are given instead of the run's.
Boundary with_weights(const MeasureInput::BoundaryWeights& given, Boundary of) {
  of.c_g = given.c_g.value_or(of.c_g);
  of.c1 = given.c1.value_or(of.c1);
  of.rectangles = given.rectangles.value_or(of.rectangles);
  of.c_g_rectangles = given.c_g_rectangles.value_or(of.c_g_rectangles);
  return of;
}

// That of the input, or else the file's own: open where its links show that, or as its run had it. Weights of loops at
// the boundary are those of the input where it has any, otherwise those of the run.
Boundary boundary_of(const MeasureInput& input, const std::filesystem::path& file, bool is_open) {
  const auto recorded = recorded_boundary(file);
  if (input.boundary) {
    if (is_open != (input.boundary->kind == open))
      fail_input("{}: the boundary in t is {}, but configurations.boundary says {}", file.string(),
                 is_open ? described({.kind = open}) : "not open", gauge::name_of(*input.boundary));
    if (!recorded) return with_weights(input.boundary_weights, *input.boundary);
    if (recorded->kind != input.boundary->kind || recorded->extent != input.boundary->extent)
      fail_input("{}: was saved by a run whose boundary in t is {}, but configurations.boundary says {}", file.string(),
                 described(*recorded), gauge::name_of(*input.boundary));
    const auto found = with_weights(input.boundary_weights, *recorded);
    if (has_recorded_weights(file) && !(found == *recorded))
      log_warning(
          "{}: was saved by a run with other weights of loops at the boundary than those of [configurations], which "
          "\"eta_derivative\" takes",
          file.string());
    return found;
  }
  if (recorded && (recorded->kind == open) == is_open) return *recorded;
  return {.kind = is_open ? open : periodic};
}

// What does not know a file's boundary is refused before anything is measured.
void require_known_boundary(const MeasureInput& input, const Source& source) {
  const auto& boundary = source.boundary;
  const auto& measure = input.measure;
  const auto file = source.file.string();
  const bool fixed = boundary.kind == schroedinger_functional;
  if ((!fixed || boundary.has_parallelograms) && std::ranges::count(measure.observables, "eta_derivative") > 0)
    fail_input("{}: the boundary in t is {}{}; \"eta_derivative\" is that of a Schroedinger functional{}", file,
               described(boundary), boundary.has_parallelograms ? ", and the action has parallelograms" : "",
               boundary.has_parallelograms ? " without them" : "");
  if (boundary.is_periodic()) {
    if (measure.hadrons && measure.hadrons->c_f != 1)
      fail_input("{}: is periodic in t; measure.hadrons.c_F is only for boundaries in time", file);
    if (measure.wilson_loops && measure.wilson_loops->boundary_distance > 0)
      fail_input("{}: is periodic in t; measure.wilson_loops.boundary_distance is only for boundaries in time", file);
    return;
  }
  if (fixed && std::ranges::count(measure.observables, "eta_derivative") > 0 && !input.boundary_weights.c_g &&
      !has_recorded_weights(source.file))
    fail_input(
        "{}: \"eta_derivative\" needs the weights of loops at the boundary, which this file does not tell: give "
        "configurations.c_G (1 at tree level), and c1 if the action has rectangles, beside boundary and time_extent",
        file);
  const auto what = fixed ? fmt::format("{}: is that of a {}", file, gauge::name_of(boundary))
                          : fmt::format("{}: the boundary in t is {}", file, described(boundary));
  const int slices = boundary.extent + 1 + (boundary.extent + 1) % 2;
  if (fixed && source.size[3] != slices)
    fail_input("{}, which takes {} time slices; the lattice has {}", what, slices, source.size[3]);
  try {
    app::require_known_boundary(boundary, input.quarks);
  } catch (const InputError& error) {
    fail_input("{}; {}", what, error.what());
  }
  auto selection = gauge_selection(columns_of(input), measure, [](std::int64_t) { return true; });
  for (auto& observable : selection.observables) observable.every_trajectory = false;
  measure::require_known(selection, boundary, what);
}

// The links on the slices of a Schroedinger functional that are fixed.
void require_fixed_links(const Source& source, const io::GaugeReader& reader) {
  if (source.boundary.kind != schroedinger_functional || reader.is_completed() || !reader.has_sites_in_order()) return;
  static_cast<void>(io::boundaries_of(
      source.file, source.boundary.extent, source.size, reader.info().precision == Precision::single ? 1e-6 : 1e-12,
      [&](std::int64_t first, std::span<double> out) { reader.read_sites(first, out); }));
}

// Examined by the first rank.
std::vector<Source> sources_of(const MeasureInput& input) {
  std::vector<Source> sources;
  for (const auto& file : expand_files(input.files)) {
    if (file.string().find_first_of(",\"\r\n") != std::string::npos)
      fail_input("{}: the name contains a comma, a quote or a line break, which the table cannot hold", file.string());
    const io::GaugeReader reader(file, read_options(input));
    io::require_no_open_boundary(file, reader);
    const auto size = reader.info().size;
    if (input.phi_prime && !reader.is_completed())
      fail_input(
          "{}: has {} time slices; configurations.phi_prime is for openQCD's files of a Schroedinger functional, which "
          "have as many as time_extent = {} says",
          file.string(), size[3], input.boundary->extent);
    for (const int extent : size)
      if (extent % 2 != 0 || extent < 2)
        fail_input("{}: the lattice is {}; every extent must be even", file.string(), to_string(size));
    sources.push_back({file, size, boundary_of(input, file, reader.seems_open()[3])});
    require_known_boundary(input, sources.back());
    require_fixed_links(sources.back(), reader);
    warn_of_replica(file);
    const auto &here = sources.back().boundary, &before = sources[0].boundary;
    if (here.kind != before.kind || here.extent != before.extent)
      fail_input(
          "{}: the boundary in t is {}, but that of {} is {}; what is averaged needs a single kind, so measure them "
          "into different folders",
          file.string(), gauge::name_of(here), sources[0].file.string(), gauge::name_of(before));
  }
  return sources;
}

// From one rank to the others.
std::string to_line(const Source& source) {
  const auto& b = source.boundary;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {}\n", joined(source.size, " "), int(b.kind), b.extent, b.c_g,
                     joined(b.phi, " "), joined(b.phi_prime, " "), int(b.rectangles), b.c_g_rectangles, b.c1,
                     int(b.has_parallelograms), source.file.string());
}
Source from_line(const std::string& line) {
  std::istringstream in(line);
  Source source;
  auto& b = source.boundary;
  int kind = 0, rectangles = 0;
  for (int& extent : source.size) in >> extent;
  in >> kind >> b.extent >> b.c_g;
  for (double& angle : b.phi) in >> angle;
  for (double& angle : b.phi_prime) in >> angle;
  in >> rectangles >> b.c_g_rectangles >> b.c1 >> b.has_parallelograms;
  b.kind = gauge::BoundaryKind(kind);
  b.rectangles = gauge::BoundaryRectangles(rectangles);
  std::string name;
  std::getline(in.ignore(1), name);
  source.file = name;
  return source;
}

}  // namespace

comm::ProcessGrid grid_for(const MeasureInput& input, const Coordinate& size) {
  return job_grid(size, input.machine, gauge::longest_hop(input.quarks.smearing));
}

MeasureInput with_boundary_of(const Source& source, MeasureInput input) {
  set_boundary(source.boundary, input.quarks, input.measure);
  return input;
}

MeasureInput resolved_for(const Source& source, const MeasureInput& asked) {
  auto input = with_boundary_of(source, asked);
  const bool fixed = source.boundary.kind == schroedinger_functional;
  if (input.boundary || source.boundary.is_periodic()) return input;
  for (auto& entry : input.resolved)
    if (entry.key == "configurations") {
      auto& keys = std::get<TomlEntries>(entry.value.content);
      keys.push_back({"boundary", {std::string(fixed ? "schroedinger_functional" : "open"), {}}, {}});
      if (fixed) keys.push_back({"time_extent", {std::int64_t{source.boundary.extent}, {}}, {}});
    }
  return input;
}

std::optional<Coordinate> common_size(const std::vector<Source>& sources) {
  for (const auto& source : sources)
    if (source.size != sources[0].size) return std::nullopt;
  return sources[0].size;
}

std::vector<Source> find_sources(const MeasureInput& input) {
  const auto ranks = job();
  std::string text;
  io::on_first_rank(ranks, "look at the configurations", [&] {
    for (const auto& source : sources_of(input)) text += to_line(source);
  });
  std::istringstream lines(ranks.broadcast("the configurations", text));
  std::vector<Source> sources;
  for (std::string line; std::getline(lines, line);) {
    const Source source = from_line(line);
    if (const auto& size = source.size; sources.empty() || size != sources.back().size)
      static_cast<void>(lanes_for(grid_for(input, size), size, input.machine));
    sources.push_back(source);
  }
  return sources;
}

}  // namespace trellis::app

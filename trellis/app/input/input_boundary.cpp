// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_boundary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/io/formats/provenance_text.hpp"

namespace trellis::app {
namespace {

using enum gauge::BoundaryKind;

gauge::BoundaryKind read_kind(const Table& table) {
  const auto kind = table.choice("boundary", {"periodic", "open", "schroedinger_functional"});
  return kind == "open" ? open : kind == "periodic" ? periodic : schroedinger_functional;
}

int read_extent(const Table& table) { return static_cast<int>(table.integer("time_extent", {.min = 2, .max = 65535})); }

double read_c_g(const Table& table, const char* key, double fallback) {
  return table.real(key, {.min = 0, .max = 100, .open = true}, fallback);
}

double read_c1(const Table& table) { return table.real("c1", {.min = -10, .max = 0.124}, 0.0); }

gauge::BoundaryRectangles read_kind_of_rectangles(const Table& table) {
  const auto kind = table.choice("boundary_rectangles", {"orbifold", "weighted"}, "orbifold");
  return kind == "orbifold" ? gauge::BoundaryRectangles::orbifold : gauge::BoundaryRectangles::weighted;
}

// How rectangles are at the boundaries of a Schroedinger functional.
void read_rectangles(const Table& action, bool has_rectangles, gauge::Boundary& boundary) {
  if (boundary.kind != schroedinger_functional || !has_rectangles) {
    for (const auto* key : {"boundary_rectangles", "c_G_rectangles"})
      action.refuse(key, "without a Schroedinger functional and rectangles in the action");
    return;
  }
  boundary.rectangles = read_kind_of_rectangles(action);
  if (boundary.rectangles == gauge::BoundaryRectangles::orbifold)
    action.refuse("c_G_rectangles", "with boundary_rectangles = \"orbifold\"");
  else
    boundary.c_g_rectangles = read_c_g(action, "c_G_rectangles", 1.5);
}

}  // namespace

std::array<double, 3> read_angles(const Table& table, const char* key) {
  const auto given = table.reals(key, {.min = -20, .max = 20}, {});
  if (given.size() != 2)
    table.wrong(key, "found {}, expected two angles", plural(std::int64_t(given.size()), "number"));
  return {given[0], given[1], -given[0] - given[1]};
}

gauge::Boundary read_boundary(const Table& lattice, const Table& action, const ActionInput& weights,
                              const Coordinate& size) {
  gauge::Boundary boundary;
  if (lattice.has("boundary")) boundary.kind = read_kind(lattice);
  const auto other = fmt::format("with lattice.boundary = \"{}\"", boundary.kind == open ? "open" : "periodic");
  if (boundary.is_periodic())
    action.refuse("c_G", other);
  else
    boundary.c_g = read_c_g(action, "c_G", 1);
  if (boundary.kind == schroedinger_functional) {
    boundary.extent = read_extent(lattice);
    boundary.phi = read_angles(lattice, "phi");
    boundary.phi_prime = read_angles(lattice, "phi_prime");
    if (const int least = boundary.extent + 1; size[3] != least + least % 2)
      lattice.wrong("size", "found {} time slices, expected {}, which hold slices 0 to time_extent = {}", size[3],
                    least + least % 2, boundary.extent);
  } else {
    for (const auto* key : {"time_extent", "phi", "phi_prime"}) lattice.refuse(key, other);
  }
  read_rectangles(action, weights.weights().rectangle != 0, boundary);
  boundary.c1 = weights.c1;
  boundary.has_parallelograms = weights.weights().parallelogram != 0;
  gauge::require_valid(boundary, size);
  return boundary;
}

void read_boundary_of_files(const Table& configurations, MeasureInput& input) {
  const bool given = configurations.has("boundary");
  gauge::Boundary boundary{.kind = given ? read_kind(configurations) : periodic};
  if (given) input.boundary = boundary;
  if (boundary.kind != schroedinger_functional) {
    for (const auto* key : {"time_extent", "phi_prime", "c_G", "c1", "boundary_rectangles", "c_G_rectangles"})
      configurations.refuse(key, "without boundary = \"schroedinger_functional\"");
    return;
  }
  boundary.extent = read_extent(configurations);
  if (configurations.has("phi_prime")) input.phi_prime = read_angles(configurations, "phi_prime");
  auto& weights = input.boundary_weights;
  if (configurations.has("c_G")) weights.c_g = read_c_g(configurations, "c_G", 1);
  if (configurations.has("c1")) weights.c1 = read_c1(configurations);
  if (weights.c1 == 0.0)
    for (const auto* key : {"boundary_rectangles", "c_G_rectangles"}) configurations.refuse(key, "with c1 = 0");
  if (configurations.has("boundary_rectangles")) weights.rectangles = read_kind_of_rectangles(configurations);
  if (weights.rectangles == gauge::BoundaryRectangles::orbifold)
    configurations.refuse("c_G_rectangles", "with boundary_rectangles = \"orbifold\"");
  if (configurations.has("c_G_rectangles")) weights.c_g_rectangles = read_c_g(configurations, "c_G_rectangles", 1.5);
  input.boundary = boundary;
}

void require_known_boundary(const gauge::Boundary& boundary, const QuarkInput& quarks) {
  if (boundary.is_periodic()) return;
  auto smearing = quarks.smearing;
  smearing.boundary = boundary;
  gauge::require_known_boundary(smearing);
  for (const auto& flavour : quarks.flavours)
    if (flavour.imaginary_mu != 0)
      fail_input("nothing depends on imaginary_mu of the flavour {}, because no quark goes around the lattice",
                 flavour.name);
  for (int k = 0; k < 3; ++k)
    if (quarks.background.flux[std::size_t(k)] != 0)
      fail_input("background.{} is a flux through planes with t, which needs a periodic lattice",
                 BackgroundInput::names[std::size_t(k)]);
}

gauge::Boundary parse_boundary(const std::string& text, const std::string& name) {
  const auto root = Table::parse(text, name);
  const auto lattice = root.table("lattice"), action = root.table("action");
  return read_boundary(lattice, action, read_action(action), read_size(lattice));
}

std::optional<gauge::Boundary> boundary_in_lines(const std::vector<std::pair<std::string, std::string>>& lines,
                                                 const std::string& name) {
  std::string text;
  // The last one counts: of a file that was converted more than once.
  for (const auto* key : io::functional_key_names)
    if (const auto line = std::ranges::find(lines.rbegin(), lines.rend(), key, [](const auto& l) { return l.first; });
        line != lines.rend())
      text += fmt::format("{} = {}\n", key, line->second);
  const auto table = Table::parse(text, name);
  if (!table.has("boundary") || read_kind(table) != schroedinger_functional) return std::nullopt;
  gauge::Boundary boundary{.kind = schroedinger_functional, .extent = read_extent(table)};
  if (table.has("phi")) boundary.phi = read_angles(table, "phi");
  if (table.has("phi_prime")) boundary.phi_prime = read_angles(table, "phi_prime");
  if (!table.has("c_G")) return boundary;
  boundary.c_g = read_c_g(table, "c_G", 1);
  boundary.c1 = read_c1(table);
  if (table.has("boundary_rectangles")) boundary.rectangles = read_kind_of_rectangles(table);
  if (table.has("c_G_rectangles")) boundary.c_g_rectangles = read_c_g(table, "c_G_rectangles", 1.5);
  boundary.has_parallelograms = table.flag("parallelograms", false);
  return boundary;
}

}  // namespace trellis::app

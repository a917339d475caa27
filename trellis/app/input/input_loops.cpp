// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_loops.hpp"

#include <algorithm>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"

namespace trellis::app {
namespace {

// Each from the links of the one before.
std::vector<std::int64_t> read_levels(const Table& table, const std::vector<std::int64_t>& fallback) {
  const auto levels = table.integer_list("ape_levels", {.min = 0, .max = 1000}, fallback);
  if (levels.empty()) table.wrong("ape_levels", "is empty; expected at least one");
  constexpr std::size_t most = 16;
  if (levels.size() > most) table.wrong("ape_levels", "found {}, expected at most {}", levels.size(), most);
  if (std::ranges::adjacent_find(levels, std::ranges::greater_equal()) != levels.end())
    table.wrong("ape_levels", "expected each to be larger than the one before it");
  return levels;
}

}  // namespace

WilsonLoopInput read_wilson_loops(const Table& table) {
  WilsonLoopInput loops;
  const auto known = names_of(measure::loop_directions());
  loops.directions = table.choices("directions", known, loops.directions);
  if (loops.directions.empty()) table.wrong("directions", "is empty; expected some of {}", joined(known, ", "));
  loops.distance = table.integer("distance", {.min = 1, .max = 1000}, loops.distance);
  loops.time = table.integer("time", {.min = 1, .max = 1000}, loops.time);
  if (table.has("boundary_distance"))
    loops.boundary_distance = table.integer("boundary_distance", {.min = 0, .max = 1000});
  loops.ape_alpha = table.real("ape_alpha", {.min = 0, .max = 1}, loops.ape_alpha);
  loops.ape_levels = read_levels(table, loops.ape_levels);
  loops.time_links = table.choice("time_links", {"plain", "hyp"}, loops.time_links);
  if (loops.time_links != "hyp") {
    table.refuse("hyp_alpha", "without time_links = \"hyp\"");
    return loops;
  }
  loops.hyp_alpha = table.reals("hyp_alpha", {.min = 0, .max = 1}, loops.hyp_alpha);
  if (loops.hyp_alpha.size() != 3)
    table.wrong("hyp_alpha", "found {}, expected three", plural(std::int64_t(loops.hyp_alpha.size()), "number"));
  return loops;
}

GlueballInput read_glueballs(const Table& table) {
  GlueballInput glueballs;
  glueballs.ape_alpha = table.real("ape_alpha", {.min = 0, .max = 1}, glueballs.ape_alpha);
  glueballs.ape_levels = read_levels(table, glueballs.ape_levels);
  return glueballs;
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_hadrons.hpp"

#include <algorithm>
#include <set>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::app {
namespace {

constexpr IntegerRange kLevels{.min = 0, .max = 100};
constexpr RealRange kRho{.min = 0, .max = 0.5};

// Everything but "mesons", which expands to the sixteen.
std::vector<std::string> read_channels(const Table& table) {
  auto words = measure::hadron_names();
  words.emplace_back("mesons");
  const auto given = table.choices("channels", words, std::vector<std::string>{"pion", "rho", "proton"});
  if (given.empty()) table.wrong("channels", "is empty; expected some of {}", joined(words, ", "));
  std::vector<std::string> channels;
  for (const auto& word : given) {
    if (word != "mesons") {
      channels.push_back(word);
      continue;
    }
    for (const auto& channel : measure::meson_channels())
      if (std::find(given.begin(), given.end(), channel.name) == given.end()) channels.push_back(channel.name);
  }
  table.resolve_as("channels", channels);
  return channels;
}

void read_smearing(const Table& table, HadronInput& h) {
  const bool smeared = h.source == "gaussian" || std::find(h.sinks.begin(), h.sinks.end(), "smeared") != h.sinks.end();
  if (!smeared) {
    for (const auto* key : {"smearing_alpha", "smearing_width", "smearing_steps", "smearing_rho", "smearing_levels"})
      table.refuse(key, "without source = \"gaussian\" or a smeared sink");
    return;
  }
  if (table.has("smearing_width")) {
    table.refuse("smearing_alpha", "together with smearing_width");
    h.smearing_width = table.real("smearing_width", {.min = 0, .max = 1000});
  } else {
    h.smearing_alpha = table.real("smearing_alpha", {.min = 0, .max = 1000}, h.smearing_alpha);
  }
  h.smearing_steps = table.integer("smearing_steps", {.min = h.smearing_width ? 1 : 0, .max = 10000}, h.smearing_steps);
  h.smearing_rho = table.real("smearing_rho", kRho, h.smearing_rho);
  h.smearing_levels = table.integer("smearing_levels", kLevels, h.smearing_levels);
}

}  // namespace

std::vector<std::vector<std::int64_t>> read_momenta(const Table& table,
                                                    const std::vector<std::vector<std::int64_t>>& fallback) {
  if (table.has("max_momentum_squared")) {
    table.refuse("momenta", "together with max_momentum_squared");
    std::vector<std::vector<std::int64_t>> momenta;
    for (const auto& n :
         measure::momenta_up_to(static_cast<int>(table.integer("max_momentum_squared", {.min = 0, .max = 100}))))
      momenta.emplace_back(n.begin(), n.end());
    return momenta;
  }
  auto momenta = table.integer_rows("momenta", 3, {.min = -10000, .max = 10000}, fallback);
  if (momenta.empty()) table.wrong("momenta", "is empty; expected at least one");
  if (std::set(momenta.begin(), momenta.end()).size() < momenta.size()) table.wrong("momenta", "one is listed twice");
  return momenta;
}

HadronInput read_hadrons(const Table& table) {
  HadronInput h;
  h.kappas = table.reals("kappas", {.min = 0, .max = 1, .open = true});
  if (h.kappas.empty()) table.wrong("kappas", "is empty; expected at least one");
  if (std::set(h.kappas.begin(), h.kappas.end()).size() < h.kappas.size()) table.wrong("kappas", "one is listed twice");
  h.clover = table.real("clover", {.min = 0, .max = 10}, h.clover);
  h.clover_temporal = table.real("clover_temporal", {.min = 0, .max = 10}, h.clover);
  h.spatial_hopping = table.real("spatial_hopping", {.min = 0, .max = 10, .open = true}, h.spatial_hopping);
  h.boundary_angle_over_pi = table.reals("boundary_angle_over_pi", {.min = -2, .max = 2}, h.boundary_angle_over_pi);
  if (h.boundary_angle_over_pi.size() != 4)
    table.wrong("boundary_angle_over_pi", "found {} numbers, expected four: x, y, z, t",
                h.boundary_angle_over_pi.size());
  h.stout_rho = table.real("stout_rho", kRho, h.stout_rho);
  h.stout_levels = table.integer("stout_levels", kLevels, h.stout_levels);
  // Not among the keys of a resolved input where it is not given, as in those of earlier versions.
  if (table.has("stout_directions"))
    h.stout_directions = table.choice("stout_directions", {"all", "spatial"}, h.stout_directions);
  h.source = table.choice("source", names_of(measure::quark_sources), h.source);
  h.source_positions = table.integer_rows("source_positions", 4, {.min = 0, .max = 65535}, h.source_positions);
  if (h.source_positions.empty()) table.wrong("source_positions", "is empty; expected at least one");
  h.sources_in_time = table.integer("sources_in_time", {.min = 1, .max = 65536}, h.sources_in_time);
  h.sinks = table.choices("sinks", names_of(measure::quark_sinks), h.sinks);
  if (h.sinks.empty())
    table.wrong("sinks", "is empty; expected some of {}", joined(names_of(measure::quark_sinks), ", "));
  read_smearing(table, h);
  h.momenta = read_momenta(table, h.momenta);
  h.channels = read_channels(table);
  h.solver = table.choice("solver", names_of(measure::wilson_solvers), h.solver);
  h.precision = table.choice("precision", names_of(measure::solver_precisions), h.precision);
  h.residual = table.real("residual", {.min = 1e-15, .max = 1e-1}, h.residual);
  h.max_iterations = table.integer("max_iterations", integers_from_1, h.max_iterations);
  if (table.has("propagators")) {
    h.propagators = table.text("propagators");
    if (h.propagators.empty()) table.wrong("propagators", "is empty; expected the name of a folder");
  }
  return h;
}

}  // namespace trellis::app

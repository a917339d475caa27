// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// [measure] and its subtables.
#include <algorithm>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/measure/quark_observables.hpp"
#include "trellis/measure/smoothing.hpp"
#include "trellis/solver/eigenvalues/lowest_eigenvalues.hpp"

namespace trellis::app {
namespace {

constexpr const char* kEveryFile = "here: every file is measured";

// For a table inside [measure].
std::int64_t read_every(const Table& table, std::int64_t measure_every, bool on_the_fly) {
  if (!on_the_fly) {
    table.refuse("every", kEveryFile);
    return 0;
  }
  const auto every = table.integer("every", integers_from_1, measure_every);
  if (every % measure_every != 0) {
    table.wrong("every", "found {}, expected a multiple of measure.every = {}", every, measure_every);
  }
  return every;
}

FlowInput read_flow(const Table& table) {
  FlowInput flow;
  flow.c1 = read_c1(table, "action", flow.action);
  flow.time_max = table.real("time_max", {.min = 0, .max = 1e4, .open = true}, 4.0);
  flow.time_interval = table.real("time_interval", {.min = 0, .max = 1e4, .open = true}, 0.1);
  flow.step = table.real("step", {.min = 0, .max = 1, .open = true}, 0.01);
  flow.tolerance = table.real("tolerance", {.min = 0, .max = 1}, 0.0);
  // Not among the keys of a resolved input unless given, for compatibility with inputs of earlier versions.
  if (table.has("integrator") && table.choice("integrator", {"third_order", "euler"}) == "euler")
    flow.integrator = gauge::FlowIntegrator::euler;
  if (table.has("slices")) flow.slices = table.flag("slices");
  if (flow.tolerance > 0 && flow.integrator == gauge::FlowIntegrator::euler)
    table.wrong("tolerance", "found {}, expected 0 with integrator = \"euler\", whose steps are fixed", flow.tolerance);
  constexpr double rounding = 1e-13;
  if (flow.tolerance > 0 && flow.tolerance < rounding)
    table.wrong("tolerance", "found {}, expected 0, or {} to 1 (rounding sets in just below)", flow.tolerance,
                rounding);
  if (flow.time_interval > flow.time_max) {
    table.wrong("time_interval", "found {}, expected at most time_max = {}", flow.time_interval, flow.time_max);
  }
  if (flow.step > flow.time_max) {
    table.wrong("step", "found {}, expected at most time_max = {}", flow.step, flow.time_max);
  }
  // Limits memory and time: running out of either would end the job in the middle of its work.
  constexpr double most = 1e6;
  const auto refuse_many = [&](const char* key, double value, const char* what) {
    if (flow.time_max / value > most)
      table.wrong(key, "found {}, which makes {:.3g} {} up to time_max = {}; expected at most {:g}", value,
                  flow.time_max / value, what, flow.time_max, most);
  };
  refuse_many("time_interval", flow.time_interval, "points");
  refuse_many("step", flow.step, "steps");
  return flow;
}

SmoothingInput read_smoothing(const Table& table, const measure::Smoothing& what) {
  SmoothingInput smoothing;
  if (what.weight)
    smoothing.weight =
        table.real(what.weight->key, {.min = 0, .max = what.weight->maximum, .open = true}, what.weight->value);
  // Not among the keys of a resolved input where they are not given, as in those of earlier versions.
  for (const auto& [key, value, minimum, maximum, integer] : what.options)
    if (table.has(key))
      smoothing.options[key] =
          integer ? double(table.integer(key, {.min = std::int64_t(minimum), .max = std::int64_t(maximum)}))
                  : table.real(key, {.min = minimum, .max = maximum});
  for (const auto& other : measure::smoothings())
    if (other.weight && !(what.weight && what.weight->key == other.weight->key))
      table.refuse(other.weight->key, fmt::format("here; it belongs to [measure.{}]", other.name));
  smoothing.steps = table.integer("steps", {.min = 1, .max = 100000}, smoothing.steps);
  smoothing.interval = table.integer("interval", {.min = 1, .max = 100000}, smoothing.interval);
  if (smoothing.steps % smoothing.interval != 0) {
    table.wrong("interval", "found {}, expected a divisor of steps = {}", smoothing.interval, smoothing.steps);
  }
  return smoothing;
}

QuarkMeasureInput read_quark_measure(const Table& table, const std::vector<FlavourInput>& flavours) {
  QuarkMeasureInput quarks;
  const auto known = names_of(measure::quark_observables);
  quarks.observables = table.choices("observables", known, std::vector<std::string>{"condensate"});
  if (quarks.observables.empty()) {
    table.wrong("observables", "is empty; expected some of {}", joined(known, ", "));
  }
  // Not among the keys of a resolved input where it is not given, as in those of earlier versions.
  if (table.has("noise")) quarks.noise = table.choice("noise", {"random", "exact"}, quarks.noise);
  const bool exact = quarks.noise == "exact";
  if (exact)
    table.refuse("noise_vectors", "with noise = \"exact\", which takes all unit vectors");
  else
    quarks.noise_vectors = table.integer("noise_vectors", {.min = 1, .max = 10000}, quarks.noise_vectors);
  if (!exact && quarks.noise_vectors < 2 &&
      std::find(quarks.observables.begin(), quarks.observables.end(), "susceptibilities") != quarks.observables.end()) {
    table.wrong("noise_vectors", "found {}, expected at least 2: susceptibilities are products of different vectors",
                quarks.noise_vectors);
  }
  quarks.residual = table.real("residual", {.min = 1e-15, .max = 1e-1}, quarks.residual);
  quarks.flavours = read_flavour_names(table, flavours);
  return quarks;
}

EigenvalueInput read_eigenvalues(const Table& table, const std::vector<FlavourInput>& flavours) {
  EigenvalueInput eigenvalues;
  eigenvalues.count = table.integer("count", {.min = 1, .max = solver::most_eigenvalues}, eigenvalues.count);
  eigenvalues.tolerance = table.real("tolerance", {.min = 1e-13, .max = 1e-2}, eigenvalues.tolerance);
  eigenvalues.flavours = read_flavour_names(table, flavours);
  return eigenvalues;
}

}  // namespace

std::vector<std::string> read_flavour_names(const Table& table, const std::vector<FlavourInput>& flavours) {
  std::vector<std::string> names;
  for (const auto& flavour : flavours) names.push_back(flavour.name);
  auto given = table.choices("flavours", names, names);
  if (!given.empty()) return given;
  table.resolve_as("flavours", names);
  return names;
}

MeasureSection read_measure(const Table& table, const QuarkInput& quarks, bool on_the_fly, bool may_be_empty) {
  MeasureSection measure;
  if (on_the_fly) {
    measure.every = table.integer("every", integers_from_1, 1);
  } else {
    table.refuse("every", kEveryFile);
  }
  // Plaquettes and rectangle are always measured, and may be named.
  auto known = always_measured;
  std::ranges::copy(names_of(measure::observables()), std::back_inserter(known));
  measure.observables = table.choices("observables", known, std::vector<std::string>{});
  const bool named_loops = std::erase_if(measure.observables, [](const auto& name) {
                             return std::ranges::count(always_measured, name);
                           }) > 0;
  // The section with that name, if present, with its own "every".
  const auto section = [&](const std::string& key, auto& to, auto&& read) {
    if (!table.has(key)) return;
    const auto inner = table.table(key);
    const auto every = read_every(inner, measure.every, on_the_fly);
    to = read(inner);
    to->every = every;
  };
  section("flow", measure.flow, [](const Table& t) { return read_flow(t); });
  for (const auto& smoothing : measure::smoothings()) {
    std::optional<SmoothingInput> found;
    section(smoothing.name, found, [&](const Table& t) { return read_smoothing(t, smoothing); });
    if (found) measure.smoothings.emplace(smoothing.name, *found);
  }
  section("wilson_loops", measure.wilson_loops, [](const Table& t) { return read_wilson_loops(t); });
  section("glueballs", measure.glueballs, [](const Table& t) { return read_glueballs(t); });
  for (const auto* key : {"quarks", "staggered_hadrons"})
    if (quarks.flavours.empty()) table.refuse(key, "without [[flavours]]");
  section("quarks", measure.quarks, [&](const Table& t) { return read_quark_measure(t, quarks.flavours); });
  if (on_the_fly)
    table.refuse("eigenvalues", "here: save configurations, and measure them with `trellis measure`");
  else if (quarks.flavours.empty())
    table.refuse("eigenvalues", "without [[flavours]]");
  if (table.has("eigenvalues")) measure.eigenvalues = read_eigenvalues(table.table("eigenvalues"), quarks.flavours);
  section("hadrons", measure.hadrons, [](const Table& t) { return read_hadrons(t); });
  section("staggered_hadrons", measure.staggered_hadrons,
          [&](const Table& t) { return read_staggered_hadrons(t, quarks.flavours); });
  table.finish_section();  // a misspelt table is the better explanation
  if (!on_the_fly && !may_be_empty && !named_loops && measure.observables.empty() && !measure.flow &&
      measure.smoothings.empty() && !measure.wilson_loops && !measure.glueballs && !measure.quarks &&
      !measure.eigenvalues && !measure.hadrons && !measure.staggered_hadrons) {
    std::string tables = "[measure.flow], ";
    for (const auto& smoothing : measure::smoothings()) tables += fmt::format("[measure.{}], ", smoothing.name);
    table.wrong(
        "observables",
        "nothing to measure; expected some of {}, or a table {}[measure.wilson_loops], [measure.glueballs], "
        "[measure.quarks], [measure.eigenvalues], [measure.hadrons] or [measure.staggered_hadrons], or [gauge_fixing]",
        joined(known, ", "), tables);
  }
  return measure;
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// [algorithm]: the algorithm, and the level on which each term of the action is integrated.
#include <algorithm>
#include <cmath>
#include <map>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/hmc/scheme.hpp"

namespace trellis::app {
namespace {

constexpr IntegerRange kSteps{.min = 1, .max = 100000};

LevelInput read_level(const Table& table) {
  LevelInput level;
  level.integrator = table.choice("integrator", names_of(hmc::integrators()), level.integrator);
  level.steps = table.integer("steps", kSteps, 10);
  const auto& integrator = hmc::integrator_by_name(level.integrator);
  if (integrator.lambda != 0)
    level.lambda = table.real("lambda", {.min = 0, .max = 0.5, .open = true}, integrator.lambda);
  else
    table.refuse("lambda", fmt::format("with integrator = \"{}\", which has no such parameter", level.integrator));
  return level;
}

// One level of all terms, or that of the quarks and more_terms and, inside it, that of the gauge terms.
std::vector<LevelInput> levels_by_default(const Table& table, const ActionInput& action, const QuarkInput& quarks,
                                          const std::vector<std::string>& more_terms) {
  auto outer = read_level(table);
  if (quarks.flavours.empty()) {
    table.refuse("gauge_steps", "without [[flavours]]; give steps");
    outer.terms = action.terms();
    outer.terms.insert(outer.terms.end(), more_terms.begin(), more_terms.end());
    return {outer};
  }
  auto inner = outer;
  inner.steps = table.integer("gauge_steps", kSteps, 5);
  inner.terms = action.terms();
  outer.terms = more_terms;
  for (auto& term : quarks.terms()) outer.terms.push_back(std::move(term));
  return {outer, inner};
}

// The terms of a level, with "gauge" and "quarks" expanded.
std::vector<std::string> read_terms(const Table& table, const ActionInput& action, const QuarkInput& quarks,
                                    const std::vector<std::string>& more_terms) {
  std::vector<std::string> allowed{"plaquette", "rectangle", "parallelogram"};
  const auto quark_terms = quarks.terms(), gauge_terms = action.terms();
  allowed.insert(allowed.end(), quark_terms.begin(), quark_terms.end());
  allowed.insert(allowed.end(), more_terms.begin(), more_terms.end());
  allowed.insert(allowed.end(), {"gauge", "quarks"});
  std::vector<std::string> terms;
  for (const auto& word : table.choices("terms", allowed)) {
    if (word == "gauge") {
      terms.insert(terms.end(), gauge_terms.begin(), gauge_terms.end());
    } else if (word == "quarks") {
      if (quark_terms.empty()) table.wrong("terms", "the action has no quarks: there are no [[flavours]]");
      terms.insert(terms.end(), quark_terms.begin(), quark_terms.end());
    } else {
      const auto is_gauge_loop = word == "rectangle" || word == "parallelogram";
      if (is_gauge_loop && std::find(gauge_terms.begin(), gauge_terms.end(), word) == gauge_terms.end()) {
        if (word == "rectangle") table.wrong("terms", "the action has no term \"{}\" (c1 = {})", word, action.c1);
        table.wrong("terms", "only the action \"{}\" has a term \"{}\"", one_loop_action, word);
      }
      terms.push_back(word);
    }
  }
  if (terms.empty()) table.wrong("terms", "is empty; a level without a term does nothing");
  table.resolve_as("terms", terms);
  return terms;
}

std::vector<LevelInput> read_levels(const Table& table, const ActionInput& action, const QuarkInput& quarks,
                                    const std::vector<std::string>& more_terms) {
  std::vector<LevelInput> levels;
  std::map<std::string, std::size_t> level_of;
  for (const auto& one : table.tables("levels")) {
    auto level = read_level(one);
    level.terms = read_terms(one, action, quarks, more_terms);
    for (const auto& term : level.terms) {
      if (const auto [at, is_new] = level_of.emplace(term, levels.size()); !is_new) {
        if (at->second == levels.size()) one.wrong("terms", "\"{}\" is listed twice", term);
        one.wrong("terms", "\"{}\" is already in levels[{}]", term, at->second);
      }
    }
    levels.push_back(std::move(level));
  }
  for (const auto& terms : {action.terms(), quarks.terms(), more_terms}) {
    for (const auto& term : terms) {
      if (!level_of.contains(term)) table.wrong("levels", "no level has the term \"{}\" of the action", term);
    }
  }
  return levels;
}

// What "hmc" and "auto" have in common.
void read_trajectories(const Table& table, AlgorithmInput& algorithm) {
  algorithm.trajectory_length = table.real("trajectory_length", {.min = 0, .max = 1000, .open = true}, 1.0);
  algorithm.reversibility_every = table.integer("reversibility_every", integers_from_0, 0);
  algorithm.certify = table.real("certify", {.min = 0, .max = 1}, 0.0);
  // Not among the keys of a resolved input without it, as in those of earlier versions.
  if (table.has("precision")) algorithm.precision = table.choice("precision", {"double", "single"});
}

}  // namespace

hmc::Scheme LevelInput::scheme() const { return hmc::integrator_by_name(integrator).make(lambda); }

std::vector<LevelInput> levels_to_begin_with(const ActionInput& action, const QuarkInput& quarks, double length) {
  const LevelInput level{
      .steps = std::max<std::int64_t>(1, std::llround(std::ceil((quarks.flavours.empty() ? 10 : 6) * length))),
      .lambda = hmc::minimum_norm_lambda,
      .terms = action.terms()};
  if (quarks.flavours.empty()) return {level};
  auto outer = level, inner = level;
  outer.terms = quarks.terms();
  inner.steps = 3;
  return {outer, inner};
}

AlgorithmInput read_algorithm(const Table& table, const ActionInput& action, const QuarkInput& quarks,
                              const std::vector<std::string>& more_terms, const Coordinate& size) {
  AlgorithmInput algorithm;
  const auto kind = table.choice("kind", {"hmc", "heatbath", "auto"}, "hmc");
  const auto other = fmt::format("with kind = \"{}\"", kind);
  if (!more_terms.empty() && kind != "hmc")
    table.wrong("kind", "found \"{}\", expected \"hmc\" with the term {} of the action", kind,
                joined(more_terms, ", "));
  if (kind == "auto") {
    algorithm.automatic = true;
    read_trajectories(table, algorithm);
    algorithm.tuning_trajectories = table.integer("tuning_trajectories", {.min = 12, .max = 100000}, 40);
    algorithm.tuning_minutes = table.real("tuning_minutes", {.min = 0, .max = 1e7}, 0.0);
    const double length = algorithm.trajectory_length;
    algorithm.longest_trajectory_length = table.real("longest_trajectory_length", {.min = length, .max = 1000}, length);
    for (const auto* key : {"overrelaxation_steps", "integrator", "steps", "lambda", "gauge_steps", "levels"})
      table.refuse(key, other + ", which chooses it");
    algorithm.levels = levels_to_begin_with(action, quarks, algorithm.trajectory_length);
    return algorithm;
  }
  for (const auto* key : {"tuning_trajectories", "tuning_minutes", "longest_trajectory_length"})
    table.refuse(key, other);
  if (kind == "hmc") {
    read_trajectories(table, algorithm);
    if (!more_terms.empty() && algorithm.precision != "double")
      table.wrong("precision", "found \"{}\", expected \"double\" with the term {} of the action", algorithm.precision,
                  joined(more_terms, ", "));
    if (table.has("levels")) {
      for (const auto* key : {"integrator", "steps", "lambda", "gauge_steps"}) {
        table.refuse(key, "together with [[algorithm.levels]]; give it in each level");
      }
      algorithm.levels = read_levels(table, action, quarks, more_terms);
    } else {
      algorithm.levels = levels_by_default(table, action, quarks, more_terms);
    }
    table.refuse("overrelaxation_steps", other);
  } else {
    if (!quarks.flavours.empty()) table.wrong("kind", "a heatbath has no quarks; use \"hmc\" with [[flavours]]");
    algorithm.kind = AlgorithmKind::heatbath;
    algorithm.overrelaxation_steps = table.integer("overrelaxation_steps", {.min = 0, .max = 1000}, 4);
    for (const auto* key : {"trajectory_length", "reversibility_every", "certify", "precision", "integrator", "steps",
                            "lambda", "gauge_steps", "levels"}) {
      table.refuse(key, other);
    }
    if (action.is_one_loop()) table.wrong("kind", "a heatbath has no parallelograms; use \"hmc\"");
    if (action.c1 != 0 && *std::min_element(size.begin(), size.end()) < 4) {
      table.wrong("kind", "a heatbath with rectangles (c1 = {}) needs extents of at least 4; use \"hmc\"", action.c1);
    }
  }
  return algorithm;
}

}  // namespace trellis::app

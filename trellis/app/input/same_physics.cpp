// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/same_physics.hpp"

#include <algorithm>

#include "trellis/core/error.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::app {
namespace {

bool is_one_of(const std::string& name, const std::vector<std::string>& keys) {
  return std::find(keys.begin(), keys.end(), name) != keys.end();
}

TomlEntries without_free_keys(const TomlEntries& table, const std::string& path) {
  TomlEntries kept;
  for (const auto& entry : table) {
    const auto name = path + entry.key;
    if (is_one_of(name, free_keys())) continue;
    kept.push_back(entry);
    if (const auto* inner = std::get_if<TomlEntries>(&entry.value.content))
      kept.back().value.content = without_free_keys(*inner, name + ".");
  }
  return kept;
}

using Flat = std::vector<std::pair<std::string, std::string>>;

std::string value_in(const Flat& flat, const std::string& key) {
  const auto found = std::find_if(flat.begin(), flat.end(), [&](const auto& entry) { return entry.first == key; });
  return found == flat.end() ? "absent" : found->second;
}

// One of the keys itself, or inside a table or list that is one: "solver.heatbath_residual",
// "algorithm.levels[1].steps".
bool is_tuning(const std::string& key) {
  const auto& all = tuning_keys();
  return std::any_of(all.begin(), all.end(), [&](const std::string& one) {
    return key.starts_with(one) && (key.size() == one.size() || key[one.size()] == '.' || key[one.size()] == '[');
  });
}

struct Difference {
  std::string key, before, now;
};

// A key of [measure] that was not there before, or a longer list of observables.
bool is_new_measurement(const Difference& d) {
  if (!d.key.starts_with("measure.") || d.now == "absent") return false;
  if (d.before == "absent") return true;
  if (d.key != "measure.observables") return false;
  std::size_t begin = 0, end = 0;
  while ((begin = d.before.find('"', end)) != std::string::npos) {
    end = d.before.find('"', begin + 1) + 1;
    if (d.now.find(d.before.substr(begin, end - begin)) == std::string::npos) return false;
  }
  return true;
}

// In the order of the current input, then the keys that are gone.
std::vector<Difference> differences(const TomlEntries& stored, const TomlEntries& present) {
  const Flat before = flatten(stored), now = flatten(present);
  std::vector<Difference> all;
  for (const auto& [key, value] : now)
    if (const auto old = value_in(before, key); old != value) all.push_back({key, old, value});
  for (const auto& [key, value] : before)
    if (value_in(now, key) == "absent") all.push_back({key, value, "absent"});
  return all;
}

}  // namespace

const std::vector<std::string>& free_keys() {
  static const auto keys = [] {
    std::vector<std::string> all{"algorithm.reversibility_every",
                                 "algorithm.certify",
                                 "chain.trajectories",
                                 "measure.hadrons.propagators",
                                 "measure.hadrons.propagators_format",
                                 "chain.checkpoint_every",
                                 "chain.save_every",
                                 "chain.save_precision",
                                 "chain.time_budget_minutes",
                                 "chain.stop_file",
                                 "chain.stop_when",
                                 "measure.every",
                                 "measure.flow.every",
                                 "measure.quarks.every",
                                 "measure.hadrons.every",
                                 "measure.wilson_loops.every",
                                 "measure.glueballs.every",
                                 "measure.staggered_hadrons.every",
                                 "solver.max_iterations",
                                 "output",
                                 "machine"};
    for (const auto& smoothing : measure::smoothings()) all.push_back("measure." + smoothing.name + ".every");
    return all;
  }();
  return keys;
}

const std::vector<std::string>& tuning_keys() {
  static const std::vector<std::string> keys{
      "algorithm.integrator", "algorithm.steps",     "algorithm.lambda", "algorithm.gauge_steps",
      "algorithm.levels",     "algorithm.precision", "rational",         "solver"};
  return keys;
}

TomlEntries physics_of(const TomlEntries& resolved) { return without_free_keys(resolved, ""); }

std::vector<std::string> changed_tuning(const TomlEntries& stored, const TomlEntries& present) {
  std::vector<std::string> texts;
  for (const auto& [key, before, now] : differences(stored, present))
    if (is_tuning(key)) {
      const auto said = [](const std::string& value) { return value == "absent" ? std::string("not given") : value; };
      texts.push_back(fmt::format("{} {} {} (was {})", key, now == "absent" ? "is" : "=", said(now), said(before)));
    }
  return texts;
}

std::vector<std::string> new_measurements(const TomlEntries& stored, const TomlEntries& present) {
  std::vector<std::string> texts;
  for (const auto& d : differences(stored, present))
    if (is_new_measurement(d)) texts.push_back(fmt::format("{} = {}", d.key, d.now));
  return texts;
}

void require_same_physics(const TomlEntries& stored, const TomlEntries& present, const std::filesystem::path& where) {
  for (const auto& d : differences(stored, present))
    if (!is_tuning(d.key) && !is_new_measurement(d))
      fail_input(
          "{}: the run there was made with {} = {}, the input now says {}; undo the change, or choose another "
          "output.directory or output.name for a new run",
          where.string(), d.key, d.before, d.now);
}

}  // namespace trellis::app

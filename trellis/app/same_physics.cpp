// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/same_physics.hpp"

#include <algorithm>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

TomlEntries without_free_keys(const TomlEntries& table, const std::string& path) {
  const auto& keys = free_keys();
  TomlEntries kept;
  for (const auto& entry : table) {
    const auto name = path + entry.key;
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
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

}  // namespace

const std::vector<std::string>& free_keys() {
  static const std::vector<std::string> keys{"algorithm.reversibility_every",
                                             "chain.trajectories",
                                             "chain.checkpoint_every",
                                             "chain.save_every",
                                             "chain.save_precision",
                                             "chain.time_budget_minutes",
                                             "chain.stop_file",
                                             "measure.every",
                                             "measure.flow.every",
                                             "measure.cooling.every",
                                             "measure.stout.every",
                                             "measure.quarks.every",
                                             "measure.hadrons.every",
                                             "solver.max_iterations",
                                             "output",
                                             "machine"};
  return keys;
}

TomlEntries physics_of(const TomlEntries& resolved) { return without_free_keys(resolved, ""); }

void require_same_physics(const TomlEntries& stored, const TomlEntries& present, const std::filesystem::path& where) {
  const Flat before = flatten(stored), now = flatten(present);
  Flat keys = now;
  keys.insert(keys.end(), before.begin(), before.end());
  for (const auto& [key, unused] : keys) {
    const auto old_value = value_in(before, key), new_value = value_in(now, key);
    if (old_value != new_value)
      fail_input(
          "{}: the run there was made with {} = {}, the input now says {}; undo the change, or choose another "
          "output.directory or output.name for a new run",
          where.string(), key, old_value, new_value);
  }
}

}  // namespace trellis::app

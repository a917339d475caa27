// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/potential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "trellis/analysis/variational.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"

namespace trellis::app {
namespace {

using Levels = std::pair<int, int>;
using Place = std::pair<std::string, int>;  // direction, number of steps

// Loops of a direction and distance: [t - 1][configuration], for each pair of levels.
using Loops = std::map<Levels, std::vector<analysis::Series>>;

void read_loops(const ChainResults& chain, std::map<Place, Loops>& to) {
  const auto file = chain.folder.wilson_loops();
  if (!std::filesystem::exists(file)) return;
  const auto data = io::read_csv(file, {"direction"});
  const auto directions = io::read_csv_texts(file, "direction");
  const auto &distance = data.column("distance"), &time = data.column("loop_time"), &level = data.column("level"),
             &other = data.column("other_level"), &value = data.column("wilson_loop");
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (!chain.keeps(data.values[0][i])) continue;
    auto& times = to[{directions[i], int(distance[i])}][{int(level[i]), int(other[i])}];
    const auto t = static_cast<std::size_t>(time[i]);
    if (t < 1) fail_input("{}: a loop has the time {}", file.string(), time[i]);
    if (times.size() < t) times.resize(t);
    times[t - 1].push_back(value[i]);
  }
}

// Symmetric matrix of averages at a time, in the order of the levels.
analysis::Series matrix(const Loops& loops, const std::vector<int>& levels, std::size_t t) {
  analysis::Series c;
  for (const int a : levels)
    for (const int b : levels) c.push_back(analysis::gamma_method(loops.at(std::minmax(a, b))[t]).mean);
  return c;
}

std::vector<int> levels_of(const Loops& loops) {
  std::vector<int> levels;
  for (const auto& [pair, times] : loops)
    if (pair.first == pair.second) levels.push_back(pair.first);
  return levels;
}

// Chains may have been measured with different keys.
void require_all(const Loops& loops, const std::vector<int>& levels) {
  const auto& first = loops.begin()->second;
  for (const int a : levels)
    for (const int b : levels) {
      const auto found = loops.find(std::minmax(a, b));
      if (found == loops.end()) fail("there are no Wilson loops between the levels {} and {}", a, b);
      if (found->second.size() != first.size()) fail("Wilson loops of different levels have different times");
      for (const auto& at_time : found->second)
        if (at_time.size() != first.front().size()) fail("Wilson loops of some configurations are missing");
    }
  if (first.size() < 2) fail("Wilson loops of one time have no potential");
}

// [configuration][t - 1] of a combination of levels.
std::vector<analysis::Series> combined(const Loops& loops, const std::vector<int>& levels, const analysis::Series& v) {
  const auto& first = loops.begin()->second;
  std::vector<analysis::Series> all(first.front().size(), analysis::Series(first.size()));
  for (std::size_t a = 0; a < levels.size(); ++a)
    for (std::size_t b = 0; b < levels.size(); ++b) {
      const auto& times = loops.at(std::minmax(levels[a], levels[b]));
      for (std::size_t t = 0; t < times.size(); ++t)
        for (std::size_t n = 0; n < all.size(); ++n) all[n][t] += v[a] * v[b] * times[t][n];
    }
  return all;
}

}  // namespace

std::optional<EnsemblePotential> static_potential(const Ensemble& ensemble,
                                                  const analysis::PotentialParameters& parameters) {
  std::map<Place, Loops> all;
  for (const auto& chain : ensemble.chains) read_loops(chain, all);
  if (all.empty()) return std::nullopt;
  EnsemblePotential potential;
  std::vector<analysis::LoopsAtDistance> distances;
  try {
    for (const auto& [place, loops] : all) {
      const auto& [direction, steps] = place;
      const auto levels = levels_of(loops);
      require_all(loops, levels);
      analysis::Series v(levels.size());
      v.back() = 1;
      if (levels.size() > 1) try {
          v = analysis::lowest_state(int(levels.size()), matrix(loops, levels, 0), matrix(loops, levels, 1));
        } catch (const Error&) {
          potential.without_combination.push_back(fmt::format("{} x {}", steps, direction));
        }
      distances.push_back(
          {steps * named("direction", measure::loop_directions(), direction).length(), combined(loops, levels, v)});
    }
    potential.found = analysis::static_potential(std::move(distances), parameters);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    potential.problem = error.what();
  }
  return potential;
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/run_costs.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/median.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

RunCost cost_of(const std::filesystem::path& path, const Ensemble& ensemble, const std::string& name, double s) {
  if (ensemble.of_files())
    fail_input("{}: --cost is for runs; files that were measured have no cost of a trajectory", path.string());
  std::vector<double> seconds;
  for (const auto& chain : ensemble.chains) {
    const auto found = chain.column("seconds").values;
    seconds.insert(seconds.end(), found.begin(), found.end());
  }
  std::vector<std::string> names;
  for (auto& quantity : quantities(ensemble, {.s = s})) {
    names.push_back(quantity.name);
    if (quantity.name != name) continue;
    if (!(quantity.estimate.error > 0))
      fail_input("{}: {} is constant, or was measured too rarely, so it has no autocorrelation time", path.string(),
                 name);
    return {path.string(), std::move(quantity), seconds.empty() ? std::nan("") : median(std::move(seconds))};
  }
  fail_input("{}: --cost {}: this was not measured; expected one of {}", path.string(), name,
             names.empty() ? "nothing: no row is left beyond the cut" : joined(names, ", "));
}

struct Gain {
  double value, error;
};
// That of the first run divided by this one's.
Gain gain_of(const RunCost& first, const RunCost& cost) {
  const double gain = first.tau_seconds() / cost.tau_seconds();
  const double error = std::hypot(first.quantity.tau_int_error() / first.quantity.tau_int(),
                                  cost.quantity.tau_int_error() / cost.quantity.tau_int());
  return {gain, gain * error};
}

}  // namespace

std::vector<RunCost> run_costs(const std::vector<std::filesystem::path>& paths, std::optional<std::int64_t> cut,
                               const std::string& quantity, double s) {
  static_cast<void>(read_results(paths, cut));  // refuses what is given twice
  std::vector<RunCost> costs;
  std::string title;
  for (const auto& path : paths) {
    const auto ensembles = read_results({path}, cut);
    if (costs.empty()) title = ensembles.front().title;
    if (ensembles.size() != 1 || ensembles.front().title != title)
      fail_input("{}: --cost compares runs of the same lattice, action and quarks: {}, not {}", path.string(), title,
                 ensembles.back().title);
    costs.push_back(cost_of(path, ensembles.front(), quantity, s));
  }
  return costs;
}

std::string run_costs_text(const std::vector<RunCost>& costs) {
  using analysis::with_error;
  std::size_t width = 3;
  for (const auto& cost : costs) width = std::max(width, cost.run.size());
  auto text = fmt::format("{}\n  {:<{}}  {:<16} {:<16} {:>8} {:<16} {}\n", costs.front().quantity.name, "run", width,
                          "mean", "tau_int", "s/traj.", " tau_int in s", "first / this");
  for (const auto& cost : costs) {
    const auto& q = cost.quantity;
    const auto gain = gain_of(costs.front(), cost);
    auto line = fmt::format("  {:<{}}  {:<16} {:<16} {:>8.3g}  {:<15} {}", cost.run, width,
                            with_error(q.estimate.mean, q.estimate.error), with_error(q.tau_int(), q.tau_int_error()),
                            cost.seconds, with_error(cost.tau_seconds(), cost.tau_seconds_error()),
                            &cost == &costs.front() ? "1" : with_error(gain.value, gain.error));
    if (const auto doubts = joined(q.doubts(), ", "); !doubts.empty()) line += "  " + doubts;
    text += line + "\n";
  }
  return text;
}

nlohmann::ordered_json run_costs_json(const std::vector<RunCost>& costs) {
  auto runs = nlohmann::ordered_json::array();
  for (const auto& cost : costs) {
    const auto gain = gain_of(costs.front(), cost);
    runs.push_back({{"run", cost.run},
                    {"mean", cost.quantity.estimate.mean},
                    {"error", cost.quantity.estimate.error},
                    {"tau_int_trajectories", cost.quantity.tau_int()},
                    {"tau_int_error_trajectories", cost.quantity.tau_int_error()},
                    {"seconds_per_trajectory", cost.seconds},
                    {"tau_int_seconds", cost.tau_seconds()},
                    {"tau_int_error_seconds", cost.tau_seconds_error()},
                    {"gain", gain.value},
                    {"gain_error", gain.error},
                    {"doubts", cost.quantity.doubts()}});
  }
  return {{"cost_of", costs.front().quantity.name}, {"runs", std::move(runs)}};
}

}  // namespace trellis::app

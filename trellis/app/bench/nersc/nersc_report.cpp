// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/nersc/nersc_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "trellis/app/bench/trajectory_report.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

// A term's solves in all timed trajectories.
struct TermSolves {
  std::string name;
  hmc::SolverCounts counts;
};

std::vector<TermSolves> solves_of(const TrajectoryFigure& figure) {
  std::vector<TermSolves> terms;
  for (const auto& record : figure.records)
    for (const auto& term : record.terms) {
      if (!term.solver) continue;
      auto found = std::ranges::find(terms, term.name, &TermSolves::name);
      if (found == terms.end()) found = terms.insert(terms.end(), {term.name, {}});
      auto& sum = found->counts;
      sum.solves += term.solver->solves;
      sum.iterations += term.solver->iterations;
      sum.seconds += term.solver->seconds;
      sum.residual = std::max(sum.residual, term.solver->residual);
      sum.largest_eigenvalue = std::max(sum.largest_eigenvalue, term.solver->largest_eigenvalue);
    }
  return terms;
}

std::string title(const NerscRun& run) {
  const auto lattice = to_string(run.which.size);
  return run.which.name.empty() ? lattice : fmt::format("{}, {}", run.which.name, lattice);
}

std::string on_ranks(const TrajectoryFigure& f) {
  return f.ranks == 1
             ? fmt::format("1 rank, {}", plural(f.threads, "thread"))
             : fmt::format("{} {}, {} each", plural(f.ranks, "rank"), to_string(f.grid), plural(f.threads, "thread"));
}

}  // namespace

double NerscRun::seconds() const { return std::accumulate(figure.times.begin(), figure.times.end(), 0.0); }

std::string nersc_introduction(const NerscRun& run) {
  auto text = fmt::format("The MILC-NERSC RHMC benchmark, {}. {}.\n{}.\nDifferent from the published benchmark:\n",
                          title(run), tuning::runs_on(), describe(run.input));
  for (const auto& item : nersc_differences()) text += fmt::format("- {}\n", item);
  return text + fmt::format("- the start, there a published configuration, here {}.\n", run.start);
}

std::string nersc_trajectory_line(const std::string& lattice, const hmc::TrajectoryRecord& record, double seconds) {
  return fmt::format("  {}  trajectory {:<3} {:>9.3f} s   dH = {:.4g}{}\n", lattice, record.trajectory + 1, seconds,
                     record.dH, record.accepted ? "" : ", rejected");
}

std::string nersc_text(const NerscRun& run) {
  const auto& f = run.figure;
  auto text = fmt::format("\n{} on {}, {}: {:.2f} s\n", plural(std::int64_t(f.times.size()), "trajectory"),
                          to_string(run.which.size), on_ranks(f), run.seconds());
  const double count = double(f.times.size());
  for (int k = 0; k < trajectory_parts; ++k)
    text += fmt::format("  {:<16} {:>10.2f} s {:>6.1f}%\n", name_of(TrajectoryPart(k)), count * f.parts[std::size_t(k)],
                        100 * f.parts[std::size_t(k)] / f.mean_seconds());
  text += fmt::format("  {:.0f} GFLOP/s, {:.0f} GB/s, {:.0f} iterations of conjugate gradients, plaquette {:.10f}\n",
                      f.flops / f.mean_seconds() * 1e-9, f.bytes / f.mean_seconds() * 1e-9, count * f.iterations,
                      f.plaquette);
  text += fmt::format("{:<20} {:>8} {:>12} {:>10} {:>12} {:>12}\n", "term", "solves", "iterations", "seconds",
                      "residual", "eigenvalue");
  for (const auto& [name, sum] : solves_of(f))
    text += fmt::format("{:<20} {:>8} {:>12} {:>10.2f} {:>12.2e} {:>12.3f}\n", name, sum.solves, sum.iterations,
                        sum.seconds, sum.residual, sum.largest_eigenvalue);
  if (f.quarks) {
    text += fmt::format("Condensates, {:.2f} s\n", f.quarks->seconds);
    for (const auto& flavour : f.quarks->flavours)
      text += fmt::format("  {:<18} {:.10f}   {} iterations, residual {:.2e}\n", flavour.name,
                          flavour.mean.condensate.real(), flavour.mean.iterations, flavour.mean.residual);
  }
  if (run.which.published.empty()) return text;
  text += "Published: MILC with QUDA on A100 with 80 GB\n";
  for (const auto& [devices, seconds] : run.which.published)
    text +=
        fmt::format("  {:>3} {:<8} {:>7.0f} s{}\n", devices, devices == 1 ? "device" : "devices", seconds,
                    devices == f.ranks ? fmt::format("   {:.1f} times as long as here", seconds / run.seconds()) : "");
  return text + "with the differences above.\n";
}

nlohmann::ordered_json to_json(const NerscRun& run) {
  nlohmann::ordered_json out = {{"benchmark", "MILC-NERSC RHMC"},
                                {"size", run.which.name},
                                {"runs_on", tuning::runs_on()},
                                {"action", describe(run.input)},
                                {"start", run.start},
                                {"differences", nersc_differences()},
                                {"seconds_of_all", run.seconds()},
                                {"trajectories", run.figure.records.size()},
                                {"figures", nlohmann::ordered_json::array({to_json(run.figure)})},
                                {"records", nlohmann::ordered_json::array()},
                                {"terms", nlohmann::ordered_json::array()},
                                {"condensates", nlohmann::ordered_json::array()},
                                {"published", nlohmann::ordered_json::array()}};
  for (const auto& record : run.figure.records)
    out["records"].push_back({{"number", record.trajectory + 1}, {"dH", record.dH}, {"accepted", record.accepted}});
  for (const auto& [name, sum] : solves_of(run.figure))
    out["terms"].push_back({{"name", name},
                            {"solves", sum.solves},
                            {"iterations", sum.iterations},
                            {"seconds", sum.seconds},
                            {"residual", sum.residual},
                            {"largest_eigenvalue", sum.largest_eigenvalue}});
  if (run.figure.quarks) {
    out["condensate_seconds"] = run.figure.quarks->seconds;
    for (const auto& flavour : run.figure.quarks->flavours)
      out["condensates"].push_back({{"name", flavour.name},
                                    {"condensate", flavour.mean.condensate.real()},
                                    {"iterations", flavour.mean.iterations},
                                    {"residual", flavour.mean.residual}});
  }
  for (const auto& [devices, seconds] : run.which.published)
    out["published"].push_back({{"devices", devices}, {"seconds", seconds}});
  return out;
}

}  // namespace trellis::app

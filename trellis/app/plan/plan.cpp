// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis plan INPUT: predicts memory, time and disk of a run on a machine, which need not be this one.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "trellis/app/command.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/plan/machine_file.hpp"
#include "trellis/app/plan/plan_input.hpp"
#include "trellis/app/plan/plan_report.hpp"
#include "trellis/app/results/link_files.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/tune/choose_algorithm.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/precision.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

struct PlanOptions {
  std::string input, machine, table, kernels;
  std::vector<std::string> iterations;
  std::vector<int> devices;
  int show = 0;
  bool json = false;
};

constexpr int most_devices = 4096;

std::vector<std::string> terms_of(const std::vector<bench::SolveWork>& solves) {
  std::vector<std::string> terms;
  for (const auto& solve : solves)
    if (std::find(terms.begin(), terms.end(), solve.term) == terms.end()) terms.push_back(solve.term);
  return terms;
}

double solves_of_term(const std::vector<bench::SolveWork>& solves, const std::string& term) {
  double calls = 0;
  for (const auto& solve : solves)
    if (solve.term == term) calls += solve.calls;
  return calls;
}

// "N", or "TERM=N": iterations of a solve, on average.
void take_iterations(const std::vector<std::string>& words, std::vector<bench::SolveWork>& solves) {
  const auto terms = terms_of(solves);
  for (const auto& word : words) {
    const auto equals = word.find('=');
    const auto term = equals == std::string::npos ? std::string() : word.substr(0, equals);
    const auto number = equals == std::string::npos ? word : word.substr(equals + 1);
    double value = 0;
    const auto end = std::from_chars(number.data(), number.data() + number.size(), value);
    if (end.ec != std::errc() || end.ptr != number.data() + number.size() || !(value >= 1 && value <= 1e9))
      fail_input("plan: --iterations: found '{}', expected a number from 1, or TERM=NUMBER", word);
    if (!term.empty() && std::find(terms.begin(), terms.end(), term) == terms.end())
      fail_input("plan: --iterations: '{}' is no term of quarks{}", term, suggestion(term, terms));
    for (const auto& one : terms)
      if (term.empty() || one == term) bench::set_iterations(solves, one, value * solves_of_term(solves, one));
  }
}

io::CsvData read_table(const std::string& file, const std::vector<std::string>& texts = {}) {
  if (!std::filesystem::exists(file)) fail_input("{}: there is no such file", file);
  return io::read_csv(file, texts);
}

// The name by value: GCC 13 takes the result for a part of a temporary argument.
const std::vector<double>& column(const io::CsvData& table, const std::string& file, std::string_view name) {
  if (!table.has(name)) fail_input("{}: has no column '{}'", file, name);
  return table.column(name);
}

// Averages of a run's table.
void take_table(const std::string& file, std::vector<bench::SolveWork>& solves) {
  const auto table = read_table(file);
  for (const auto& term : terms_of(solves)) {
    double sum = 0, count = 0;
    for (const double value : column(table, file, "iterations_" + term))
      if (!std::isnan(value)) {
        sum += value;
        ++count;
      }
    if (count == 0) fail_input("{}: no trajectory has iterations of term '{}'", file, term);
    bench::set_iterations(solves, term, sum / count);
  }
}

// What kernels of a run reached: its -kernels.csv.
void take_kernels(const std::string& file, bench::MachineDescription& machine) {
  const auto table = read_table(file, {"kernel", "precision"});
  const auto &bandwidth = column(table, file, "of_bandwidth"), &peak = column(table, file, "of_peak");
  const auto names = io::read_csv_texts(file, "kernel"), precisions = io::read_csv_texts(file, "precision");
  machine.kernels.clear();
  for (std::size_t n = 0; n < names.size(); ++n) {
    const double reached = std::fmax(bandwidth[n], peak[n]);
    if (reached > 0) machine.kernels.push_back({names[n], precisions[n] == "single", reached});
  }
  if (machine.kernels.empty()) fail_input("{}: no kernel says what it reached", file);
}

// The numbers of devices that were requested; otherwise powers of two, as far as lattice and links go.
std::vector<int> device_counts(const PlanOptions& options, const bench::MachineDescription& machine,
                               const Coordinate& size, std::vector<std::string>& notes) {
  for (const int devices : options.devices)
    if (devices < 1 || devices > most_devices)
      fail_input("plan: --devices: found {}, expected numbers from 1 to {}", devices, most_devices);
  if (!options.devices.empty()) return options.devices;
  std::vector<int> counts;
  for (int devices = 1; devices <= most_devices; devices *= 2) {
    if (devices > 1 && !(devices > machine.devices ? machine.across : machine.inside)) {
      notes.push_back(fmt::format(
          "The machine's [links] do not say what messages between {} devices cost: larger numbers are not planned.",
          devices));
      break;
    }
    if (!comm::possible_grids(size, devices, machine.link_cost(devices)).empty()) counts.push_back(devices);
  }
  return counts;
}

// Measurements that take time but are not planned.
void note_measurements(const RunInput& input, std::vector<std::string>& notes) {
  const auto& m = input.measure;
  std::vector<std::string> left_out;
  if (!m.observables.empty()) left_out.emplace_back("observables");
  if (m.flow) left_out.emplace_back("flow");
  if (m.quarks) left_out.emplace_back("quarks");
  for (const auto& [name, smoothing] : m.smoothings) left_out.push_back(name);
  if (m.wilson_loops) left_out.emplace_back("Wilson loops");
  if (m.glueballs) left_out.emplace_back("glueballs");
  if (m.hadrons) left_out.emplace_back("hadrons");
  if (m.staggered_hadrons) left_out.emplace_back("staggered hadrons");
  if (!left_out.empty())
    notes.push_back(
        fmt::format("The time of the measurements {} of this input is not included.", joined(left_out, ", ")));
  const auto& solver = input.solver;
  if (const auto precisions = {solver.heatbath_precision, solver.molecular_dynamics_precision,
                               solver.metropolis_precision};
      std::find(precisions.begin(), precisions.end(), "mixed") != precisions.end())
    notes.emplace_back("The cost of mixed precision beyond its single-precision iterations is a rough estimate.");
}

// What a run holds of files that are being written; beside a GPU that is the host's memory, which while links are taken
// also has a copy of the field.
void add_files_under_way(bench::PlannedTrajectory& trajectory, PlanReport& report) {
  const double bytes = link_file_bytes_per_site(report.input);
  if (!report.machine.is_asynchronous())
    trajectory.fields.push_back({"files under way", bytes});
  else
    report.notes.push_back(fmt::format("Files under way take up to {} bytes per site of the hosts' memory.",
                                       bytes + 72 * arithmetic_bytes(Precision::double_)));
}

// With kind = "auto": of what the plan is.
void take_chosen_algorithm(PlanReport& report) {
  const auto& asked = report.input;
  if (!asked.algorithm.automatic) return;
  if (auto chosen = with_earlier_algorithm_by_one_rank(asked)) {
    report.algorithm = fmt::format("Algorithm: that chosen for the chain in {},\n  {}\n",
                                   asked.output.directory.string(), hmc::describe(hmc_parameters(*chosen)));
    report.input = std::move(*chosen);
    return;
  }
  report.algorithm = fmt::format(
      "Algorithm: not chosen yet (kind = \"auto\"). All times below are of a chain with what the choice begins with,\n"
      "  {}.\n"
      "  The run will have other steps and integrators, and may split determinants, which changes them. Memory is "
      "that\n"
      "  of the choice, which keeps the forces of all terms and tries determinants that are split, unless the chain\n"
      "  needs more. The choice itself takes up to {} further trajectories, which \"whole run\" and node-hours leave "
      "out.\n"
      "  `trellis tune` writes an input with a chosen algorithm, whose plan is certain about it.\n",
      hmc::describe(hmc_parameters(asked)), asked.algorithm.tuning_trajectories);
}

std::size_t shown_plan(const PlanOptions& options, const PlanReport& report) {
  for (std::size_t n = 0; n < report.plans.size(); ++n)
    if (options.show > 0 ? report.plans[n].devices == options.show : report.fits(report.plans[n])) return n;
  if (options.show > 0) fail_input("plan: --show {}: there is no plan for that many devices", options.show);
  return report.plans.size() - 1;
}

// The bound on iterations follows from the largest eigenvalue that the input allows; runs so far needed a third to a
// half of it.
void add_likely_times(const PlanInput& input, PlanReport& report) {
  std::vector<bench::PlannedTrajectory> likely;
  for (const double part : {1.0 / 3, 1.0 / 2}) {
    auto solves = report.solves;
    for (auto& solve : solves) solve.iterations *= part;
    likely.push_back(input.trajectory(solves));
  }
  const auto seconds = [&](const bench::PlannedTrajectory& trajectory, int devices) {
    return bench::plan(report.input.size, trajectory, report.machine, devices).seconds.total();
  };
  for (const auto& plan : report.plans)
    report.likely.emplace_back(seconds(likely[0], plan.devices), seconds(likely[1], plan.devices));
}

int run(const PlanOptions& options) {
  PlanReport report;
  report.input = read_run_input(options.input);
  if (const auto& tempering = report.input.tempering)
    fail_input(
        "plan: {}: [tempering] is not planned. Without that table this is the plan of one replica; {} replicas, one "
        "after the other, take that many times as long, and their links 576 bytes a site each",
        options.input, tempering->couplings.size());
  take_chosen_algorithm(report);
  report.machine = read_machine_file(options.machine);
  if (!options.kernels.empty()) take_kernels(options.kernels, report.machine);
  const PlanInput input(report.input);
  report.solves = input.solves();
  if (report.solves.empty() && !(options.table.empty() && options.iterations.empty()))
    fail_input("plan: {}: there are no quarks, so there are no iterations", options.input);
  if (!options.table.empty() && !options.iterations.empty()) fail_input("plan: give --table or --iterations, not both");
  report.iterations_from = "an upper bound: sqrt(condition number) / 2 log(2 / residual)";
  if (!options.table.empty()) {
    take_table(options.table, report.solves);
    report.iterations_from = "as many as in " + options.table;
  } else if (!options.iterations.empty()) {
    take_iterations(options.iterations, report.solves);
    report.iterations_from = "as --iterations says";
  } else if (!report.solves.empty()) {
    report.iterations_are_bound = true;
    report.notes.emplace_back(
        "Iterations are an upper bound from the largest eigenvalue that the input allows; runs so far needed a third "
        "to a half.\n"
        "    --table or --iterations of a short run replace it.");
  }
  note_measurements(report.input, report.notes);
  auto trajectory = input.trajectory(report.solves);
  add_files_under_way(trajectory, report);
  for (const int devices : device_counts(options, report.machine, report.input.size, report.notes))
    report.plans.push_back(bench::plan(report.input.size, trajectory, report.machine, devices));
  if (report.iterations_are_bound) add_likely_times(input, report);
  report.slower = slower_reasons(report.input.size, trajectory, report.machine, report.fitting());
  report.shown = shown_plan(options, report);
  if (options.json)
    fmt::print("{}\n", plan_json(report).dump(2));
  else
    fmt::print("{}", plan_text(report));
  return 0;
}

}  // namespace

void add_plan(const Command& program, Action& action) {
  auto options = std::make_shared<PlanOptions>();
  const auto command = program.add_subcommand(
      "plan", "Predict what a run will need on a machine that you describe: memory, time by kernel, node hours, disk");
  command.add_option("INPUT", options->input, "the input of trellis run, TOML").required();
  command.add_option("--machine", options->machine, "the machine, TOML; trellis bench machine writes one").required();
  command.add_option("--devices", options->devices, "numbers of devices, separated by commas; default: powers of two")
      .delimiter(',');
  command.add_option("--iterations", options->iterations,
                     "conjugate gradient iterations per solve: N, or TERM=N for one term; separated by spaces");
  command.add_option("--table", options->table, "the table of a similar run, from which to take the iterations");
  command.add_option("--kernels", options->kernels,
                     "-kernels.csv of a run on such a machine, for the kernels' efficiencies");
  command.add_option("--show", options->show, "number of devices for which to show memory and kernels");
  command.add_flag("--json", options->json, "print JSON");
  command.footer("Example: trellis plan examples/physical_point.toml --machine examples/machines/h200.toml");
  command.callback([options, &action] { action = [options] { return by_first_rank([&] { return run(*options); }); }; });
}

}  // namespace trellis::app

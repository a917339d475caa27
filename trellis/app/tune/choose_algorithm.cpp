// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/tune/choose_algorithm.hpp"

#include <algorithm>

#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/shared_folder.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/checkpoints.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/run/run_chain.hpp"
#include "trellis/app/run/stop_when.hpp"
#include "trellis/app/tune/chosen_input.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {
namespace {

// The random numbers of the choice are not those of the chain.
constexpr std::uint64_t seed_of_tuning = 0x74756e696e67;

// What a choice must save to be worth another input.
constexpr double worthwhile = 0.95;

// The choice must leave time for the chain, or a job of limited time would begin with it again and again.
double seconds_to_choose(const RunInput& input) {
  const double own = 60 * input.algorithm.tuning_minutes, half = 30 * input.chain.time_budget_minutes;
  return own > 0 && half > 0 ? std::min(own, half) : std::max(own, half);
}

template <int W>
hmc::TuningResult tune(const RunInput& input, const std::vector<Splitting>& splittings, const comm::ProcessGrid& grid,
                       const KernelSettings& kernels, const InterruptGuard& interrupt, const Tell& tell,
                       const std::function<void()>& before_trying) {
  const Lattice lattice(input.size, W, SiteOrder::even_odd, kernels.lattice_shape(), grid);
  const auto u = start_links<W>(input, lattice);
  if (before_trying) before_trying();
  std::vector<hmc::TuningCandidate<double, W>> candidates;
  for (const Splitting& splitting : splittings) {
    const bool given = candidates.empty();
    RunInput split = input;
    split.quarks.flavours = splitting.flavours;
    if (!given)
      split.algorithm.levels = levels_to_begin_with(input.action, split.quarks, input.algorithm.trajectory_length);
    candidates.push_back({splitting.name, [split, lattice, kernels] { return make_terms<W>(split, lattice, kernels); },
                          hmc_parameters(split)});
  }
  const auto stopped_by = [&]() -> std::string {
    if (interrupt.signal() != 0) return name_of_signal(interrupt.signal());
    std::error_code ignored;
    const bool stops =
        input.algorithm.automatic && grid.ranks().is_first() && std::filesystem::exists(input.chain.stop_file, ignored);
    return stops ? "the stop file " + input.chain.stop_file.string() : "";
  };
  const hmc::TuningBudget budget{.trajectories = static_cast<int>(input.algorithm.tuning_trajectories),
                                 .seconds = seconds_to_choose(input),
                                 .stopped_by = stopped_by,
                                 .last_candidate_first = input.algorithm.automatic,
                                 .search = {.longest_length = input.algorithm.longest_trajectory_length}};
  return hmc::tune_integrator<double, W>(candidates, budget,
                                         static_cast<std::uint64_t>(input.chain.seed) ^ seed_of_tuning, u, tell);
}

// kept: said of what a stop leaves.
ChosenAlgorithm choose_among(const std::vector<Splitting>& splittings, const RunInput& input, const Tell& tell,
                             const std::function<void()>& before_trying, const std::string& kept = {}) {
  const auto grid = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing));
  if (input.machine.threads > 0) set_thread_count(static_cast<int>(input.machine.threads));
  ChosenAlgorithm chosen;
  const int lanes = lanes_for(grid, input.size, input.machine);
  const KernelSettings kernels(kernels_of(input, grid, lanes, concurrency()), input.machine, grid.ranks(),
                               gauge::longest_hop(input.quarks.smearing));
  const InterruptGuard interrupt;
  try {
    chosen.result = with_lanes(
        lanes, [&]<int W>() { return tune<W>(input, splittings, grid, kernels, interrupt, tell, before_trying); });
  } catch (const hmc::TuningStopped& stopped) {
    double signal = interrupt.signal();
    grid.ranks().maximum("signals", {&signal, 1});
    throw ChoiceStopped(
        fmt::format("Stopped by {} while the algorithm was being chosen: what was tried is lost, {}and the same "
                    "command begins with that anew.",
                    stopped.what(), kept),
        signal != 0 ? stopped_by_signal + static_cast<int>(signal) : stopped_early);
  }
  const hmc::TriedIntegrator& best = chosen.result.best;
  chosen.given = chosen.result.tried.front();
  chosen.better = input.algorithm.automatic || best.cost() < worthwhile * chosen.given.cost();
  chosen.input = chosen.better ? with_algorithm(input, splittings[best.candidate].flavours, best.parameters) : input;
  return chosen;
}

}  // namespace

ChosenAlgorithm choose_algorithm(const RunInput& input, const Tell& tell, const std::function<void()>& before_trying) {
  if (input.algorithm.kind == AlgorithmKind::heatbath)
    fail_input("a heatbath has nothing to choose; [algorithm] kind must be \"hmc\" or \"auto\"");
  return choose_among(splittings_to_try(input.quarks.flavours), input, tell, before_trying);
}

namespace {

// Of the newest checkpoint that can be read, with its file; nothing if there is no checkpoint. Throws Error if none can
// be read.
struct NewestCheckpoint {
  std::filesystem::path file;
  SavedChain chain;
};
std::optional<NewestCheckpoint> newest_checkpoint(const RunFolder& folder) {
  std::string problems;
  for (const auto& file : {folder.checkpoint(), folder.previous_checkpoint()}) {
    if (!std::filesystem::exists(file)) continue;
    try {
      return NewestCheckpoint{file, read_saved_chain(file)};
    } catch (const Error& error) {
      problems = error.what();
    }
  }
  if (!problems.empty())
    fail("{}\nNothing was changed. `{}` finds the last intact state and goes back to it", problems,
         repair_command(folder));
  return {};
}

// Of the chain in the folder, as TOML: what its resolved input says, or else its checkpoint. Empty if there is none.
std::string earlier_choice(const RunFolder& folder) {
  if (std::filesystem::exists(folder.input()) && resolved_input_is_whole(folder)) {
    const auto stored = read_run_input(folder.input());
    if (!stored.algorithm.automatic) return write_toml(stored.resolved);
  }
  const auto newest = newest_checkpoint(folder);
  return newest ? write_toml(newest->chain.physics) : std::string();
}

std::optional<RunInput> with_choice(const RunInput& input, const std::string& earlier) {
  if (earlier.empty()) return {};
  return with_algorithm_of(input, parse_toml(earlier, "the chosen algorithm"));
}

}  // namespace

std::optional<RunInput> with_earlier_algorithm_by_one_rank(const RunInput& input) {
  if (!input.algorithm.automatic) return {};
  return with_choice(input, earlier_choice({input.output.directory, input.output.name}));
}

std::optional<RunInput> with_earlier_algorithm(const RunInput& input) {
  if (!input.algorithm.automatic) return {};
  const RunFolder folder{input.output.directory, input.output.name};
  const auto ranks = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing)).ranks();
  std::string earlier;
  io::on_first_rank(ranks, "look for a chosen algorithm", [&] { earlier = earlier_choice(folder); });
  earlier = ranks.broadcast("the chosen algorithm", earlier);
  return with_choice(input, earlier);
}

namespace {

// Chooses in the run's folder, whose lock it takes before the first trajectory, and writes the choice there.
template <class Choose>
InputToRun chosen_in_folder(const RunInput& input, const Tell& tell, const std::string& beginning, bool for_new_chain,
                            const Choose& choose) {
  const RunFolder folder{input.output.directory, input.output.name};
  const auto ranks = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing)).ranks();
  io::on_first_rank(ranks, "look at the folder", [&] { require_writable(folder.directory); });
  require_shared_folder(ranks, folder.directory);
  std::vector<std::string> told;
  const Tell tell_and_keep = [&](const std::string& text) {
    tell(text);
    told.push_back(log_entry(text));
  };
  std::unique_ptr<FolderLock> lock;
  const auto chosen = choose(tell_and_keep, [&] {
    io::on_first_rank(ranks, "lock the folder", [&] {
      make_folder(folder.directory);
      lock = std::make_unique<FolderLock>(folder.lock());
      if (for_new_chain && !earlier_choice(folder).empty())
        fail("{}: another run has just been started here", folder.lock().string());
    });
    require_lock_is_seen(ranks, folder.lock());
    tell_and_keep(beginning);
  });
  tell_and_keep(fmt::format("Chosen: {}{}", describe(chosen.result.best.parameters),
                            chosen.result.out_of_budget ? "; the budget ended before the search did" : ""));
  io::on_first_rank(ranks, "write the chosen algorithm", [&] {
    lock->require_held();
    for (const auto& entry : told) append_log_entry(folder.log(), entry);
    write_resolved_input(folder, write_toml(chosen.input.resolved));
  });
  return {chosen.input, std::move(lock)};
}

}  // namespace

InputToRun with_chosen_algorithm(const RunInput& input, const Tell& tell) {
  if (!input.algorithm.automatic) return {input, nullptr};
  if (auto earlier = with_earlier_algorithm(input)) {
    tell("The chain that is there keeps its algorithm: kind = \"auto\" chooses only for a new one.");
    return {std::move(*earlier), nullptr};
  }
  const auto beginning =
      fmt::format("Choosing the algorithm, in at most {} trajectories that are not part of the chain:",
                  input.algorithm.tuning_trajectories);
  return chosen_in_folder(input, tell, beginning, true, [&](const Tell& say, const std::function<void()>& before) {
    return choose_algorithm(input, say, before);
  });
}

ChainToChooseAgain chain_to_choose_again(const RunInput& input) {
  if (!input.algorithm.automatic) fail_input("--choose-again goes with algorithm.kind = \"auto\" only");
  const RunFolder folder{input.output.directory, input.output.name};
  const auto ranks = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing)).ranks();
  auto chain = with_earlier_algorithm(input);
  const bool begun = io::from_first_rank(ranks, "look for a checkpoint", [&] { return has_checkpoint(folder); });
  if (!chain || !begun)
    fail_input("--choose-again: there is no chain yet in {}; without this option the algorithm is chosen first",
               folder.directory.string());
  const bool complete = io::from_first_rank(ranks, "look at the checkpoint", [&] {
    const auto newest = newest_checkpoint(folder).value();
    require_same_physics(newest.chain.physics, physics_of(chain->resolved), newest.file);
    return newest.chain.completed >= chain->chain.trajectories ||
           (chain->chain.stop_when && std::filesystem::exists(folder.table()) &&
            precise_enough(*chain, io::read_csv(folder.table()), newest.chain.completed));
  });
  return {std::move(*chain), complete};
}

InputToRun with_algorithm_chosen_again(const RunInput& asked, const RunInput& chain, double seconds_spent,
                                       const Tell& tell) {
  RunInput input = chain;
  auto& algorithm = input.algorithm;
  algorithm.automatic = true;
  algorithm.tuning_trajectories = asked.algorithm.tuning_trajectories;
  algorithm.tuning_minutes = asked.algorithm.tuning_minutes;
  algorithm.longest_trajectory_length = 0;
  if (auto& budget = input.chain.time_budget_minutes; budget > 0) budget = std::max(1e-3, budget - seconds_spent / 60);
  const RunFolder folder{chain.output.directory, chain.output.name};
  const auto ranks = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing)).ranks();
  const bool last =
      io::from_first_rank(ranks, "look for a checkpoint", [&] { return std::filesystem::exists(folder.checkpoint()); });
  input.start.kind = StartKind::file;
  input.start.file = last ? folder.checkpoint() : folder.previous_checkpoint();
  const auto beginning = fmt::format(
      "Choosing its steps again, from the links that it has reached, in at most {} trajectories that are not part of "
      "it:",
      algorithm.tuning_trajectories);
  // Another splitting of determinants would be another chain.
  const std::vector<Splitting> only{{"as chosen before", input.quarks.flavours}};
  return chosen_in_folder(input, tell, beginning, false, [&](const Tell& say, const std::function<void()>& before) {
    return choose_among(only, input, say, before, "the chain keeps its trajectories and its steps, ");
  });
}

}  // namespace trellis::app

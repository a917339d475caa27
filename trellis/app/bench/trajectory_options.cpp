// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/trajectory_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/app/bench/scaling_options.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/tune/choose_algorithm.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

constexpr const char* trajectory_command = "bench trajectory";
const std::vector<std::string> kinds_of_scaling{"strong", "weak"};

void require_valid(const TrajectoryOptions& options) {
  if (options.trajectories < 1)
    fail_input("{}: --trajectories: found {}; it must be at least 1", trajectory_command, options.trajectories);
  if (options.warm_up < 0)
    fail_input("{}: --warm-up: found {}; it must be at least 0", trajectory_command, options.warm_up);
  require_thread_count(trajectory_command, options.threads);
  for (const auto& word : options.scaling)
    if (std::ranges::find(kinds_of_scaling, word) == kinds_of_scaling.end())
      fail_input("{}: --scaling: found '{}'{}", trajectory_command, word, suggestion(word, kinds_of_scaling));
}

RunInput with_known_algorithm(const RunInput& input) {
  if (!input.algorithm.automatic) return input;
  if (auto earlier = with_earlier_algorithm(input)) return *earlier;
  fail_input(
      "{}: [algorithm] kind is \"auto\", and no algorithm has been chosen yet in {}: `trellis run` chooses one, and "
      "`trellis tune` writes an input that has it",
      trajectory_command, input.output.directory.string());
}

}  // namespace

TrajectoryCases trajectory_cases(const TrajectoryOptions& options, const RunInput& input, int job_size) {
  require_valid(options);
  const auto ranks = ranks_to_time(trajectory_command, options.ranks, job_size);
  auto grid = grid_to_time(trajectory_command, options.grid, ranks);
  if (!grid) grid = input.machine.ranks;
  const bool several = ranks.back() > 1, from_file = input.start.kind == StartKind::file;
  const auto wanted = [&](const char* word) {
    return options.scaling.empty() || std::ranges::find(options.scaling, word) != options.scaling.end();
  };
  TrajectoryCases all;
  bool strong = wanted("strong"), weak = wanted("weak");
  if (weak && several && from_file) {
    if (!options.scaling.empty())
      fail_input("{}: --scaling: weak scaling has larger lattices, and start.file holds links on {} only",
                 trajectory_command, to_string(input.size));
    all.notes.emplace_back(
        "strong scaling only: weak scaling has larger lattices, and the links of the start are a file's");
    weak = false;
  }
  if (strong && !several) weak = false;
  if (!several)
    all.notes.emplace_back(
        "one rank only, so that nothing is compared: start several, as by mpirun -n 4, to see how it scales");
  if (const auto& tempering = input.tempering)
    all.notes.push_back(
        fmt::format("of [tempering] only the periodic replica is timed: a trajectory of the run has one of each of its "
                    "{} replicas, and swaps",
                    tempering->couplings.size()));
  const RunInput known = with_known_algorithm(input);
  for (const bool is_strong : {true, false}) {
    if (!(is_strong ? strong : weak)) continue;
    const bench::ScalingSeries series{.strong = is_strong,
                                      .size = input.size,
                                      .ranks = ranks,
                                      .grid = grid,
                                      .longest_hop = gauge::longest_hop(input.quarks.smearing)};
    series.require_valid();
    for (const int count : ranks) {
      TrajectoryCase one{is_strong, count, series.grid_of(count), known};
      one.input.size = series.lattice_of(count);
      one.input.machine.ranks.reset();
      require_memory(one.input, machine_memory_limit(), count);
      const comm::ProcessGrid shape(one.grid, 0, one.input.machine.rank_order);
      static_cast<void>(lanes_for(shape, one.input.size, one.input.machine));  // throws
      all.cases.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace trellis::app

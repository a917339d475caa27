// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/check_run.hpp"

#include <fmt/format.h>

#include "trellis/app/command.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/job/shared_folder.hpp"
#include "trellis/app/plan/disk_space.hpp"
#include "trellis/app/plan/plan_report.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/checkpoints.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/app/tempering/replica_ranks.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

std::string labelled(const char* what, const std::string& text) { return fmt::format("  {:<14} {}\n", what, text); }
// The parts of a run that find errors when they are made. Returns what is known of the quarks' terms.
std::string make_parts(const RunInput& input, const comm::ProcessGrid& grid, int lanes, bool is_new) {
  return with_lanes(lanes, [&]<int W>() {
    const int longest_hop = gauge::longest_hop(input.quarks.smearing);
    const Lattice lattice(input.size, W, SiteOrder::even_odd,
                          {.directions = input.machine.site_order, .vector_reach = longest_hop}, grid);
    if (is_new) start_links<W>(input, lattice);
    coupled_defect<W>(input, lattice);
    replica_ranks(input, grid, longest_hop);
    auto terms = make_terms<W>(input, lattice);
    std::string text;
    for (const auto& term : terms)
      if (!term->description().empty()) text += labelled("quarks", term->description());
    make_algorithm<W>(input, lattice, std::move(terms));
    return text;
  });
}

// Of the checkpoint in the folder, which must fit the input.
std::string continuation(const RunInput& input, const RunFolder& folder) {
  const auto file = fs::exists(folder.checkpoint()) ? folder.checkpoint() : folder.previous_checkpoint();
  const auto saved = read_saved_chain(file);
  const auto physics = physics_of(input.resolved);
  require_same_physics(saved.physics, physics, file);
  auto text = labelled("continues", fmt::format("after trajectory {} of {}, from {}", saved.completed,
                                                input.chain.trajectories, file.string()));
  for (const auto& change : changed_tuning(saved.physics, physics)) text += labelled("changed", change);
  for (const auto& key : new_measurements(saved.physics, physics)) text += labelled("also measured", key);
  return text;
}

std::string disk(const RunInput& input) {
  const auto space = disk_space(input);
  auto text = gigabytes(space.needed);
  if (space.free) text += fmt::format(" of {} that are free", gigabytes(*space.free));
  if (!space.is_enough()) text += ": NOT ENOUGH for all configurations";
  return labelled("disk", text);
}

}  // namespace

int check_run(const RunInput& input, const Console& console) {
  const auto grid = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing));
  const auto ranks = grid.ranks();
  io::on_first_rank(ranks, "look at the folder", [&] { require_writable(input.output.directory); });
  require_shared_folder(ranks, input.output.directory);
  const int lanes = lanes_for(grid, input.size, input.machine);
  if (input.machine.threads > 0) set_thread_count(static_cast<int>(input.machine.threads));
  const RunFolder folder{input.output.directory, input.output.name};
  const TrajectoryColumns columns(input);
  require_valid(columns.observables(), input.size, input.boundary);
  const bool is_new = io::from_first_rank(ranks, "look for a checkpoint", [&] { return !has_checkpoint(folder); });
  std::string chain = labelled("trajectories", fmt::format("{}, {} of them thermalisation", input.chain.trajectories,
                                                           input.chain.thermalisation));
  io::on_first_rank(ranks, "look at the checkpoint", [&] {
    if (!is_new) chain += continuation(input, folder);
    if (fs::exists(input.chain.stop_file))
      chain += labelled("stop file", input.chain.stop_file.string() + " exists: the run would not start");
  });
  const auto quarks = make_parts(input, grid, lanes, is_new);
  io::on_first_rank(ranks, "say what was found", [&] {
    console.write(
        fmt::format("{}: {}; {}, {}\n", version_text(), describe(input), describe(grid), plural(lanes, "lane")));
    if (input.chains > 0)
      chain += labelled("chains", fmt::format("{}, one after the other: what is said here is of one", input.chains));
    if (input.algorithm.automatic)
      chain +=
          labelled("algorithm",
                   fmt::format("is chosen first, in at most {} trajectories, but not by --check: terms here are of the "
                               "levels to begin with; memory includes that of the choice",
                               input.algorithm.tuning_trajectories));
    console.write(chain + labelled("terms", joined(input.terms(), ", ")) + quarks);
    const MemoryLimit limit = field_memory_limit();
    console.write(labelled("memory", fmt::format("{} of {} of {}, halos not included", gigabytes(memory_of(input)),
                                                 gigabytes(limit.bytes), limit.of)));
    console.write(disk(input) + labelled("results", folder.directory.string()));
    console.write(fmt::format("Nothing is wrong with this input{}. Nothing was written.\n",
                              disk_space(input).is_enough() ? "" : ", but the disk will be full before its end"));
  });
  return 0;
}

}  // namespace trellis::app

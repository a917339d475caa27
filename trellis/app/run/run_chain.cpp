// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/run_chain.hpp"

#include "trellis/app/command.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/shared_folder.hpp"
#include "trellis/app/run/chain/run_call.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {

int run_chain(const RunInput& input, const std::string& program, const std::string& command, const Console& console,
              const RunOptions& options, std::unique_ptr<FolderLock> lock) {
  const auto grid = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing));
  io::on_first_rank(grid.ranks(), "look at the folder", [&] { require_writable(input.output.directory); });
  require_shared_folder(grid.ranks(), input.output.directory);
  std::optional<LiveReport> live;
  if (options.watch_port)
    io::on_first_rank(grid.ranks(), "open the port", [&] {
      live.emplace(*options.watch_port, RunFolder{input.output.directory, input.output.name}, program);
    });
  ignore_broken_pipes();
  if (input.machine.threads > 0) set_thread_count(static_cast<int>(input.machine.threads));
  const int lanes = lanes_for(grid, input.size, input.machine);
  const KernelSettings kernels(kernels_of(input, grid, lanes, concurrency()), input.machine, grid.ranks(),
                               gauge::longest_hop(input.quarks.smearing));
  ThreadChoice threads(grid, input.size, lanes, !input.quarks.flavours.empty(), input.machine);
  const Transport transport = choose_transport(grid.ranks());
  const auto messages = grid.size() == 1 ? std::string() : fmt::format(", messages by {}", name_of(transport));
  console.write(fmt::format("{}: {}; {}{}, {}\n", version_text(), describe(input), describe(grid), messages,
                            plural(lanes, "lane")));
  if (threads.is_fewer()) console.write(threads.text() + "\n");
  if (!kernels.summary().empty()) console.write(kernels.summary() + "\n");
  if (live) console.write(fmt::format("Watch it at {}\n", live->address()));
  const RunCall call{input, grid, program, command, threads, kernels, console, options, live ? &*live : nullptr};
  return with_lanes(lanes, [&]<int W>() { return run_call<W>(call, std::move(lock)); });
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/end_of_chain.hpp"

#include <fmt/format.h>

#include "trellis/app/report/run_state.hpp"
#include "trellis/app/results/effective_mass_table.hpp"
#include "trellis/app/results/staggered_mass_table.hpp"
#include "trellis/core/base/plural.hpp"

namespace trellis::app {

void EndOfChain::report(const ChainEnding& ending) const {
  const auto log = [&](const std::string& text) { append_log(folder.log(), text); };
  const auto total = input.chain.trajectories;
  const bool done = ending.all || !ending.precise.empty();
  const auto why = ending.all ? (total == 1 ? std::string("the only trajectory is done")
                                            : fmt::format("all {} trajectories are done", total))
                              : fmt::format("after trajectory {} of {}: {}", completed, total, ending.reason);
  log(fmt::format("{} {}", done ? "finished:" : "stopped", why));
  const double seconds = ending.times.seconds;
  const auto kernels = kernel_text(ending.kernels, seconds, ending.limits);
  const auto loss = largest_loss(input, ending.times, ending.kernels, ending.limits, ending.circumstances);
  log(fmt::format("times\n{}{}", times_text(ending.times), kernels));
  if (!loss.empty()) log(fmt::format("{}{}", loss_entry, loss));
  if (!kernels.empty()) write_text_file(folder.kernels(), kernel_csv(ending.kernels, seconds, ending.limits));
  console.write(fmt::format("{} {}.\n", done ? "Finished:" : "Stopped", why));
  say_averages();
  for (const auto& text : {ending.certificate, ending.filter}) {
    if (text.empty()) continue;
    log(text);
    console.write(text);
  }
  console.write(times_text(ending.times));
  say_files(kernels + (loss.empty() ? "" : fmt::format("Largest loss: {}.\n", loss)));
  if (!done) console.write(fmt::format("The same command continues from here: {}\n", ending.command));
}

void EndOfChain::say_finished(const std::string& precise) const {
  const auto total = input.chain.trajectories;
  if (completed < total)
    console.write(
        fmt::format("This run is finished after {} of {} trajectories: {}. Change or remove chain.stop_when to "
                    "continue.\n",
                    completed, total, precise));
  else
    console.write(
        fmt::format("This run is finished: {} trajectories are done, the input asks for {}. Raise chain.trajectories "
                    "to continue.\n",
                    completed, total));
}

void EndOfChain::say_averages() const {
  console.write(averages_text(input, results.table()));
  std::string masses;
  if (columns.hadrons) masses += write_effective_masses(*columns.hadrons, folder, input.chain.thermalisation);
  if (columns.staggered_hadrons)
    masses += write_staggered_masses(*columns.staggered_hadrons, folder, input.chain.thermalisation);
  console.write(masses);
}

void EndOfChain::say_files(const std::string& more) const {
  const auto lost = std::int64_t{completed} - input.start.trajectory - std::int64_t(results.table().rows());
  if (lost > 0)
    console.write(fmt::format("The table, and so the averages, lack {} that repair gave up (--accept-loss).\n",
                              plural(lost, "row")));
  console.write(results_text(input, folder, results.side().files(), completed, more, program));
}

}  // namespace trellis::app

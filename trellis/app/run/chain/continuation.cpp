// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/continuation.hpp"

#include <fmt/format.h>

#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/results/checkpoints.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {
namespace {

constexpr const char* kOtherBits =
    ". Keys that change bits were changed after it (see the log): recomputed results have the bits of the present "
    "input";

// A damaged file is an InputError if the user named it; here nobody did.
template <class F>
auto damage_is_no_input(const F& f) {
  try {
    return f();
  } catch (const InputError& error) {
    throw Error(error.what());
  }
}

// Of this checkpoint. Throws InputError if the input asks for another chain.
Continuation continuation_from(const std::filesystem::path& file, const RunInput& input, const RunLog& log) {
  if (!io::from_first_rank(log.ranks, "look for a checkpoint", [&] { return std::filesystem::exists(file); }))
    fail("{}: is missing", file.string());
  auto saved = damage_is_no_input(
      [&] { return comm::together(log.ranks, "read the checkpoint", [&] { return read_saved_chain(file); }); });
  const auto physics = physics_of(input.resolved);
  require_same_physics(saved.physics, physics, file);
  auto tuning = changed_tuning(saved.physics, physics), measured = new_measurements(saved.physics, physics);
  return {file, std::move(saved), std::move(tuning), std::move(measured)};
}

}  // namespace

Continuation continue_chain(const RunInput& input, const TrajectoryColumns& columns, const RunLog& log,
                            const std::string& program, const std::function<void(const Continuation&)>& restore) {
  const auto& folder = log.folder;
  std::string problems;
  for (const auto& file : {folder.checkpoint(), folder.previous_checkpoint()}) {
    try {
      auto from = continuation_from(file, input, log);
      // Whether rows after this state were made with different values of keys that change bits.
      const bool other_tuning = !problems.empty() && io::from_first_rank(log.ranks, "look at the table", [&] {
        return last_tuning(folder, columns) != from.saved.tunings;
      });
      damage_is_no_input([&] { restore(from); });
      if (problems.empty()) return from;
      io::on_first_rank(log.ranks, "set a checkpoint aside", [&] { set_checkpoint_aside(folder); });
      log.tell(fmt::format("Going back to trajectory {} ({}), because: {}{}", from.saved.completed, file.string(),
                           problems, other_tuning ? kOtherBits : ""));
      return from;
    } catch (const InputError&) {
      throw;
    } catch (const Error& error) {
      if (problems != error.what()) problems += fmt::format("{}{}", problems.empty() ? "" : "; ", error.what());
    }
  }
  fail("{}\nNothing was changed. `{}` finds the last intact state and goes back to it", problems,
       repair_command(folder, program));
}

std::optional<std::string> what_is_safe(const RunFolder& folder, const std::string& command) {
  try {
    return fmt::format(
        "Nothing up to trajectory {} is lost: that is the last checkpoint, {}. Once the cause is removed, the same "
        "command continues from there: {}",
        read_saved_chain(folder.checkpoint()).completed, folder.checkpoint().string(), command);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace trellis::app

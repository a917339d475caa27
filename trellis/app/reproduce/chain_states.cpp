// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/reproduce/chain_states.hpp"

#include <algorithm>

#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/origin/configuration_origin.hpp"
#include "trellis/app/origin/file_origin.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

TomlEntries compared(const TomlEntries& resolved) {
  auto physics = physics_of(resolved);
  std::erase_if(physics, [](const TomlEntry& entry) { return entry.key == "measure"; });
  return physics;
}

// Throws if the file is no state of this chain.
ChainState read_state(const fs::path& file, const RunInput& input) {
  ChainState state{.file = file};
  auto text = parse_toml(io::read_input_text(file), file.string() + " (trellis-input)");
  if (const auto made = io::read_provenance(file))
    state.trajectory = made->trajectory;
  else
    state.trajectory = read_saved_chain(file).completed;
  if (io::GaugeReader(file).info().precision != Precision::double_ || was_in_single_precision(file))
    fail_input("{}: {} in single precision: a chain does not continue from it with the same bits", file.string(),
               was_in_single_precision(file) ? "was" : "is");
  // Read again, for keys that an earlier version did not have.
  end_chain_at(text, input.chain.trajectories);
  require_same_physics(compared(parse_run_input(write_toml(text), file.string()).resolved), compared(input.resolved),
                       file);
  return state;
}

}  // namespace

std::optional<ChainState> last_state_before(const fs::path& where, std::int64_t before, const RunInput& input,
                                            bool required, const fs::path& except) {
  if (!fs::exists(where)) fail_input("--from: {}: there is no such file or folder", where.string());
  if (!fs::is_directory(where)) {
    const auto state = read_state(where, input);
    if (state.trajectory >= before)
      fail_input("--from: {} is from trajectory {}, not before trajectory {}", where.string(), state.trajectory,
                 before);
    return state;
  }
  std::optional<ChainState> last;
  for (const auto& entry : fs::directory_iterator(where)) {
    const auto extension = entry.path().extension();
    if (extension != ".ildg" && extension != ".checkpoint") continue;
    if (fs::exists(except) && fs::equivalent(entry.path(), except)) continue;
    try {
      const auto state = read_state(entry.path(), input);
      if (state.trajectory >= before || state.trajectory <= input.start.trajectory) continue;
      if (!last || std::pair(state.trajectory, state.file) > std::pair(last->trajectory, last->file)) last = state;
    } catch (const Error&) {
      // Another chain, or damaged.
    }
  }
  if (!last && required)
    fail_input("--from: {}: has no state of this chain before trajectory {}", where.string(), before);
  return last;
}

}  // namespace trellis::app

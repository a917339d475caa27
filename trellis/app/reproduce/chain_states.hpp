// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// States of a chain on disk from which it can be computed again with the same bits: checkpoints and configurations in
// double precision.

#include <filesystem>
#include <optional>

#include "trellis/app/input/input.hpp"

namespace trellis::app {

struct ChainState {
  std::filesystem::path file;
  std::int64_t trajectory = 0;
};

// The latest state that was saved before trajectory `before` was computed, by a chain with this input (keys that may
// change, and measurements, may differ), other than the file `except`; `where` is a folder, or the state itself.
// If a folder has none: nothing, or InputError if one is `required`. A file that is no such state is an error.
std::optional<ChainState> last_state_before(const std::filesystem::path& where, std::int64_t before,
                                            const RunInput& input, bool required, const std::filesystem::path& except);

}  // namespace trellis::app

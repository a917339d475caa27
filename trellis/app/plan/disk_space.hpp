// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The disk that the results of a run will still need, and what is free where they go.

#include <optional>

#include "trellis/app/input/input.hpp"

namespace trellis::app {

struct DiskSpace {
  double needed = 0;           // bytes, for the whole chain, less its configurations and checkpoints that are there
  std::optional<double> free;  // unless the system does not say

  bool is_enough() const { return !free || needed <= *free; }
};
DiskSpace disk_space(const RunInput& input);
// If it is not enough.
void warn_of_full_disk(const RunInput& input);

}  // namespace trellis::app

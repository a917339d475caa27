// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a run fits into the memory that its processes may have. What does not is ended by the kernel, without a word
// and after hours of waiting in a queue.

#include <filesystem>
#include <string>

#include "trellis/app/input/input.hpp"

namespace trellis::app {

struct MemoryLimit {
  double bytes = 0;
  std::string of;  // "the control group of this process", ...
};

// The least of: memory and swap of the machine, and the limits of the control groups (v2 and v1) that this process is
// in. root: for tests, where /proc and /sys are.
MemoryLimit machine_memory_limit(const std::filesystem::path& root = "/");

// Throws InputError where the run's fields on the ranks of this machine need more than that, or those of one rank more
// than its address space (ulimit -v) is allowed to have. They are the fields that `trellis plan` counts, without what
// ranks have of their neighbours: a run needs more. Not for GPUs, which have memory of their own.
void require_memory(const RunInput& input, const MemoryLimit& limit = machine_memory_limit());

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a run fits into the memory that its processes may use. If it does not, the system kills it without a word,
// perhaps after hours of waiting in a queue.

#include <filesystem>
#include <string>

#include "trellis/app/input/input.hpp"

namespace trellis::app {

struct MemoryLimit {
  double bytes = 0;
  std::string of;  // "the control group of this process", ...
};

// The smallest of: memory plus swap of the machine, and the limits of the control groups (v2 and v1) that this process
// is in. root: where /proc and /sys are, for tests.
MemoryLimit machine_memory_limit(const std::filesystem::path& root = "/");

// Of all ranks together, in bytes; without halos. Counts the same fields as `trellis plan`, and files under way.
double memory_of(const RunInput& input);

// Throws InputError if the run's fields on the ranks of this machine need more than that, or those of one rank more
// than its address space (ulimit -v) allows. Counts the same as memory_of(), so a run needs somewhat more. Not for
// GPUs, which have their own memory. ranks: how many of the job do the run, the first ones; 0: all.
void require_memory(const RunInput& input, const MemoryLimit& limit = machine_memory_limit(), int ranks = 0);

}  // namespace trellis::app

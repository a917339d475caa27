// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a run fits into the memory that its processes may use. If it does not, the system kills it without a word,
// perhaps after hours of waiting in a queue.

#include <filesystem>
#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/comm/communicator.hpp"

namespace trellis::app {

class PlanInput;

struct MemoryLimit {
  double bytes = 0;
  std::string of;  // "the control group of this process", ...
};

// The smallest of: memory plus swap of the machine, and the limits of the control groups (v2 and v1) that this process
// is in. root: where /proc and /sys are, for tests.
MemoryLimit machine_memory_limit(const std::filesystem::path& root = "/");

// Where fields are: that of the machine, or what is free on the GPU, where the stacks of kernels need memory, too.
MemoryLimit field_memory_limit();

// Of all ranks together, in bytes; without halos. Counts the same fields as `trellis plan`, and files under way. While
// quarks are measured the least that is possible (measuring_memory).
double memory_of(const RunInput& input);

// Throws InputError if the run's fields on the ranks of this machine need more than that, or those of one rank more
// than its address space (ulimit -v) allows; with GPUs, if those of a rank need more than is free on its GPU, and warns
// if the stacks of kernels may not fit beside them. Counts the same as memory_of(), so a run needs somewhat more.
// ranks: how many of the job do the run, the first ones; 0: all.
void require_memory(const RunInput& input, const MemoryLimit& limit = machine_memory_limit(), int ranks = 0);

// The same for a benchmark, whose fields need at least this many bytes per site, all ranks together. where:
// "bench dslash: --lattice".
void require_memory(const std::string& where, const Coordinate& size, double bytes_per_site, int ranks = 1,
                    const MemoryLimit& limit = machine_memory_limit());

// How measurements of quarks share a rank's memory with the chain.
struct MeasuringMemory {
  bool beside_chain = true;  // false: the chain's work space is freed, and allocated again for the next trajectory
  int noise_vectors = 1;     // solved for together, at most
};
// bytes: those that a rank may have. As many vectors as are wanted beside the chain; if they do not fit, as many as fit
// without it, at least one. No bit of the results depends on it.
MeasuringMemory measuring_memory(const PlanInput& plan, int wanted, double bytes, int ranks);

// The least that any rank may have. All ranks must call it.
double memory_of_rank(const comm::Communicator& ranks);

// "1.23 GB"
std::string gigabytes(double bytes);

}  // namespace trellis::app

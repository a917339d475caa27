// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/memory_limit.hpp"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "trellis/app/job/job.hpp"
#include "trellis/app/plan/plan_input.hpp"
#include "trellis/app/results/link_files.hpp"
#include "trellis/app/tempering/replica_ranks.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::app {

namespace fs = std::filesystem;

namespace {

// The smallest limit in the files of that name, from a group up to the root of its hierarchy.
void visit_groups(const fs::path& top, fs::path group, const char* file, double swap, MemoryLimit& least) {
  for (;; group = group.parent_path()) {
    double bytes = 0;
    // "max" is not a number; groups that a container hides have no file.
    if (std::ifstream(top / group.relative_path() / file) >> bytes && bytes + swap < least.bytes)
      least = {bytes + swap, "the control group of this process"};
    if (!group.has_relative_path()) return;
  }
}

// Files under way are in the memory of hosts.
double bytes_per_site(const RunInput& input) {
  const PlanInput plan(input);
  double bytes = kernels_on_host ? link_file_bytes_per_site(input) : 0;
  double chain = 0;
  for (const auto& field : plan.trajectory(plan.solves()).fields) chain += field.bytes;
  bytes += chain;
  if (!input.tempering) return bytes;
  // The links of the other replicas, those of a translation, and those with weights; groups of ranks have fields of the
  // whole lattice each, and the links of all replicas.
  const int replicas = int(input.tempering->couplings.size()), ranks = job().size();
  const auto wanted = input.machine.replica_groups;
  const bool possible = wanted == 0 || (ranks % wanted == 0 && replicas % wanted == 0);
  const double groups = possible ? replica_groups_of(wanted, ranks, replicas) : 1;
  bytes += 576.0 * (replicas - 1 + 2 * groups) + (groups > 1 ? 576.0 + groups * chain : 0);
  return bytes;
}

double sites_of(const Coordinate& size) {
  double sites = 1;
  for (const int extent : size) sites *= extent;
  return sites;
}

// What the driver allocates when the first kernel with a large stack is launched: one for each thread that the device
// can hold, of about the size that the clover-leaf observables have (cuobjdump -res-usage).
double stacks_of(const Device& device) {
  constexpr double bytes = 3072, threads_a_multiprocessor = 2048;
  return bytes * threads_a_multiprocessor * device.multiprocessors;
}

// `what` on this many ranks, or on those of this machine.
void require_bytes(const std::string& what, double a_rank, int ranks, const MemoryLimit& limit,
                   const std::string& remedy) {
  if constexpr (!kernels_on_host) {
    const Device device = current_device();
    const double free = double(device.free_bytes.value_or(device.bytes)), stacks = stacks_of(device);
    const auto problem = fmt::format("{} take {} of memory{}", what, gigabytes(a_rank), ranks == 1 ? "" : " on a rank");
    if (a_rank > free) fail_input("{}, but {} of {} are free: {}", problem, gigabytes(free), device.name, remedy);
    if (a_rank + stacks > free && job().rank() == 0)
      log_warning("{}, and the stacks of kernels up to {}, but {} of {} are free: if a kernel finds no memory, {}",
                  problem, gigabytes(stacks), gigabytes(free), device.name, remedy);
    return;
  }
  const int on_machine = std::min(ranks, job().ranks_on_machine());
  const auto check = [&](double needed, double allowed, const std::string& where, const std::string& of) {
    if (needed > allowed)
      fail_input("{} take {} {}, but {} may have {}: {}", what, gigabytes(needed), where, of, gigabytes(allowed),
                 remedy);
  };
  check(a_rank * on_machine, limit.bytes,
        ranks == 1 ? "of memory" : fmt::format("on the {} of a machine", plural(on_machine, "rank")), limit.of);
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    check(a_rank, double(space.rlim_cur), ranks == 1 ? "of memory" : "on a rank", "a process (ulimit -v)");
}

}  // namespace

std::string gigabytes(double bytes) { return fmt::format("{:.3g} GB", bytes * 1e-9); }

MemoryLimit machine_memory_limit(const fs::path& root) {
  MemoryLimit least{1e300, "this machine"};
  double swap = 0;
  struct sysinfo machine{};
  if (::sysinfo(&machine) == 0) {
    swap = double(machine.totalswap) * machine.mem_unit;
    least.bytes = double(machine.totalram) * machine.mem_unit + swap;
  }
  // "0::/a/group" of version 2, "4:memory:/a/group" of version 1.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") visit_groups(root / "sys/fs/cgroup", group, "memory.max", swap, least);
    if (controllers.find(",memory,") != std::string::npos)
      visit_groups(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes", swap, least);
  }
  return least;
}

MemoryLimit field_memory_limit() {
  if constexpr (kernels_on_host) return machine_memory_limit();
  const Device device = current_device();
  return {double(device.free_bytes.value_or(device.bytes)), fmt::format("{} that are free", device.name)};
}

double memory_of(const RunInput& input) { return bytes_per_site(input) * sites_of(input.size); }

void require_memory(const RunInput& input, const MemoryLimit& limit, int ranks) {
  if (ranks == 0) ranks = job().size();
  require_bytes(
      "lattice.size: the fields of this run", memory_of(input) / ranks, ranks, limit,
      fmt::format("use more {}, or a smaller lattice (see trellis plan)", kernels_on_host ? "machines" : "GPUs"));
}

void require_memory(const std::string& where, const Coordinate& size, double bytes_per_site, int ranks,
                    const MemoryLimit& limit) {
  require_bytes(fmt::format("{}: fields of {}", where, to_string(size)), bytes_per_site * sites_of(size) / ranks, ranks,
                limit, "use a smaller lattice");
}

double memory_of_rank(const comm::Communicator& ranks) {
  double bytes = 0;
  if constexpr (kernels_on_host) {
    bytes = machine_memory_limit().bytes / ranks.ranks_on_machine();
  } else {
    bytes = field_memory_limit().bytes - stacks_of(current_device());
  }
  double least = -bytes;
  ranks.maximum("memory", {&least, 1});
  return -least;
}

MeasuringMemory measuring_memory(const PlanInput& plan, int wanted, double bytes, int ranks) {
  constexpr double halos = 1.1;  // about, and what allocators keep
  const double per_site = bytes / (halos * sites_of(plan.input().size) / ranks), links = 4 * 18 * sizeof(double);
  if (plan.chain_bytes() + plan.measuring_bytes(wanted) - links <= per_site) return {true, wanted};
  int together = wanted;
  while (together > 1 && plan.measuring_bytes(together) > per_site) --together;
  return {false, together};
}

}  // namespace trellis::app

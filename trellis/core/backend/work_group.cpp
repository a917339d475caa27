// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/work_group.hpp"

#include <csetjmp>
#include <cstring>
#include <span>

#include "trellis/core/backend/group_memory.hpp"
#include "trellis/core/backend/host_threads/parallel.hpp"
#include "trellis/core/backend/serial/parallel.hpp"
#include "trellis/core/backend/work_group_ways.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/runtime/dispatch_timer.hpp"

namespace trellis::backend {
namespace {

const char* name_of(WorkItems way) {
  switch (way) {
    case WorkItems::automatic:
      return "automatic";
    case WorkItems::threads:
      return "threads";
    case WorkItems::fibers:
      return "fibers";
    case WorkItems::fission:
      return "fission";
    case WorkItems::continuations:
      return "continuations";
    case WorkItems::fission_or_continuations:
      return "fission_or_continuations";
  }
  return "?";
}

std::string text_of(const Index* sizes, int dimensions) {
  return joined(std::span(sizes, static_cast<std::size_t>(dimensions)), " x ");
}

// The work-items of a group are one loop: a work-item that gives up ends the loop.
struct PluginGroup : WorkGroup {
  std::jmp_buf begin;
  std::string message;
};

// Kernels are noexcept, but the functions that the plugin makes of them are not marked so: an exception from a function
// that one calls ends the program here.
void run_to_the_end(const GroupLaunch& launch, WorkGroup& group) noexcept { launch.group(launch.functor, group); }

}  // namespace

bool same_place(const Place& a, const Place& b) {
  if (a.line != b.line) return false;
  return a.file == b.file || (a.file != nullptr && b.file != nullptr && std::strcmp(a.file, b.file) == 0);
}

std::string text_of(const Place& place) {
  if (place.line == 0) return "has come to the end of the kernel";
  return fmt::format("waits at the barrier at {}:{}", place.file, place.line);
}

std::string divergent(const Kernel& kernel, Index item, const Place& at, Index other, const Place& elsewhere) {
  return fmt::format("kernel '{}': a barrier that not all work-items of a group meet: work-item {} {}, work-item {} {}",
                     kernel.name, item, text_of(at), other, text_of(elsewhere));
}

WorkGroup group_of(const GroupLaunch& launch) {
  WorkGroup group{};
  for (int d = 0; d < 3; ++d) {
    group.group_range[d] = launch.groups[d];
    group.local_range[d] = launch.local[d];
  }
  return group;
}

void set_group(WorkGroup& group, Index number) {
  for (int d = 0; d < 3; ++d) {
    group.group_id[d] = number % group.group_range[d];
    number /= group.group_range[d];
  }
}

void fail_size(unsigned long long size) { fail("nd_range: a size of {}; {} is the largest", size, largest_size); }

void fail_without_plugin(const Kernel& kernel, WorkItems way) {
  fail(
      "kernel '{}': its work-items are to run by WorkItems::{}, which needs the compiler plugin; this source file was "
      "compiled without it (CMake: trellis_spmd_sources)",
      kernel.name, name_of(way));
}

void require_valid_nd_range(const char* space, bool cuda, int dimensions, const Index* global, const Index* local) {
  const std::string ranges =
      fmt::format("nd_range: {} work-items in groups of {}", text_of(global, dimensions), text_of(local, dimensions));
  Index in_group = 1, in_all = 1;
  for (int d = 0; d < dimensions; ++d) {
    if (global[d] < 1 || local[d] < 1) fail("{}: sizes must be at least 1", ranges);
    if (global[d] % local[d] != 0) {
      fail("{}: {} is not a multiple of {} (dimension {})", ranges, global[d], local[d], d);
    }
    if (__builtin_mul_overflow(in_all, global[d], &in_all)) fail("{}: more work-items than can be counted", ranges);
    in_group *= local[d];
    if (in_group > largest_group) fail("{}: a group has at most {} work-items", ranges, largest_group);
  }
  if (!cuda) return;
  if (dimensions == 3 && local[2] > 64) fail("{}: a group in {} has at most 64 in z", ranges, space);
  for (int d = 0; d < dimensions; ++d) {
    const Index groups = global[d] / local[d];
    const Index most = d == 0 ? (Index{1} << 31) - 1 : 65535;
    if (groups > most) fail("{}: {} groups in dimension {}; {} has at most {}", ranges, groups, d, space, most);
  }
}

void require_valid_local_memory(const char* space, bool cuda, std::size_t bytes) {
  const std::size_t most = cuda ? largest_cuda_local : largest_host_local;
  if (bytes > most) fail("nd_range: {} bytes of local memory a group; {} has {}", bytes, space, most);
}

void run_plugin_groups(const Kernel&, const GroupLaunch& launch, Index first, Index last) {
  const Borrowed<GroupMemory> memory;
  PluginGroup group;
  static_cast<WorkGroup&>(group) = group_of(launch);
  group.memory = &*memory;
  group.local_memory = (*memory).begin(launch.local_bytes, false);
  group.give_up = [](WorkGroup& base, const char* message) {
    auto& self = static_cast<PluginGroup&>(base);
    self.message = message != nullptr ? message : "";
    std::longjmp(self.begin, 1);
  };
  if (setjmp(group.begin) != 0) throw Error(group.message);
  set_group(group, first);
  for (Index number = first; number < last; ++number, next_group(group)) {
    run_to_the_end(launch, group);
  }
}

void run_groups(const Kernel& kernel, const GroupLaunch& launch) {
  const Serial here;
  const DispatchTimer timer(kernel, here);
  if (!timer.runs()) return;
  const Index count = launch.groups[0] * launch.groups[1] * launch.groups[2];
  if (launch.by_threads) {  // many threads per group: one group at a time
    in_order(count, [&](Index first, Index last) { run_thread_groups(kernel, launch, first, last); });
    return;
  }
  const auto run = launch.group != nullptr ? run_plugin_groups : run_fiber_groups;
  const auto part = [&](Index first, Index last) { run(kernel, launch, first, last); };
  if (launch.all_cores) return run_parts(DefaultHostExecutionSpace{}, "work-groups", count, part);
  in_order(count, part);
}

}  // namespace trellis::backend

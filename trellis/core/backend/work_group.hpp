// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How work-groups (nd_range.hpp) run on a host: what nd_item knows of its group, and the functions, not templates, that
// distribute groups to threads. Files that the plugin compiles call these without knowing about OpenMP.

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <limits>

#include "trellis/core/kernel.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

// How the work-items of a group run concurrently on a host:
//   threads                    one thread each
//   fibers                     one fiber each, all in one thread; a plain loop as long as no barrier is met
//   fission                    loops between barriers, made by the plugin
//   continuations              loops from barrier to barrier, in whatever order barriers come; also by the plugin
//   fission_or_continuations   fission or, where that is impossible, continuations
//   automatic                  continuations in files compiled with the plugin, fibers in others
enum class WorkItems { automatic, threads, fibers, fission, continuations, fission_or_continuations };

namespace backend {

class GroupMemory;

inline constexpr Index largest_group = 1024;                    // work-items
inline constexpr std::size_t largest_host_local = 1024 * 1024;  // bytes of local memory per group on a host
inline constexpr std::size_t largest_cuda_local = 48 * 1024;    // per block, the default limit
inline constexpr Index sub_group_size = 32;

struct WorkGroup;

// Returns when all work-items of the group have reached a barrier. `item` is the linear id of the one that waits.
// stop[0] and stop[1] bound the loop that runs it (run_items); they are lowered when fibers take over the other items.
// The result is for after_wait().
using Wait = boost::context::detail::transfer_t (*)(WorkGroup& group, Index item, Index* stop, const char* file,
                                                    unsigned line);

// Ends the calling work-item, its group and its dispatch with an Error, the first one reported. Kernels are noexcept:
// it jumps over their frames to where the work-item began.
using GiveUp = void (*)(WorkGroup& group, const char* message);

// All that work-items of a group have in common. Unused dimensions have range 1 and id 0.
struct WorkGroup {
  Index group_id[3], group_range[3], local_range[3];
  std::byte* local_memory;  // sized at launch
  Wait wait;                // null if the plugin implements barriers
  GiveUp give_up;
  GroupMemory* memory;
  bool over;  // an Error was reported: work-items give up when they return from waiting
};

// How a work-item reaches its group.
struct GroupLink {
  WorkGroup* group;
  Wait wait;
  Index* stop;
};

// The end of a fiber's wait: another one has jumped to it, and is told where to resume. This is inlined where the
// kernel waits, not in a function that returns there, since processors predict returns from preceding calls, which were
// another fiber's: the mispredictions took as long as all the rest.
inline void after_wait(WorkGroup& group, const boost::context::detail::transfer_t& from) {
  if (from.data != nullptr) *static_cast<boost::context::detail::fcontext_t*>(from.data) = from.fctx;
  if (group.over) [[unlikely]]
    group.give_up(group, nullptr);
}

// A type-erased kernel: runs the work-items first <= linear id < last of a group or, in the plugin's ways, a complete
// group. One of the two is null.
using RunItems = void (*)(const void* functor, WorkGroup& group, Index first, Index last);
using RunGroup = void (*)(const void* functor, WorkGroup& group);

struct GroupLaunch {
  Index groups[3], local[3];
  std::size_t local_bytes;
  const void* functor;
  RunItems items;
  RunGroup group;
  bool by_threads;  // the library's ways: threads if true, else fibers
  bool all_cores;   // distributes groups to OpenMP's threads, if there is OpenMP
};

void run_groups(const Kernel& kernel, const GroupLaunch& launch);

// Throws: a way that needs the plugin, in a file that was not compiled with it.
[[noreturn]] void fail_without_plugin(const Kernel& kernel, WorkItems way);

// Throws: a size that an Index cannot hold.
inline constexpr Index largest_size = std::numeric_limits<Index>::max();
[[noreturn]] void fail_size(unsigned long long size);

// Throws unless the ranges are valid (nd_range.hpp). `cuda`: also checks the limits of grids.
void require_valid_nd_range(const char* space, bool cuda, int dimensions, const Index* global, const Index* local);
void require_valid_local_memory(const char* space, bool cuda, std::size_t bytes);

}  // namespace backend
}  // namespace trellis

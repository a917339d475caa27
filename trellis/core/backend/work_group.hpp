// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How work-groups (nd_range.hpp) run on a host: what nd_item knows of its group, and the functions, no templates, that
// share groups out to threads. Files that the plugin compiles call these without knowing of OpenMP.

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <limits>

#include "trellis/core/kernel.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

// How the work-items of a group run side by side on a host:
//   threads                    a thread each
//   fibers                     a fiber each, of one thread; as a plain loop while no barrier is met
//   fission                    loops between barriers, which the plugin makes
//   continuations              loops from barrier to barrier, in whichever order barriers come; by the plugin too
//   fission_or_continuations   fission, where that cannot be continuations
//   automatic                  continuations in files compiled with the plugin, fibers in others
enum class WorkItems { automatic, threads, fibers, fission, continuations, fission_or_continuations };

namespace backend {

class GroupMemory;

inline constexpr Index largest_group = 1024;                    // work-items
inline constexpr std::size_t largest_host_local = 1024 * 1024;  // bytes of local memory a group has on a host
inline constexpr std::size_t largest_cuda_local = 48 * 1024;    // a block's without asking for more
inline constexpr Index sub_group_size = 32;

struct WorkGroup;

// Comes back when all work-items of the group have come to a barrier. `item` is the linear id of the one that waits.
// stop[0] and stop[1] bound the loop that runs it (run_items): lowered when fibers take the other items over.
// What comes back is for after_wait().
using Wait = boost::context::detail::transfer_t (*)(WorkGroup& group, Index item, Index* stop, const char* file,
                                                    unsigned line);

// Ends the calling work-item, its group and its dispatch with an Error, the first that is given. Kernels are noexcept:
// it jumps over their frames to where the work-item began.
using GiveUp = void (*)(WorkGroup& group, const char* message);

// All that work-items of a group have in common. Unused dimensions have range 1 and id 0.
struct WorkGroup {
  Index group_id[3], group_range[3], local_range[3];
  std::byte* local_memory;  // sized at launch
  Wait wait;                // null: the plugin makes barriers
  GiveUp give_up;
  GroupMemory* memory;
  bool over;  // an Error has been met: who comes back from waiting gives up
};

// The end of a fiber's wait: another has jumped to it, and is told where to go on. It is where the kernel waits and
// not in a function that returns there, since processors guess where a return leads by the calls before it, which were
// another fiber's: that took as long as all the rest.
inline void after_wait(WorkGroup& group, const boost::context::detail::transfer_t& from) {
  if (from.data != nullptr) *static_cast<boost::context::detail::fcontext_t*>(from.data) = from.fctx;
  if (group.over) [[unlikely]]
    group.give_up(group, nullptr);
}

// A kernel without its type: runs the work-items first <= linear id < last of a group; a whole group, in the plugin's
// ways. One of the two is null.
using RunItems = void (*)(const void* functor, WorkGroup& group, Index first, Index last);
using RunGroup = void (*)(const void* functor, WorkGroup& group);

struct GroupLaunch {
  Index groups[3], local[3];
  std::size_t local_bytes;
  const void* functor;
  RunItems items;
  RunGroup group;
  bool by_threads;  // of the two library ways
  bool all_cores;   // groups are shared out to the threads of OpenMP, where there is OpenMP
};

void run_groups(const Kernel& kernel, const GroupLaunch& launch);

// Throws: a way that the plugin makes, in a file that it has not compiled.
[[noreturn]] void fail_without_plugin(const Kernel& kernel, WorkItems way);

// Throws: a size that an Index cannot hold.
inline constexpr Index largest_size = std::numeric_limits<Index>::max();
[[noreturn]] void fail_size(unsigned long long size);

// Throws unless the ranges are right (nd_range.hpp). `cuda`: within what a grid may be, too.
void require_valid_nd_range(const char* space, bool cuda, int dimensions, const Index* global, const Index* local);
void require_valid_local_memory(const char* space, bool cuda, std::size_t bytes);

}  // namespace backend
}  // namespace trellis

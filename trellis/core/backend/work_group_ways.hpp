// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For core's own sources: the library's ways of running the work-items of a group (work_group.hpp), and their errors.

#include <string>

#include "trellis/core/backend/work_group.hpp"

namespace trellis::backend {

// Where a work-item waits: a barrier, or, with line 0, the end of the kernel.
struct Place {
  const char* file = nullptr;
  unsigned line = 0;
};
bool same_place(const Place& a, const Place& b);
std::string text_of(const Place& place);

// The message of the Error if work-items of a group are at different places.
std::string divergent(const Kernel& kernel, Index item, const Place& at, Index other, const Place& elsewhere);

// Sets the ids of the group with this number.
void set_group(WorkGroup& group, Index number);
// Sets the ids of the next group: division is slow compared with a small group.
inline void next_group(WorkGroup& group) {
  for (int d = 0; d < 3; ++d) {
    if (++group.group_id[d] < group.group_range[d]) return;
    group.group_id[d] = 0;
  }
}
WorkGroup group_of(const GroupLaunch& launch);
inline Index size_of(const WorkGroup& group) {
  return group.local_range[0] * group.local_range[1] * group.local_range[2];
}

// Each runs the groups first <= number < last; throws Error.
void run_plugin_groups(const Kernel& kernel, const GroupLaunch& launch, Index first, Index last);
void run_fiber_groups(const Kernel& kernel, const GroupLaunch& launch, Index first, Index last);
void run_thread_groups(const Kernel& kernel, const GroupLaunch& launch, Index first, Index last);

}  // namespace trellis::backend

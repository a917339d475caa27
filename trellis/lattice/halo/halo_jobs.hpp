// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Jobs of one field and one kind (complete tiles, or single sites) that one kernel does; their entries are
// concatenated.

#include "trellis/core/device/message_space.hpp"
#include "trellis/lattice/halo/halo.hpp"

namespace trellis {

struct HaloJobs {
  static constexpr int most = 8;
  HaloJob jobs[most];
  Index ends[most];  // total number of entries up to the end of each job
  int count = 0;
  FieldSpace space = MessageSpace<FieldSpace>::get();  // where they run

  // Maps the n-th of all entries to its job and its number within it.
  struct Place {
    int job;
    Index entry;
  };
  TRELLIS_INLINE Place find(Index n) const {
    int job = 0;
    while (n >= ends[job]) ++job;
    return {job, job == 0 ? n : n - ends[job - 1]};
  }
  Index entries() const { return count == 0 ? 0 : ends[count - 1]; }
  void add(const HaloJob& job) {
    jobs[count] = job;
    ends[count] = entries() + job.count;
    ++count;
  }
};

}  // namespace trellis

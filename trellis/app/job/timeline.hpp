// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The timeline of a job (TRELLIS_TRACE, core/profile/profile_environment.hpp): one file with the events of all ranks,
// each a process of the picture, on the clock of the first rank.
//
// Ranks of the same machine share a clock. For others the difference is measured when the job begins, from barriers:
// ranks leave a barrier nearly together, so the difference of their clocks is the median, over many barriers, of the
// differences of the times at which they left. It is as good as that, some microseconds; a clock that runs faster by a
// millionth is wrong by a millisecond after a quarter of an hour.

#include <vector>

#include "trellis/comm/communicator.hpp"

namespace trellis::app {

class JobTimeline {
 public:
  // All ranks must call it, before kernels run. One timeline is written if there are several ranks, and TRELLIS_TRACE
  // is set for all of them, to a name without %p, which means a file for each. If only some have it, it is ignored for
  // all but the first.
  explicit JobTimeline(const comm::Communicator& ranks);

  // All ranks must call it, when the work is done; the ranks write in turn. A file that cannot be written is a warning.
  // Without this, as after an error, the first rank writes its own events when it ends.
  void write() const;

 private:
  comm::Communicator ranks_;
  bool is_shared_ = false;
};

// The median of the differences between two sequences of times: what must be added to `own` to get `first`.
double clock_difference(const std::vector<double>& first, const std::vector<double>& own);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The time of many calls, of which only some are timed because timing costs time: the first 32 all, then one in seven.
// Those stand for the others in proportion to bytes; calls of a kernel that declares none are alike.

#include <cstdint>

namespace trellis::profile_detail {

class SampledTime {
 public:
  struct Call {
    bool timed = true;     // whoever can time it must; otherwise nobody may
    bool sampled = false;  // it stands for others
    double work = 1;
  };

  // One more call, which must be timed or need not.
  Call count(double bytes, bool must_be_timed) {
    const double work = bytes > 0 ? bytes : 1;
    if (++calls_ <= all_timed) return {true, false, work};
    later_work_ += work;
    return {must_be_timed || (calls_ - all_timed) % one_in == 1, true, work};
  }
  // The time of a call that was counted and timed, or of one that count() does not know.
  void add(const Call& call, double seconds) {
    if (!call.sampled) return add(seconds);
    later_seconds_ += seconds;
    later_timed_work_ += call.work;
  }
  void add(double seconds) { first_seconds_ += seconds; }

  // Of all calls.
  double seconds() const {
    return first_seconds_ + (later_timed_work_ > 0 ? later_seconds_ * later_work_ / later_timed_work_ : 0);
  }

 private:
  static constexpr int all_timed = 32, one_in = 7;

  std::int64_t calls_ = 0;
  double first_seconds_ = 0;
  double later_seconds_ = 0, later_timed_work_ = 0, later_work_ = 0;
};

}  // namespace trellis::profile_detail

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times a dispatch to a space, if a profile or listener needs it:
//   DispatchTimer timer(kernel, space);
//   if (!timer.runs()) return;            // in a dry run (dry_run.hpp); runs_for_result() before a reduction
//   ...                                   // launch the kernel; wait for a reduction
//   timer.given();                        // for kernels that the host does not wait for
// If a space returns before its kernels have run, they are waited for.

#include "trellis/core/config.hpp"
#include "trellis/core/profile/profile.hpp"

namespace trellis {

template <class Exec>
class DispatchTimer {
 public:
  DispatchTimer(const Kernel& kernel, const Exec& space) : timer_(kernel), space_(space) {}
  void given() const {
    if (timer_.counts()) [[unlikely]]
      space_.fence();
  }

  // As in KernelTimer.
  bool runs() const { return timer_.runs(); }
  bool runs_for_result() const { return timer_.runs_for_result(); }

 private:
  KernelTimer timer_;
  const Exec& space_;
};

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(kernel_times.hpp)
#endif

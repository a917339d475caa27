// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels of Cuda are timed by the device, with an event in their stream before and after, which keeps the device idle
// for 3 us: so not each of many calls is timed (sampled_time.hpp). The host goes on, and reads the times when a profile
// is read or ends. If there is a listener that must be told of the end of a kernel when it ends, the host waits; others
// are told when the times are read, with the times on the host's clock: those of an event that the host waits for at
// the beginning relate the clocks, within some microseconds.

#include <cstdint>
#include <optional>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/runtime/dispatch_timer.hpp"

struct CUevent_st;

namespace trellis {

namespace backend {

// Times from here to end(), which a reduction calls before it waits; only one at a time in a thread.
class CudaKernelTime {
 public:
  CudaKernelTime(const KernelTimer::Place& place, CUstream_st* stream);
  CudaKernelTime(const CudaKernelTime&) = delete;
  CudaKernelTime& operator=(const CudaKernelTime&) = delete;
  ~CudaKernelTime();
  void end();
  static void end_open();

 private:
  KernelTimer::Place place_;
  CUstream_st* stream_;
  CUevent_st* begin_;
  bool open_ = true;
};

}  // namespace backend

template <>
class DispatchTimer<Cuda> {
 public:
  DispatchTimer(const Kernel& kernel, const Cuda& space) : timer_(kernel), space_(space) {
    if (!timer_.counts()) [[likely]]
      return;
    const auto place = timer_.later();
    waits_ = !place;
    if (place && place->call.timed) time_.emplace(*place, backend::cuda_stream(space));
  }
  void given() {
    if (time_) [[unlikely]]
      time_->end();
    else if (waits_) [[unlikely]]
      space_.fence();
  }

  // As in KernelTimer.
  bool runs() const { return timer_.runs(); }
  bool runs_for_result() const { return timer_.runs_for_result(); }

 private:
  KernelTimer timer_;
  const Cuda& space_;
  bool waits_ = false;  // for the end of the kernel
  std::optional<backend::CudaKernelTime> time_;
};

}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/cuda/kernel_times.hpp"

#include <utility>
#include <vector>

#include "trellis/core/backend/cuda/check.hpp"

namespace trellis::backend {

namespace {

constexpr std::size_t most_pending = 1024;

struct Pending {
  KernelTimer::Place place;
  cudaEvent_t begin, end;
};

void settle();

// One per thread, as for profiles. Events are reused for later kernels.
struct Times {
  Times() { profile_detail::settle_kernel_times_with(settle); }

  std::vector<Pending> pending;
  std::vector<cudaEvent_t> unused;
  CudaKernelTime* open = nullptr;

  cudaEvent_t event() {
    if (unused.empty()) {
      cudaEvent_t made = nullptr;
      cuda_check(cudaEventCreate(&made), "an event");
      return made;
    }
    const cudaEvent_t event = unused.back();
    unused.pop_back();
    return event;
  }
};
Times& times() {
  static thread_local Times& of_thread = *new Times;  // never destroyed: profiles may be read at the very end
  return of_thread;
}

// Failed kernels have no time; the next wait for them reports the error.
void settle() {
  auto& t = times();
  for (const Pending& kernel : t.pending) {
    float milliseconds = 0;
    if (cudaEventSynchronize(kernel.end) == cudaSuccess &&
        cudaEventElapsedTime(&milliseconds, kernel.begin, kernel.end) == cudaSuccess)
      kernel.place.profile->add_seconds(kernel.place.entry, 1e-3 * double(milliseconds));
    t.unused.push_back(kernel.begin);
    t.unused.push_back(kernel.end);
  }
  t.pending.clear();
}

}  // namespace

CudaKernelTime::CudaKernelTime(const KernelTimer::Place& place, CUstream_st* stream) : place_(place), stream_(stream) {
  require_cuda();
  auto& t = times();
  if (t.pending.size() >= most_pending) settle();
  begin_ = t.event();
  cuda_check(cudaEventRecord(begin_, stream_), "the beginning of a kernel");
  t.open = this;
}

CudaKernelTime::~CudaKernelTime() {
  auto& t = times();
  if (open_) t.unused.push_back(begin_);
  if (t.open == this) t.open = nullptr;
}

void CudaKernelTime::end() {
  if (!std::exchange(open_, false)) return;
  auto& t = times();
  const cudaEvent_t end = t.event();
  cuda_check(cudaEventRecord(end, stream_), "the end of a kernel");
  t.pending.push_back({place_, begin_, end});
  t.open = nullptr;
}

void CudaKernelTime::end_open() {
  if (auto* const open = times().open) open->end();
}

}  // namespace trellis::backend

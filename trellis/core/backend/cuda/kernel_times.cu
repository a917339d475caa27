// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/cuda/kernel_times.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/profile/profile_events.hpp"

namespace trellis::backend {

namespace {

constexpr std::size_t most_pending = 1024;
constexpr int tries = 5;

using Clock = std::chrono::steady_clock;

struct Pending {
  KernelTimer::Place place;
  int stream;  // its number, from 1
  cudaEvent_t begin, end;
};

void settle();

// One per thread, as for profiles. Events are reused for later kernels.
struct Times {
  Times() { profile_detail::settle_kernel_times_with(settle); }

  std::vector<Pending> pending;
  std::vector<cudaEvent_t> unused;
  std::vector<CUstream_st*> streams;  // in the order in which they first appeared
  CudaKernelTime* open = nullptr;
  // The time on the host at which this event happened, for listeners.
  cudaEvent_t base = nullptr;
  cudaStream_t base_stream = nullptr;
  Clock::time_point base_time;

  int number_of(CUstream_st* stream) {
    const auto found = std::find(streams.begin(), streams.end(), stream);
    const int number = int(found - streams.begin()) + 1;
    if (found == streams.end()) streams.push_back(stream);
    return number;
  }

  // The best of a few tries: the host knows when it recorded the event and when it had happened.
  void relate_clocks() {
    if (base_stream == nullptr)
      cuda_check(cudaStreamCreateWithFlags(&base_stream, cudaStreamNonBlocking), "a stream for the clock");
    auto shortest = Clock::duration::max();
    for (int n = 0; n < tries; ++n) {
      const cudaEvent_t now = event();
      const auto before = Clock::now();
      cuda_check(cudaEventRecord(now, base_stream), "the device's clock");
      cuda_check(cudaEventSynchronize(now), "the device's clock");
      const auto took = Clock::now() - before;
      if (took >= shortest) {
        unused.push_back(now);
        continue;
      }
      if (base != nullptr) unused.push_back(base);
      shortest = took;
      base = now;
      base_time = before + took / 2;
    }
  }

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

// Seconds from one event to another, if both have happened.
std::optional<double> seconds_between(cudaEvent_t from, cudaEvent_t to) {
  float milliseconds = 0;
  if (cudaEventSynchronize(to) != cudaSuccess || cudaEventElapsedTime(&milliseconds, from, to) != cudaSuccess)
    return std::nullopt;
  return 1e-3 * double(milliseconds);
}

// Failed kernels have no time; the next wait for them reports the error.
void settle() {
  auto& t = times();
  const auto pending = std::exchange(t.pending, {});
  for (const Pending& kernel : pending) {
    const auto seconds = seconds_between(kernel.begin, kernel.end);
    if (kernel.place.profile != nullptr && seconds) kernel.place.profile->add_seconds(kernel.place, *seconds);
    if (kernel.place.event != 0) {
      const auto after = t.base == nullptr ? std::nullopt : seconds_between(t.base, kernel.begin);
      const auto begin =
          t.base_time + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(after.value_or(0)));
      profile_detail::late_end(kernel.place.event, begin, seconds.value_or(0), kernel.stream);
    }
    t.unused.push_back(kernel.begin);
    t.unused.push_back(kernel.end);
  }
}

}  // namespace

CudaKernelTime::CudaKernelTime(const KernelTimer::Place& place, CUstream_st* stream) : place_(place), stream_(stream) {
  require_cuda();
  auto& t = times();
  if (t.pending.size() >= most_pending) settle();
  if (place_.event != 0 && (t.pending.empty() || t.base == nullptr)) t.relate_clocks();
  begin_ = t.event();
  cuda_check(cudaEventRecord(begin_, stream_), "the beginning of a kernel");
  t.open = this;
}

CudaKernelTime::~CudaKernelTime() {
  auto& t = times();
  if (open_) {
    t.unused.push_back(begin_);
    if (place_.event != 0) profile_detail::late_end(place_.event, Clock::now(), 0, t.number_of(stream_));
  }
  if (t.open == this) t.open = nullptr;
}

void CudaKernelTime::end() {
  if (!std::exchange(open_, false)) return;
  auto& t = times();
  const cudaEvent_t end = t.event();
  cuda_check(cudaEventRecord(end, stream_), "the end of a kernel");
  t.pending.push_back({place_, t.number_of(stream_), begin_, end});
  t.open = nullptr;
}

void CudaKernelTime::end_open() {
  if (auto* const open = times().open) open->end();
}

}  // namespace trellis::backend

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/cuda/streams.hpp"

#include <algorithm>
#include <mutex>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/device/message_space.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {
namespace backend {
namespace {

// Never destroyed: static Views are destroyed after main, in any order.
struct Streams {
  std::mutex mutex;
  std::vector<cudaStream_t> ours;
  bool others = false;
  std::vector<cudaEvent_t> events;  // for reuse
};
Streams& streams() {
  static Streams& only = *new Streams;
  return only;
}

cudaEvent_t unused_event(Streams& all) {
  if (all.events.empty()) {
    cudaEvent_t event{};
    cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "an event");
    return event;
  }
  const cudaEvent_t event = all.events.back();
  all.events.pop_back();
  return event;
}

// Memory freed before the stream was known has no event in it.
void wait_for_device() { cuda_check(cudaDeviceSynchronize(), "an earlier kernel failed"); }

void note(cudaStream_t stream) {
  auto& all = streams();
  const std::lock_guard lock(all.mutex);
  if (all.others || std::find(all.ours.begin(), all.ours.end(), stream) != all.ours.end()) return;
  all.others = true;
  wait_for_device();
}

}  // namespace

void WorkSoFar::record() {
  auto& all = streams();
  const std::lock_guard lock(all.mutex);
  if (all.others) wait_for_device();
  if (all.others || all.ours.empty()) return;
  const auto record_in = [&](cudaStream_t stream) {
    events_.push_back(unused_event(all));
    cuda_check(cudaEventRecord(events_.back(), stream), "an event");
  };
  record_in(nullptr);
  for (const cudaStream_t stream : all.ours) record_in(stream);
}

bool WorkSoFar::done() {
  if (events_.empty()) return true;
  for (const cudaEvent_t event : events_)
    if (cudaEventQuery(event) == cudaErrorNotReady) return false;
  auto& all = streams();
  const std::lock_guard lock(all.mutex);
  all.events.insert(all.events.end(), events_.begin(), events_.end());
  events_.clear();
  return true;
}

void others_wait_for_default() {
  auto& all = streams();
  const std::lock_guard lock(all.mutex);
  if (all.others) wait_for_device();
  if (all.others || all.ours.empty()) return;
  const cudaEvent_t event = unused_event(all);
  cuda_check(cudaEventRecord(event, nullptr), "an event");
  for (const cudaStream_t stream : all.ours) cuda_check(cudaStreamWaitEvent(stream, event, 0), "an event");
  all.events.push_back(event);
}

void drop_unused_events() {
  auto& all = streams();
  const std::lock_guard lock(all.mutex);
  for (const cudaEvent_t event : all.events) static_cast<void>(cudaEventDestroy(event));
  all.events.clear();
}

void refuse_in_capture(const char* what) {
  if (this_capture.stream != nullptr)
    fail("{} while a graph is captured: a graph can only contain kernels that are not waited for", what);
}

CUstream_st* cuda_stream(const Cuda& space) {
  require_cuda();
  if (this_capture.stream != nullptr) {
    if (space.stream != nullptr && space.stream != this_capture.captured)
      fail("a kernel of another instance of Cuda while a graph is captured");
    return this_capture.stream;
  }
  if (space.stream != nullptr) note(space.stream);
  return space.stream;
}

}  // namespace backend

using namespace backend;

void Cuda::fence() const {
  refuse_in_capture("fence()");
  if (cuda_available()) cuda_check(cudaStreamSynchronize(stream), "an earlier kernel failed");
}

void fence() {
  refuse_in_capture("fence()");
  if (cuda_available()) cuda_check(cudaDeviceSynchronize(), "an earlier kernel failed");
}

Instances<Cuda>::Instances(int count) {
  require_cuda();
  auto& all = streams();
  const std::lock_guard lock(all.mutex);
  for (int i = 0; i < count; ++i) {
    cudaStream_t stream = nullptr;
    cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    streams_.push_back(stream);
    all.ours.push_back(stream);
  }
  wait_for_device();
}

Instances<Cuda>::~Instances() {
  auto& all = streams();
  const std::lock_guard lock(all.mutex);
  for (const cudaStream_t stream : streams_) {
    static_cast<void>(cudaStreamSynchronize(stream));
    static_cast<void>(cudaStreamDestroy(stream));
    std::erase(all.ours, stream);
  }
}

namespace {

// Everything launched in `later` from now on comes after what was launched in `earlier` so far.
void put_after(cudaStream_t later, cudaStream_t earlier) {
  static cudaEvent_t& event = *new cudaEvent_t{};
  if (event == nullptr) cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "an event");
  cuda_check(cudaEventRecord(event, earlier), "an event");
  cuda_check(cudaStreamWaitEvent(later, event, 0), "an event");
}

}  // namespace

Cuda MessageSpace<Cuda>::get() {
  static const cudaStream_t only = [] {
    require_cuda();
    int least = 0, greatest = 0;
    cuda_check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "priorities of streams");
    cudaStream_t stream = nullptr;
    cuda_check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), "a stream");
    auto& all = streams();
    const std::lock_guard lock(all.mutex);
    all.ours.push_back(stream);
    wait_for_device();
    return stream;
  }();
  return Cuda{only};
}
void MessageSpace<Cuda>::follow_default() { put_after(get().stream, nullptr); }
void MessageSpace<Cuda>::default_follows() { put_after(nullptr, get().stream); }

}  // namespace trellis

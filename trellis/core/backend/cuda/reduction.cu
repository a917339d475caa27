// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/cuda/reduction.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/kernel_times.hpp"
#include "trellis/core/backend/cuda/memory_pool.hpp"
#include "trellis/core/backend/cuda/streams.hpp"
#include "trellis/core/error.hpp"

namespace trellis::backend {

// The counter, and the word that says that the result is there, precede the data that they belong to.
struct CudaReduction::Room {
  static constexpr std::size_t ahead = 256;
  char* device = nullptr;
  char* host = nullptr;
  std::size_t device_bytes = 0, host_bytes = 0;
  unsigned ticket = 0;
  int sums = 0;  // how many sums there are bins for
  std::optional<SumsRoom<Cuda>> bins;

  void require(std::size_t partial_bytes, std::size_t result_bytes) {
    if (ahead + partial_bytes > device_bytes) {
      if (device != nullptr) pool_give(device);
      device = nullptr;
      const std::size_t bytes = std::bit_ceil(std::max(ahead + partial_bytes, std::size_t{1} << 16));
      cuda_check(pool_take(reinterpret_cast<void**>(&device), bytes), "memory for partial results");
      device_bytes = bytes;
      cuda_check(cudaMemset(device, 0, ahead), "the counter of a reduction");
      cuda_check(cudaDeviceSynchronize(), "an earlier kernel failed");  // for whatever stream uses it next
    }
    if (ahead + result_bytes > host_bytes) {
      if (host != nullptr) cuda_check(cudaFreeHost(host), "memory for results");
      host = nullptr;
      const std::size_t bytes = std::bit_ceil(std::max(ahead + result_bytes, std::size_t{1} << 12));
      cuda_check(cudaMallocHost(reinterpret_cast<void**>(&host), bytes), "memory for results");
      host_bytes = bytes;
      *reinterpret_cast<unsigned*>(host) = ticket;
    }
    ++ticket;
  }
  void require_sums(int count) {
    require(0, std::size_t(count) * sizeof(ExactSum));
    if (count <= sums) return;
    bins.emplace(count);
    sums = count;
    cuda_check(cudaDeviceSynchronize(), "an earlier kernel failed");
  }
};

namespace {

// Never destroyed: static objects may do reductions in their destructors.
struct Rooms {
  std::mutex mutex;
  std::vector<CudaReduction::Room*> unused;
};
Rooms& rooms() {
  static Rooms& only = *new Rooms;
  return only;
}

CudaReduction::Room* unused_room() {
  auto& all = rooms();
  const std::lock_guard lock(all.mutex);
  if (all.unused.empty()) return new CudaReduction::Room;
  auto* const room = all.unused.back();
  all.unused.pop_back();
  return room;
}

// If the host must not touch managed memory while a kernel runs, the kernel must have ended, not only have sent its
// word.
bool host_may_go_on() {
  int device = 0, concurrent = 0;
  cuda_check(cudaGetDevice(&device), "the current device");
  cuda_check(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device),
             "an attribute of the device");
  return concurrent != 0;
}

}  // namespace

CudaReduction::CudaReduction(std::size_t partial_bytes, std::size_t result_bytes) {
  refuse_in_capture("a reduction or scan");
  require_cuda();
  room_ = unused_room();
  room_->require(partial_bytes, result_bytes);
}

CudaReduction::CudaReduction(int sums) {
  refuse_in_capture("a sum that the host waits for");
  require_cuda();
  room_ = unused_room();
  room_->require_sums(sums);
}

// Memory that a failed kernel may still write to is not reused.
CudaReduction::~CudaReduction() {
  if (!finished_) return;
  auto& all = rooms();
  const std::lock_guard lock(all.mutex);
  all.unused.push_back(room_);
}

void* CudaReduction::partial() const { return room_->device + Room::ahead; }
unsigned* CudaReduction::count() const { return reinterpret_cast<unsigned*>(room_->device); }
void* CudaReduction::result() const { return room_->host + Room::ahead; }
unsigned* CudaReduction::done() const { return reinterpret_cast<unsigned*>(room_->host); }
unsigned CudaReduction::ticket() const { return room_->ticket; }

SumBins CudaReduction::bins() const { return room_->bins->bins(); }

void CudaReduction::wait_for_result(CUstream_st* stream) {
  CudaKernelTime::end_open();
  constexpr int looks = 1000;  // between two calls of CUDA to check for a failure
  static const bool may_go_on = host_may_go_on();
  if (!may_go_on) cuda_check(cudaStreamSynchronize(stream), "an earlier kernel failed");
  const std::atomic_ref<unsigned> said(*done());
  for (bool ended = false;;) {
    for (int look = 0; look < looks; ++look) {
      if (said.load(std::memory_order_acquire) != room_->ticket) continue;
      finished_ = true;
      return;
    }
    if (ended) fail("Cuda: a reduction ended without a result");
    const cudaError_t code = cudaStreamQuery(stream);
    if (code != cudaErrorNotReady) cuda_check(code, "an earlier kernel failed");
    ended = code == cudaSuccess;
    std::this_thread::yield();
  }
}

}  // namespace trellis::backend

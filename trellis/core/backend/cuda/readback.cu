// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/readback.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/streams.hpp"
#include "trellis/core/runtime/dry_run.hpp"

namespace trellis::backend {

namespace {

// Pinned memory and an event. Getting and freeing them takes as long as a hundred kernels, so they are kept for the
// next one; never freed, as static objects may still read in their destructors.
struct Buffer {
  void* here = nullptr;
  std::size_t bytes = 0;
  cudaEvent_t done{};
};
struct Buffers {
  std::mutex mutex;
  std::vector<Buffer> unused;
};
Buffers& buffers() {
  static Buffers& only = *new Buffers;
  return only;
}

Buffer take_buffer(std::size_t bytes) {
  {
    Buffers& all = buffers();
    const std::lock_guard lock(all.mutex);
    const auto fits = [&](const Buffer& buffer) { return buffer.bytes >= bytes; };
    const auto found = std::find_if(all.unused.begin(), all.unused.end(), fits);
    if (found != all.unused.end()) {
      const Buffer buffer = *found;
      all.unused.erase(found);
      return buffer;
    }
  }
  constexpr std::size_t least = 4096;
  Buffer buffer{nullptr, std::bit_ceil(std::max(bytes, least)), {}};
  cuda_check(cudaMallocHost(&buffer.here, buffer.bytes), "memory for results");
  cuda_check(cudaEventCreateWithFlags(&buffer.done, cudaEventDisableTiming), "an event");
  return buffer;
}
void give_buffer(const Buffer& buffer) {
  Buffers& all = buffers();
  const std::lock_guard lock(all.mutex);
  all.unused.push_back(buffer);
}

}  // namespace

class CudaReadback {
 public:
  explicit CudaReadback(std::size_t bytes) : bytes_(bytes) {
    if (dry_) {
      buffer_.here = std::calloc(bytes, 1);
      return;
    }
    require_cuda();
    buffer_ = take_buffer(bytes);
  }
  CudaReadback(const CudaReadback&) = delete;
  CudaReadback& operator=(const CudaReadback&) = delete;
  // Waits for a copy that was never looked at: the next one will use its memory.
  ~CudaReadback() {
    if (dry_) {
      std::free(buffer_.here);
      return;
    }
    if (asked_) static_cast<void>(cudaEventSynchronize(buffer_.done));
    give_buffer(buffer_);
  }

  void ask(cudaStream_t stream, const void* from) {
    if (dry_) return;
    refuse_in_capture("a copy");
    cuda_check(cudaMemcpyAsync(buffer_.here, from, bytes_, cudaMemcpyDeviceToHost, stream), "a copy");
    cuda_check(cudaEventRecord(buffer_.done, stream), "an event");
    asked_ = true;
  }
  // Polling the driver takes less time than its own ways of waiting.
  const void* look() {
    while (asked_) {
      const cudaError_t code = cudaEventQuery(buffer_.done);
      if (code == cudaErrorNotReady) continue;
      cuda_check(code, "an earlier kernel failed");
      asked_ = false;
    }
    return buffer_.here;
  }

 private:
  std::size_t bytes_;
  Buffer buffer_;
  bool asked_ = false;
  bool dry_ = in_dry_run();
};

std::shared_ptr<CudaReadback> cuda_readback(std::size_t bytes) { return std::make_shared<CudaReadback>(bytes); }
void cuda_ask(CudaReadback& readback, const Cuda& space, const void* from) { readback.ask(cuda_stream(space), from); }
const void* cuda_look(CudaReadback& readback) { return readback.look(); }

// The driver takes numbers in pageable memory before this returns.
void cuda_send(const Cuda& space, void* to, const void* from, std::size_t bytes) {
  if (in_dry_run()) return;
  refuse_in_capture("a copy");
  require_cuda();
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, cuda_stream(space)), "a copy");
}

}  // namespace trellis::backend

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/readback.hpp"

#include <cstdlib>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/streams.hpp"
#include "trellis/core/runtime/dry_run.hpp"

namespace trellis::backend {

class CudaReadback {
 public:
  explicit CudaReadback(std::size_t bytes) : bytes_(bytes) {
    if (dry_) {
      here_ = std::calloc(bytes, 1);
      return;
    }
    require_cuda();
    cuda_check(cudaMallocHost(&here_, bytes), "memory for results");
    cuda_check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "an event");
  }
  CudaReadback(const CudaReadback&) = delete;
  CudaReadback& operator=(const CudaReadback&) = delete;
  // Waits for a copy that was never looked at: its memory is about to be freed.
  ~CudaReadback() {
    if (dry_) {
      std::free(here_);
      return;
    }
    if (asked_) static_cast<void>(cudaEventSynchronize(done_));
    static_cast<void>(cudaEventDestroy(done_));
    static_cast<void>(cudaFreeHost(here_));
  }

  void ask(cudaStream_t stream, const void* from) {
    if (dry_) return;
    refuse_in_capture("a copy");
    cuda_check(cudaMemcpyAsync(here_, from, bytes_, cudaMemcpyDeviceToHost, stream), "a copy");
    cuda_check(cudaEventRecord(done_, stream), "an event");
    asked_ = true;
  }
  // Polling the driver takes less time than its own ways of waiting.
  const void* look() {
    while (asked_) {
      const cudaError_t code = cudaEventQuery(done_);
      if (code == cudaErrorNotReady) continue;
      cuda_check(code, "an earlier kernel failed");
      asked_ = false;
    }
    return here_;
  }

 private:
  std::size_t bytes_;
  void* here_ = nullptr;
  cudaEvent_t done_{};
  bool asked_ = false;
  bool dry_ = in_dry_run();
};

std::shared_ptr<CudaReadback> cuda_readback(std::size_t bytes) { return std::make_shared<CudaReadback>(bytes); }
void cuda_ask(CudaReadback& readback, const Cuda& space, const void* from) { readback.ask(cuda_stream(space), from); }
const void* cuda_look(CudaReadback& readback) { return readback.look(); }

}  // namespace trellis::backend

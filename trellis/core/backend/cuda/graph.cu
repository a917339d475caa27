// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/graph.hpp"

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/memory_pool.hpp"
#include "trellis/core/backend/cuda/streams.hpp"
#include "trellis/core/profile/profile_events.hpp"
#include "trellis/core/runtime/dispatch_timer.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/core/runtime/runtime_state.hpp"

namespace trellis::backend {

struct CudaRecording {
  cudaGraphExec_t kernels = nullptr;
  std::vector<void*> memory;  // memory that the function dropped
  double bytes = 0, flops = 0;
  bool single = false;

  CudaRecording() = default;
  CudaRecording(const CudaRecording&) = delete;
  CudaRecording& operator=(const CudaRecording&) = delete;
  // A launch in progress continues; the memory is not reused before it is done.
  ~CudaRecording() {
    if (kernels != nullptr) static_cast<void>(cudaGraphExecDestroy(kernels));
    for (void* const data : memory) pool_give(data);
  }
};

namespace {

// A stream that records what this thread dispatches, until the end of the scope.
class Recorder {
 public:
  Recorder(const Cuda& space, std::vector<void*>& memory) {
    cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream");
    // Relaxed: the pool may have to allocate memory meanwhile.
    cuda_check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), "recording a graph");
    this_capture = {stream_, space.stream, &memory};
    auto& thread = profile_detail::this_thread;
    thread.in_capture = true;
    thread.captured_bytes = thread.captured_flops = 0;
    thread.captured_double = false;
    runtime_detail::listeners_changed(+1);  // so that kernels declare their bytes
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() {
    cudaGraph_t unwanted = nullptr;
    if (this_capture.stream != nullptr && stop(unwanted) == cudaSuccess) static_cast<void>(cudaGraphDestroy(unwanted));
    static_cast<void>(cudaGetLastError());
    static_cast<void>(cudaStreamDestroy(stream_));
  }

  cudaGraph_t recorded() {
    cudaGraph_t graph = nullptr;
    cuda_check(stop(graph), "recording a graph");
    return graph;
  }

 private:
  cudaError_t stop(cudaGraph_t& graph) {
    this_capture = {};
    profile_detail::this_thread.in_capture = false;
    runtime_detail::listeners_changed(-1);
    return cudaStreamEndCapture(stream_, &graph);
  }

  cudaStream_t stream_ = nullptr;
};

}  // namespace

std::shared_ptr<const CudaRecording> cuda_record(const Cuda& space, const std::function<void()>& work) {
  require_cuda();
  const auto recording = std::make_shared<CudaRecording>();
  Recorder recorder(space, recording->memory);
  work();
  const cudaGraph_t graph = recorder.recorded();
  recording->bytes = profile_detail::this_thread.captured_bytes;
  recording->flops = profile_detail::this_thread.captured_flops;
  recording->single = !profile_detail::this_thread.captured_double;
  const cudaError_t code = cudaGraphInstantiateWithFlags(&recording->kernels, graph, 0);
  static_cast<void>(cudaGraphDestroy(graph));
  cuda_check(code, "making a graph");
  return recording;
}

void cuda_launch(const Cuda& space, const CudaRecording& recording, const char* name) {
  DispatchTimer timer({name, recording.bytes, recording.flops, recording.single}, space);
  cuda_check(cudaGraphLaunch(recording.kernels, cuda_stream(space)), "launching a graph");
  timer.given();
}

bool cuda_calls_kernels() { return this_capture.stream != nullptr || profile_detail::anyone_listens() || in_dry_run(); }

}  // namespace trellis::backend

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sequence of kernels that runs many times and is launched as one.
//   const Graph step = capture(DefaultExecutionSpace{}, [=] { add(alpha, p, x); apply(p, q); }, "step");
//   for (int n = 0; n < 1000; ++n) step.run();
// run() does the same as calling the function. On hosts it calls it. On Cuda the first run() records the kernels that
// the function dispatches; from then on they are launched together, without calling the function: a kernel then takes
// half a microsecond to launch instead of four, which dominates on small lattices. A profile counts the graph as one
// kernel with its name, and the bytes and flops of all its kernels. While there is a listener (profile_listener.hpp),
// and within another graph, the function is called, so that each of its kernels is reported.
//
// So the function must dispatch the same kernels with the same arguments whenever it is called; numbers that change
// must be kept in Views. Its kernels must use `space` or the default instance; they run in order with those before and
// after run(), which does not wait for any of them. Nothing in the function may wait: a fence, a reduction, a scan, or
// a copy that is complete on return throws Error, as does a kernel for another instance. Memory of Views that it
// creates and drops belongs to the graph until the graph is destroyed. What it refers to must live as long as the
// graph, which keeps a copy of the function. Copies of a Graph share an existing recording. A Graph may be run by only
// one thread at a time.

#include <functional>
#include <memory>

#include "trellis/core/runtime/runtime_state.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

#if defined(TRELLIS_BACKEND_CUDA)
namespace backend {
struct CudaRecording;
std::shared_ptr<const CudaRecording> cuda_record(const Cuda& space, const std::function<void()>& work);
void cuda_launch(const Cuda& space, const CudaRecording& recording, const char* name);
bool cuda_calls_kernels();  // true while this thread records a graph or there is a listener
}  // namespace backend
#endif

template <ExecutionSpace Exec>
class Graph {
 public:
  Graph(const Exec& space, std::function<void()> work, const char* name)
      : space_(space), work_(std::move(work)), name_(name) {}

  void run() const {
#if defined(TRELLIS_BACKEND_CUDA)
    if constexpr (std::is_same_v<Exec, Cuda>) {
      if (!runtime_detail::quiet()) [[unlikely]]
        runtime_detail::ask_environment();
      if (!backend::cuda_calls_kernels()) {
        if (recording_ == nullptr) recording_ = backend::cuda_record(space_, work_);
        return backend::cuda_launch(space_, *recording_, name_);
      }
    }
#endif
    work_();
  }

 private:
  Exec space_;
  std::function<void()> work_;
  const char* name_;
#if defined(TRELLIS_BACKEND_CUDA)
  mutable std::shared_ptr<const backend::CudaRecording> recording_;
#endif
};

template <ExecutionSpace Exec, std::invocable F>
Graph<Exec> capture(const Exec& space, F work, const char* name = "graph") {
  return {space, std::function<void()>(std::move(work)), name};
}

}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels recorded as a graph. Included by core/device/graph.hpp.

#include <memory>

#include "trellis/core/device/graph.hpp"
#include "trellis/core/runtime/runtime_state.hpp"

namespace trellis::backend {

struct CudaRecording;
std::shared_ptr<const CudaRecording> cuda_record(const Cuda& space, const std::function<void()>& work);
void cuda_launch(const Cuda& space, const CudaRecording& recording, const char* name);
bool cuda_calls_kernels();  // does this thread record a graph now, or is there a listener?

template <>
class Recording<Cuda> {
 public:
  bool run(const Cuda& space, const std::function<void()>& work, const char* name) const {
    if (!runtime_detail::quiet()) [[unlikely]]
      runtime_detail::ask_environment();
    if (cuda_calls_kernels()) return false;
    if (kernels_ == nullptr) kernels_ = cuda_record(space, work);
    cuda_launch(space, *kernels_, name);
    return true;
  }

 private:
  mutable std::shared_ptr<const CudaRecording> kernels_;
};

}  // namespace trellis::backend

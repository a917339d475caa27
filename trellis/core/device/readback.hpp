// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies numbers that kernels wrote to the host while later kernels run:
//   Readback<double> progress(n);
//   progress.ask(space, view);        // after the kernels launched before; does not wait
//   ... more kernels ...
//   const double* numbers = progress.look();   // waits for the copy, not for the kernels launched since
// After look(), ask() may be called again. These copies are not reported to listeners (profile_listener.hpp): they are
// for scalars.

#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "trellis/core/spaces.hpp"

namespace trellis {

#if defined(TRELLIS_BACKEND_CUDA)
namespace backend {
class CudaReadback;
std::shared_ptr<CudaReadback> cuda_readback(std::size_t bytes);
void cuda_ask(CudaReadback& readback, const Cuda& space, const void* from);
const void* cuda_look(CudaReadback& readback);
}  // namespace backend
#endif

template <class T, ExecutionSpace Exec>
class Readback {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Readback(std::size_t count) : here_(count) {}
  void ask(const Exec&, const T* from) { std::memcpy(here_.data(), from, here_.size() * sizeof(T)); }
  const T* look() const { return here_.data(); }

 private:
  std::vector<T> here_;
};

#if defined(TRELLIS_BACKEND_CUDA)
template <class T>
class Readback<T, Cuda> {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Readback(std::size_t count) : under_way_(backend::cuda_readback(count * sizeof(T))) {}
  void ask(const Cuda& space, const T* from) { backend::cuda_ask(*under_way_, space, from); }
  const T* look() const { return static_cast<const T*>(backend::cuda_look(*under_way_)); }

 private:
  std::shared_ptr<backend::CudaReadback> under_way_;
};
#endif

}  // namespace trellis

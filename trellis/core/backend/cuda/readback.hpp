// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers on their way from a device. Included by core/device/readback.hpp.

#include <memory>
#include <type_traits>

#include "trellis/core/device/readback.hpp"

namespace trellis {

namespace backend {
class CudaReadback;
std::shared_ptr<CudaReadback> cuda_readback(std::size_t bytes);
void cuda_ask(CudaReadback& readback, const Cuda& space, const void* from);
const void* cuda_look(CudaReadback& readback);
void cuda_send(const Cuda& space, void* to, const void* from, std::size_t bytes);
}  // namespace backend

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

template <class T>
void send(const Cuda& space, T* to, const T* from, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  backend::cuda_send(space, to, from, count * sizeof(T));
}

}  // namespace trellis

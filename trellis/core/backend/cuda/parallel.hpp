// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cuda: one thread an index. The grid depends on the length of the work alone, threads add their indices in a fixed
// order, blocks join theirs in a fixed tree, and the host joins the blocks in order: results have the same bits on
// every device. Joins must commute, since a thread's indices lie a grid apart. Source files that launch kernels are
// compiled as CUDA; others may include this header.

#include <memory>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/policy.hpp"
#if defined(__CUDACC__)
#include "trellis/core/backend/cuda/kernels.cuh"
#endif

namespace trellis::backend {

#if defined(__CUDACC__)

template <class Policy, class F>
void run_for(const Cuda&, const char* name, const Policy& policy, const F& f) {
  const Index units = cuda_units(policy);
  for_kernel<<<static_cast<unsigned>((units + cuda_threads - 1) / cuda_threads), cuda_threads>>>(policy, f);
  cuda_check_launch(name);
}

// Blocks of a reduction or scan: a function of the length alone.
inline Index cuda_blocks(Index units, int threads) {
  constexpr Index most = 1024;
  const Index needed = (units + threads - 1) / threads;
  return needed < most ? needed : most;
}

template <class Policy, class F, class R>
typename R::value_type run_reduce(const Cuda&, const char* name, const Policy& policy, const F& f, const R& reducer) {
  using T = typename R::value_type;
  constexpr int threads = threads_for<T>;
  const auto blocks = static_cast<std::size_t>(cuda_blocks(cuda_units(policy), threads));
  const CudaScratch scratch(blocks * sizeof(T));
  reduce_kernel<threads>
      <<<static_cast<unsigned>(blocks), threads>>>(policy, f, reducer, static_cast<T*>(scratch.data()));
  cuda_check_launch(name);
  const auto partial = std::make_unique<T[]>(blocks);
  cuda_copy(partial.get(), scratch.data(), blocks * sizeof(T));
  T total = reducer.identity();
  for (std::size_t b = 0; b < blocks; ++b) reducer.join(total, partial[b]);
  return total;
}

template <class Policy, class F, class R>
typename R::value_type run_scan(const Cuda&, const char* name, const Policy& policy, const F& f, const R& reducer) {
  using T = typename R::value_type;
  constexpr int threads = threads_for<T>;
  const auto blocks = static_cast<std::size_t>(cuda_blocks(policy.work(), threads));
  const CudaScratch scratch(blocks * sizeof(T));
  T* const sums = static_cast<T*>(scratch.data());
  scan_kernel<threads><<<static_cast<unsigned>(blocks), threads>>>(policy, f, reducer, sums, false);
  cuda_check_launch(name);
  const auto partial = std::make_unique<T[]>(blocks);
  cuda_copy(partial.get(), sums, blocks * sizeof(T));
  T total = reducer.identity();
  for (std::size_t b = 0; b < blocks; ++b) {
    const T before = total;
    reducer.join(total, partial[b]);
    partial[b] = before;
  }
  cuda_copy(sums, partial.get(), blocks * sizeof(T));
  scan_kernel<threads><<<static_cast<unsigned>(blocks), threads>>>(policy, f, reducer, sums, true);
  cuda_check_launch(name);
  return total;
}

#else

template <class T>
inline constexpr bool not_compiled_as_cuda = false;

template <class Policy, class F>
void run_for(const Cuda&, const char*, const Policy&, const F&) {
  static_assert(not_compiled_as_cuda<F>, "a kernel for Cuda in a source file that is not compiled as CUDA");
}
template <class Policy, class F, class R>
typename R::value_type run_reduce(const Cuda&, const char*, const Policy&, const F&, const R&) {
  static_assert(not_compiled_as_cuda<F>, "a kernel for Cuda in a source file that is not compiled as CUDA");
}
template <class Policy, class F, class R>
typename R::value_type run_scan(const Cuda&, const char*, const Policy&, const F&, const R&) {
  static_assert(not_compiled_as_cuda<F>, "a kernel for Cuda in a source file that is not compiled as CUDA");
}

#endif

}  // namespace trellis::backend

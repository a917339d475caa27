// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cuda: one thread an index. The grid depends on the length of the work alone, threads add their indices in a fixed
// order, blocks join theirs in a fixed tree, and the host joins the blocks in order: results have the same bits on
// every device. Joins must commute, since a thread's indices lie a grid apart. Source files that launch kernels are
// compiled as CUDA; others may include this header.

#include <memory>
#include <vector>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/policy.hpp"
#if defined(__CUDACC__)
#include "trellis/core/backend/cuda/kernels.cuh"
#include "trellis/core/backend/cuda/team.cuh"
#endif

namespace trellis::backend {

#if defined(__CUDACC__)

template <class Policy, class F>
void run_for(const Cuda& space, const char* name, const Policy& policy, const F& f) {
  const Index units = cuda_units(policy);
  for_kernel<<<static_cast<unsigned>((units + cuda_threads - 1) / cuda_threads), cuda_threads, 0, space.stream>>>(
      policy, f);
  cuda_check_launch(name);
}

template <class R, class F>
void run_for(const Cuda& space, const char* name, const MDRangePolicy<Cuda, R>& policy, const F& f) {
  dim3 blocks, threads;
  if (has_tile_grid(policy, blocks, threads)) {
    tile_kernel<<<blocks, threads, 0, space.stream>>>(policy, f);
  } else {
    const Index units = cuda_units(policy);
    for_kernel<<<static_cast<unsigned>((units + cuda_threads - 1) / cuda_threads), cuda_threads, 0, space.stream>>>(
        policy, f);
  }
  cuda_check_launch(name);
}

// Blocks of a reduction or scan: a function of the length alone.
inline Index cuda_blocks(Index units, int threads) {
  constexpr Index most = 1024;
  const Index needed = (units + threads - 1) / threads;
  return needed < most ? needed : most;
}

template <class Policy, class F, class R>
typename R::value_type run_reduce(const Cuda& space, const char* name, const Policy& policy, const F& f,
                                  const R& reducer) {
  using T = typename R::value_type;
  constexpr int threads = threads_for<T>;
  const auto blocks = static_cast<std::size_t>(cuda_blocks(cuda_units(policy), threads));
  const CudaScratch scratch(blocks * sizeof(T), space.stream);
  reduce_kernel<threads><<<static_cast<unsigned>(blocks), threads, 0, space.stream>>>(policy, f, reducer,
                                                                                      static_cast<T*>(scratch.data()));
  cuda_check_launch(name);
  const auto partial = std::make_unique<T[]>(blocks);
  cuda_copy(partial.get(), scratch.data(), blocks * sizeof(T), space.stream);
  T total = reducer.identity();
  for (std::size_t b = 0; b < blocks; ++b) reducer.join(total, partial[b]);
  return total;
}

template <class Policy, class F, class T, class R>
void run_reduce_array(const Cuda& space, const char* name, const Policy& policy, const F& f, T* result, Index length,
                      const R& reducer) {
  constexpr std::size_t most = 48 * 1024;
  int threads = cuda_threads;
  while (threads > 32 && threads * length * sizeof(T) > most) threads /= 2;
  const std::size_t shared = threads * length * sizeof(T);
  if (shared > most) {
    fail("kernel '{}': a reduction to {} numbers; on a GPU at most {} of {} bytes", name, length,
         most / (32 * sizeof(T)), sizeof(T));
  }
  const auto blocks = static_cast<std::size_t>(cuda_blocks(cuda_units(policy), threads));
  const CudaScratch scratch(blocks * length * sizeof(T), space.stream);
  T* const sums = static_cast<T*>(scratch.data());
  reduce_array_kernel<<<static_cast<unsigned>(blocks), threads, shared, space.stream>>>(policy, f, reducer, length,
                                                                                        sums);
  cuda_check_launch(name);
  std::vector<T> partial(blocks * length);
  cuda_copy(partial.data(), sums, blocks * length * sizeof(T), space.stream);
  for (Index k = 0; k < length; ++k) result[k] = reducer.identity();
  for (std::size_t b = 0; b < blocks; ++b)
    for (Index k = 0; k < length; ++k) reducer.join(result[k], partial[b * length + k]);
}

template <class Policy, class F, class R>
typename R::value_type run_scan(const Cuda& space, const char* name, const Policy& policy, const F& f,
                                const R& reducer) {
  using T = typename R::value_type;
  constexpr int threads = threads_for<T>;
  const auto blocks = static_cast<std::size_t>(cuda_blocks(policy.work(), threads));
  const CudaScratch scratch(blocks * sizeof(T), space.stream);
  T* const sums = static_cast<T*>(scratch.data());
  scan_kernel<threads><<<static_cast<unsigned>(blocks), threads, 0, space.stream>>>(policy, f, reducer, sums, false);
  cuda_check_launch(name);
  const auto partial = std::make_unique<T[]>(blocks);
  cuda_copy(partial.get(), sums, blocks * sizeof(T), space.stream);
  T total = reducer.identity();
  for (std::size_t b = 0; b < blocks; ++b) {
    const T before = total;
    reducer.join(total, partial[b]);
    partial[b] = before;
  }
  cuda_copy(sums, partial.get(), blocks * sizeof(T), space.stream);
  scan_kernel<threads><<<static_cast<unsigned>(blocks), threads, 0, space.stream>>>(policy, f, reducer, sums, true);
  cuda_check_launch(name);
  return total;
}

template <class F>
void run_for(const Cuda& space, const char* name, const TeamPolicy<Cuda>& policy, const F& f) {
  const auto shape = team_shape(policy);
  team_for_kernel<<<shape.blocks, shape.threads, shape.shared, space.stream>>>(shape.kernel, f);
  cuda_check_launch(name);
}

template <class F, class R>
typename R::value_type run_reduce(const Cuda& space, const char* name, const TeamPolicy<Cuda>& policy, const F& f,
                                  const R& reducer) {
  using T = typename R::value_type;
  const auto shape = team_shape(policy);
  const std::size_t bytes = static_cast<std::size_t>(policy.league_size()) * sizeof(T);
  const CudaScratch scratch(bytes, space.stream);
  team_reduce_kernel<<<shape.blocks, shape.threads, shape.shared, space.stream>>>(shape.kernel, f, reducer,
                                                                                  static_cast<T*>(scratch.data()));
  cuda_check_launch(name);
  const auto partial = std::make_unique<T[]>(static_cast<std::size_t>(policy.league_size()));
  cuda_copy(partial.get(), scratch.data(), bytes, space.stream);
  T total = reducer.identity();
  for (Index team = 0; team < policy.league_size(); ++team) reducer.join(total, partial[team]);
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
template <class Policy, class F, class T, class R>
void run_reduce_array(const Cuda&, const char*, const Policy&, const F&, T*, Index, const R&) {
  static_assert(not_compiled_as_cuda<F>, "a kernel for Cuda in a source file that is not compiled as CUDA");
}
template <class Policy, class F, class R>
typename R::value_type run_scan(const Cuda&, const char*, const Policy&, const F&, const R&) {
  static_assert(not_compiled_as_cuda<F>, "a kernel for Cuda in a source file that is not compiled as CUDA");
}

#endif

}  // namespace trellis::backend

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cuda: one thread per index. The grid depends only on the length of the work, threads add their indices in a fixed
// order, blocks join their threads in a fixed tree, and the last block joins the blocks in the same way: results have
// the same bits on every device. Joins must commute, since a thread's indices are a grid apart. Source files that
// launch kernels are compiled as CUDA; others may include this header.

#include <algorithm>

#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/policy.hpp"
#if defined(__CUDACC__)
#include "trellis/core/backend/cuda/kernels.cuh"
#include "trellis/core/backend/cuda/team.cuh"
#endif

namespace trellis::backend {

#if defined(__CUDACC__)

template <class Policy, class F>
void launch_for_kernel(const Cuda& space, const Policy& policy, const F& f) {
  constexpr int threads = bound_threads<Policy>(cuda_threads);
  const Index units = cuda_units(policy);
  for_kernel<<<static_cast<unsigned>((units + threads - 1) / threads), threads, 0, cuda_stream(space)>>>(policy, f);
}

template <class Policy, class F>
void run_for(const Cuda& space, const char* name, const Policy& policy, const F& f) {
  launch_for_kernel(space, policy, f);
  cuda_check_launch(name);
}

template <class R, class... P, class F>
void run_for(const Cuda& space, const char* name, const MDRangePolicy<Cuda, R, P...>& policy, const F& f) {
  dim3 blocks, threads;
  if (has_tile_grid(policy, blocks, threads)) {
    tile_kernel<<<blocks, threads, 0, cuda_stream(space)>>>(policy, f);
  } else {
    launch_for_kernel(space, policy, f);
  }
  cuda_check_launch(name);
}

// The number of blocks of a reduction or scan, which depends only on the length. Every thread has one index up to 1024
// blocks, then more; from sixteen indices on there are more blocks, so that few of them are left over when most are
// done.
inline Index reduce_blocks(Index units, int threads) {
  constexpr Index some = 1024, most = 4096, enough = 16;
  const Index needed = (units + threads - 1) / threads;
  return std::min(needed, std::clamp(needed / enough, some, most));
}
inline Index scan_blocks(Index units, int threads) {
  constexpr Index most = 1024;
  return std::min(most, (units + threads - 1) / threads);
}
// The same for arrays, with fewer blocks, so that the last one is not busy for long.
inline Index reduce_array_blocks(Index units, int threads, Index length) {
  constexpr Index least = 128, most = 1024, values = 16384;
  return std::min((units + threads - 1) / threads, std::clamp(values / length, least, most));
}

template <class Policy, class F, class R>
typename R::value_type run_reduce(const Cuda& space, const char* name, const Policy& policy, const F& f,
                                  const R& reducer) {
  using T = typename R::value_type;
  constexpr int threads = threads_for<T>;
  const auto blocks = static_cast<unsigned>(reduce_blocks(cuda_units(policy), threads));
  CUstream_st* const stream = cuda_stream(space);
  CudaReduction reduction(blocks * sizeof(T), sizeof(T));
  reduce_kernel<threads><<<blocks, threads, 0, stream>>>(policy, f, reducer, reduction.join<T>());
  cuda_check_launch(name);
  return *reduction.wait<T>(stream);
}

template <class Policy, class F, class T, class R>
void run_reduce_array(const Cuda& space, const char* name, const Policy& policy, const F& f, T* result, Index length,
                      const R& reducer) {
  if (length == 0) return;
  int threads = cuda_threads;
  while (threads > 32 && threads * length * sizeof(T) > cuda_shared) threads /= 2;
  const std::size_t shared = threads * length * sizeof(T);
  if (shared > cuda_shared) {
    fail("kernel '{}': a reduction to {} numbers; on a GPU at most {} of {} bytes", name, length,
         cuda_shared / (32 * sizeof(T)), sizeof(T));
  }
  const auto blocks = static_cast<unsigned>(reduce_array_blocks(cuda_units(policy), threads, length));
  CUstream_st* const stream = cuda_stream(space);
  CudaReduction reduction(blocks * length * sizeof(T), length * sizeof(T));
  reduce_array_kernel<<<blocks, threads, shared, stream>>>(policy, f, reducer, length, reduction.join<T>());
  cuda_check_launch(name);
  std::copy_n(reduction.wait<T>(stream), length, result);
}

template <class Policy, class F, class R>
typename R::value_type run_scan(const Cuda& space, const char* name, const Policy& policy, const F& f,
                                const R& reducer) {
  using T = typename R::value_type;
  constexpr int threads = threads_for<T>;
  const auto blocks = static_cast<unsigned>(scan_blocks(policy.work(), threads));
  CUstream_st* const stream = cuda_stream(space);
  CudaReduction reduction(blocks * sizeof(T), sizeof(T));
  const auto join = reduction.join<T>();
  for (const bool final : {false, true}) {
    scan_kernel<threads><<<blocks, threads, 0, stream>>>(policy, f, reducer, join, final);
    cuda_check_launch(name);
  }
  const T total = *reduction.wait<T>(stream);
  space.fence();
  return total;
}

template <class... P, class F>
void run_for(const Cuda& space, const char* name, const TeamPolicy<Cuda, P...>& policy, const F& f) {
  using Policy = TeamPolicy<Cuda, P...>;
  const auto shape = team_shape(policy);
  const auto threads = static_cast<int>(shape.threads.x * shape.threads.y);
  if (threads > bound_threads<Policy>(1024)) {
    fail("kernel '{}': teams of {} threads, its LaunchBounds allow {}", name, threads, bound_threads<Policy>(1024));
  }
  team_for_kernel<bound_threads<Policy>(1024), bound_blocks<Policy>>
      <<<shape.blocks, shape.threads, shape.shared, cuda_stream(space)>>>(shape.kernel, f);
  cuda_check_launch(name);
}

// Teams store their results, which a separate kernel joins: there may be many small teams.
template <class... P, class F, class R>
typename R::value_type run_reduce(const Cuda& space, const char* name, const TeamPolicy<Cuda, P...>& policy, const F& f,
                                  const R& reducer) {
  using T = typename R::value_type;
  constexpr int threads = threads_for<T>;
  const auto shape = team_shape(policy);
  const auto blocks = static_cast<unsigned>(reduce_blocks(policy.league_size(), threads));
  CUstream_st* const stream = cuda_stream(space);
  CudaReduction reduction((blocks + static_cast<std::size_t>(policy.league_size())) * sizeof(T), sizeof(T));
  const auto join = reduction.join<T>();
  T* const of_teams = join.partial + blocks;
  team_reduce_kernel<<<shape.blocks, shape.threads, shape.shared, stream>>>(shape.kernel, f, reducer, of_teams);
  cuda_check_launch(name);
  const JoinTeams<R> add{of_teams, reducer};
  reduce_kernel<threads>
      <<<blocks, threads, 0, stream>>>(RangePolicy<Cuda>(0, policy.league_size()), add, reducer, join);
  cuda_check_launch(name);
  return *reduction.wait<T>(stream);
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

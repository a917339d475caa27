// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels over tiles of lanes, and their exact sums: what fields on a lattice are made of.
//   parallel_for(kernel, TilePolicy<Exec>(tiles, lanes), f)             f(tile)
//   parallel_for(kernel, TilePolicy<Exec>(tiles, lanes, vectors), f)    f(tile, vector)
//   for_batches<N>(kernel, the same, f)                                 f(tile, first, last): vectors first <= n < last
//   for_joined_parts(kernel, TilePolicy<Exec>(tiles, lanes), f)         f.part(tile, n) for n < F::parts, then
//                                                                       f.join(tile, k, part) for k < F::joins
//   exact_sums<S, K>(kernel, TilePolicy<Exec>(tiles, lanes), f)         f(tile, sums), ExactAccumulator<S> sums[K];
//                                                                       returns K doubles
//   exact_sums_of_vectors<S>(kernel, TilePolicy<Exec>(tiles, lanes, vectors), f)   f(tile, vector) -> S, a term
//   exact_sums_of_batches<S, N>(kernel, the same, f)                    f(tile, first, last, sums), sums[n - first]
//                                                                       of vector n; these two return one double per
//                                                                       vector, or leave them in a KernelSums, the last
//                                                                       argument
// A host space calls f once per tile, whose lanes are those of a register (simd<T, lanes>); a batch is all vectors. On
// a GPU each of the `lanes` threads of a tile calls it for its own lane (warp_lanes<T, lanes>), for one vector or for a
// batch of at most N: those that a thread keeps in registers beside what they share. Where lanes are permuted, all
// threads of a tile must take the same path through f. A functor may have a constant least_blocks: how many blocks of
// 128 threads (joined parts: 32 for each part) a multiprocessor of a GPU should be able to hold at least. Sums have the
// same bits in all spaces (exact_sum.hpp).
//
// Joined parts are for a tile's work that falls into parts which together make a few results. part() returns an
// F::Part, a struct of registers of type F::S, and join() takes those of all parts from part(n): in the registers and
// the first-level cache of a host, whereas on a GPU parts have threads of their own, which leave what they computed in
// the memory of their block. So fewer tiles are in work at a time, a thread needs fewer registers, and neighbouring
// threads read the same numbers. A thread finds F::parts_of_thread parts, if there is such a constant, otherwise one;
// there are at most as many joins as threads. Joins come in any order; join() must not read what another part() or
// join() writes.

#include <array>
#include <span>
#include <vector>

#include "trellis/core/backend/host_tiles.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/sums/kernel_sums.hpp"

namespace trellis {

template <ExecutionSpace Exec>
class TilePolicy {
 public:
  using execution_space = Exec;

  TilePolicy(int tiles, int lanes, int vectors = 0) : tiles_(tiles), lanes_(lanes), vectors_(vectors) {}
  TilePolicy(const Exec& space, int tiles, int lanes, int vectors = 0)
      : space_(space), tiles_(tiles), lanes_(lanes), vectors_(vectors) {}

  const Exec& space() const { return space_; }
  int tiles() const { return tiles_; }
  int lanes() const { return lanes_; }
  int vectors() const { return vectors_; }
  Index work() const { return Index(tiles_) * (vectors_ == 0 ? 1 : vectors_); }
  // Kernel::block_threads
  int block_threads() const { return block_threads_; }
  TilePolicy in_blocks_of(int threads) const {
    TilePolicy policy = *this;
    policy.block_threads_ = threads;
    return policy;
  }

 private:
  Exec space_;
  int tiles_, lanes_, vectors_, block_threads_ = 0;
};

// The functor's least_blocks, or 0 if it has none.
template <class F>
inline constexpr int least_blocks_of = [] {
  if constexpr (requires { F::least_blocks; })
    return F::least_blocks;
  else
    return 0;
}();
// The functor's parts_of_thread, or 1 if it has none.
template <class F>
inline constexpr int parts_of_thread = [] {
  if constexpr (requires { F::parts_of_thread; })
    return F::parts_of_thread;
  else
    return 1;
}();

}  // namespace trellis

#include "trellis/core/backend/gpu_tiles.hpp"

namespace trellis {

using backend::maximum_sums;

namespace backend {
template <class Exec>
HostTiles host_tiles(const TilePolicy<Exec>& policy) {
  return {policy.tiles(), policy.vectors()};
}
}  // namespace backend

template <class Exec, class F>
void parallel_for(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f) {
  if constexpr (can_access<Exec, HostSpace>) {
    backend::run_tile_loop(kernel, policy.space(), backend::host_tiles(policy), backend::tile_loop(f));
  } else {
    if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
    DispatchTimer timer(kernel, policy.space());
    if (!timer.runs()) return;
    backend::run_tiles(kernel.name, policy.in_blocks_of(kernel.block_threads), f);
    timer.given();
  }
}

template <class Exec, class F>
void for_joined_parts(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f) {
  static_assert(F::joins <= F::parts / parts_of_thread<F>);
  if constexpr (can_access<Exec, HostSpace>) {
    backend::run_tile_loop(kernel, policy.space(), backend::host_tiles(policy), backend::joined_loop(f));
  } else {
    if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
    DispatchTimer timer(kernel, policy.space());
    if (!timer.runs()) return;
    backend::run_joined_parts(kernel.name, policy, f);
    timer.given();
  }
}

// Adds to totals, to which further sums may be added before they are converted to numbers.
template <class S, int K, class Exec, class F>
void add_exact_sums(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f, std::span<ExactSum, K> totals) {
  static_assert(K <= maximum_sums);
  if constexpr (can_access<Exec, HostSpace>) {
    backend::run_tile_sums(kernel, policy.space(), backend::host_tiles(policy), backend::tile_sums<S>(f), totals);
  } else {
    if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
    const DispatchTimer timer(kernel, policy.space());
    if (!timer.runs_for_result()) return;
    backend::run_exact_sums<S, K>(kernel.name, policy.in_blocks_of(kernel.block_threads), f, totals);
  }
}

template <class S, int K, class Exec, class F>
std::array<double, K> exact_sums(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f) {
  std::array<ExactSum, K> totals;
  add_exact_sums<S, K>(kernel, policy, f, std::span<ExactSum, K>(totals));
  std::array<double, K> values;
  for (int k = 0; k < K; ++k) values[std::size_t(k)] = totals[std::size_t(k)].value();
  return values;
}

template <int N, class Exec, class F>
void for_batches(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f) {
  if constexpr (can_access<Exec, HostSpace>) {
    backend::run_tile_loop(kernel, policy.space(), backend::host_tiles(policy), backend::batch_loop(f));
  } else {
    if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
    DispatchTimer timer(kernel, policy.space());
    if (!timer.runs()) return;
    backend::run_batches<N>(kernel.name, policy.in_blocks_of(kernel.block_threads), f);
    timer.given();
  }
}

// The sums as numbers.
std::vector<double> values_of(std::span<const ExactSum> sums);

namespace tile_detail {
// Throws unless there is one sum per vector, and no more than there is room for.
void require_sums(const Kernel& kernel, int vectors, std::size_t sums);
}  // namespace tile_detail

// Adds to totals, one per vector.
template <class S, int N, class Exec, class F>
void add_exact_sums_of_batches(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f,
                               std::span<ExactSum> totals) {
  tile_detail::require_sums(kernel, policy.vectors(), totals.size());
  if constexpr (can_access<Exec, HostSpace>) {
    backend::run_tile_sums(kernel, policy.space(), backend::host_tiles(policy), backend::vector_sums<S>(f), totals);
  } else {
    if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
    const DispatchTimer timer(kernel, policy.space());
    if (!timer.runs_for_result()) return;
    backend::run_vector_sums<S, N>(kernel.name, policy.in_blocks_of(kernel.block_threads), f, totals);
  }
}

template <class S, int N, class Exec, class F>
std::vector<double> exact_sums_of_batches(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f) {
  std::vector<ExactSum> totals(std::size_t(std::max(policy.vectors(), 0)));
  add_exact_sums_of_batches<S, N>(kernel, policy, f, std::span<ExactSum>(totals));
  return values_of(totals);
}

template <class S, class Exec, class F>
std::vector<double> exact_sums_of_vectors(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f) {
  return exact_sums_of_batches<S, 1>(kernel, policy, f);
}

template <class S, int N, class Exec, class F>
void exact_sums_of_batches(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f,
                           const KernelSums<Exec>& to) {
  tile_detail::require_sums(kernel, policy.vectors(), std::size_t(to.count()));
  if constexpr (can_access<Exec, HostSpace>) {
    backend::leave_tile_sums(kernel, policy.space(), backend::host_tiles(policy), backend::vector_sums<S>(f),
                             {to.data(), std::size_t(to.count())});
  } else {
    if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
    DispatchTimer timer(kernel, policy.space());
    if (!timer.runs_for_result()) return;
    backend::run_vector_sums<S, N>(kernel.name, policy.in_blocks_of(kernel.block_threads), f, to);
    timer.given();
  }
}

// One part of sums to which several kernels contribute: they stay in the bins of `to` until the last kernel leaves them
// in `exact`, in memory that kernels reach. Host spaces have add_exact_sums_of_batches for this.
template <class S, int N, class Exec, class F>
  requires(!can_access<Exec, HostSpace>)
void exact_sums_in_parts(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f, const KernelSums<Exec>& to,
                         bool last, ExactSum* exact) {
  DispatchTimer timer(kernel, policy.space());
  if (!timer.runs_for_result()) return;
  backend::run_vector_sums<S, N>(kernel.name, policy.in_blocks_of(kernel.block_threads), f, to, last, exact);
  timer.given();
}

template <class S, class Exec, class F>
void exact_sums_of_vectors(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f,
                           const KernelSums<Exec>& to) {
  exact_sums_of_batches<S, 1>(kernel, policy, f, to);
}

}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels over tiles of lanes, and their exact sums: what fields on a lattice are made of.
//   parallel_for(kernel, TilePolicy<Exec>(tiles, lanes), f)             f(tile)
//   parallel_for(kernel, TilePolicy<Exec>(tiles, lanes, vectors), f)    f(tile, vector)
//   for_batches<N>(kernel, the same, f)                                 f(tile, first, last): vectors first <= n < last
//   exact_sums<S, K>(kernel, TilePolicy<Exec>(tiles, lanes), f)         f(tile, sums), ExactAccumulator<S> sums[K];
//                                                                       returns K doubles
//   exact_sums_of_vectors<S>(kernel, TilePolicy<Exec>(tiles, lanes, vectors), f)   f(tile, vector) -> S, a term
//   exact_sums_of_batches<S, N>(kernel, the same, f)                    f(tile, first, last, sums), sums[n - first]
//                                                                       of vector n; these two return a double a
//                                                                       vector, or leave it in a KernelSums, the last
//                                                                       argument
// A host space calls f once for a tile, whose lanes are those of a register (simd<T, lanes>), and gives a batch all
// vectors. On a GPU the `lanes` threads of a tile call it, each for its own (warp_lanes<T, lanes>), for one vector, or
// for a batch of N at most: those that a thread keeps in registers beside what they share. f must lead the threads of a
// tile all the same way where lanes are permuted. A functor may have a constant least_blocks: of 128 threads, that a
// multiprocessor of a GPU shall hold at least. Sums have the same bits in all spaces (exact_sum.hpp).

#include <array>
#include <span>
#include <vector>

#include "trellis/core/kernel_sums.hpp"
#include "trellis/core/parallel.hpp"

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

 private:
  Exec space_;
  int tiles_, lanes_, vectors_;
};

// What a functor says of it; 0: nothing.
template <class F>
inline constexpr int least_blocks_of = [] {
  if constexpr (requires { F::least_blocks; })
    return F::least_blocks;
  else
    return 0;
}();

}  // namespace trellis

#if defined(__CUDACC__)
#include "trellis/core/backend/cuda/tiles.cuh"
#endif

namespace trellis {

namespace backend {

// Tiles of a lattice are few and large: a chunk of them is what a thread of a host takes for a sum.
inline constexpr int tiles_a_chunk = 64;

template <class Exec, class F>
requires(can_access<Exec, HostSpace>) void run_tiles(const char* name, const TilePolicy<Exec>& policy, const F& f) {
  const Exec& space = policy.space();
  const RangePolicy<Exec> tiles(space, 0, policy.tiles());
  const int vectors = policy.vectors();
  if constexpr (std::is_invocable_v<F, int, int>)
    run_for(space, name, tiles, [=](Index tile) {
      for (int n = 0; n < vectors; ++n) f(static_cast<int>(tile), n);
    });
  else
    run_for(space, name, tiles, [=](Index tile) { f(static_cast<int>(tile)); });
}

// visit(tile, sums) for all tiles; `count` sums, at most Capacity of them, are added to totals.
template <class S, int Capacity, class Exec, class Visit>
void sum_chunks(const char* name, const TilePolicy<Exec>& policy, int count, const Visit& visit,
                std::span<ExactSum> totals) {
  const int tiles = policy.tiles(), chunks = (tiles + tiles_a_chunk - 1) / tiles_a_chunk;
  std::vector<ExactSum> partial(std::size_t(chunks) * std::size_t(count));
  auto* out = partial.data();
  run_for(policy.space(), name, RangePolicy<Exec>(policy.space(), 0, chunks), [=](Index c) {
    ExactAccumulator<S> sums[Capacity];
    const int first = static_cast<int>(c) * tiles_a_chunk, end = std::min(tiles, first + tiles_a_chunk);
    for (int n = first; n < end; ++n) visit(n, sums);
    for (int k = 0; k < count; ++k) out[c * count + k].add(sums[k]);
  });
  for (int k = 0; k < count; ++k)
    for (int c = 0; c < chunks; ++c)
      totals[std::size_t(k)].add(partial[std::size_t(c) * std::size_t(count) + std::size_t(k)]);
}

template <class S, int K, class Exec, class F>
requires(can_access<Exec, HostSpace>) void run_exact_sums(const char* name, const TilePolicy<Exec>& policy, const F& f,
                                                          std::span<ExactSum, K> totals) {
  sum_chunks<S, K>(name, policy, K, f, totals);
}

inline constexpr int maximum_sums = 64;

// A sum for each vector.
template <class S, int N, class Exec, class F>
requires(can_access<Exec, HostSpace>) void run_vector_sums(const char* name, const TilePolicy<Exec>& policy, const F& f,
                                                           std::span<ExactSum> totals) {
  const int vectors = policy.vectors();
  const auto visit = [=](int tile, ExactAccumulator<S>* sums) {
    if constexpr (std::is_invocable_v<F, int, int>)
      for (int n = 0; n < vectors; ++n) sums[n].add(f(tile, n));
    else
      f(tile, 0, vectors, sums);
  };
  if (vectors == 1) return sum_chunks<S, 1>(name, policy, vectors, visit, totals);
  sum_chunks<S, maximum_sums>(name, policy, vectors, visit, totals);
}

template <int, class Exec, class F>
requires(can_access<Exec, HostSpace>) void run_batches(const char* name, const TilePolicy<Exec>& policy, const F& f) {
  const int vectors = policy.vectors();
  run_for(policy.space(), name, RangePolicy<Exec>(policy.space(), 0, policy.tiles()),
          [=](Index tile) { f(static_cast<int>(tile), 0, vectors); });
}

}  // namespace backend

using backend::maximum_sums;

template <class Exec, class F>
void parallel_for(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f) {
  if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  DispatchTimer timer(kernel, policy.space());
  backend::run_tiles(kernel.name, policy, f);
  timer.given();
}

// Adds to totals, which others may join before they become numbers.
template <class S, int K, class Exec, class F>
void add_exact_sums(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f, std::span<ExactSum, K> totals) {
  if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  const DispatchTimer timer(kernel, policy.space());
  backend::run_exact_sums<S, K>(kernel.name, policy, f, totals);
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
  if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  DispatchTimer timer(kernel, policy.space());
  backend::run_batches<N>(kernel.name, policy, f);
  timer.given();
}

// The numbers that sums are.
inline std::vector<double> values_of(std::span<const ExactSum> sums) {
  std::vector<double> values;
  values.reserve(sums.size());
  for (const ExactSum& sum : sums) values.push_back(sum.value());
  return values;
}

// Adds to totals, one a vector.
template <class S, int N, class Exec, class F>
void add_exact_sums_of_batches(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f,
                               std::span<ExactSum> totals) {
  if (policy.vectors() < 1 || policy.vectors() > maximum_sums || policy.vectors() != int(totals.size()))
    fail("{}: {} sums for {} vectors; from 1 to {}", kernel.name, totals.size(), policy.vectors(), maximum_sums);
  if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  const DispatchTimer timer(kernel, policy.space());
  backend::run_vector_sums<S, N>(kernel.name, policy, f, totals);
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
  if (policy.vectors() != to.count() || to.count() > maximum_sums)
    fail("{}: {} sums for {} vectors; at most {}", kernel.name, to.count(), policy.vectors(), maximum_sums);
  if (policy.work() == 0) return runtime_detail::empty_dispatch(kernel.name);
  DispatchTimer timer(kernel, policy.space());
  if constexpr (can_access<Exec, HostSpace>) {
    std::array<ExactSum, maximum_sums> totals;
    const std::span<ExactSum> own(totals.data(), std::size_t(to.count()));
    backend::run_vector_sums<S, N>(kernel.name, policy, f, own);
    for (int k = 0; k < to.count(); ++k) to.data()[k] = own[std::size_t(k)].value();
  } else {
    backend::run_vector_sums<S, N>(kernel.name, policy, f, to);
  }
  timer.given();
}

// A part of sums that several kernels make: they stay in the bins of `to`, until the last one leaves them in `exact`,
// which kernels reach. For spaces that the host waits for there is add_exact_sums_of_batches.
template <class S, int N, class Exec, class F>
requires(!can_access<Exec, HostSpace>) void exact_sums_in_parts(const Kernel& kernel, const TilePolicy<Exec>& policy,
                                                                const F& f, const KernelSums<Exec>& to, bool last,
                                                                ExactSum* exact) {
  DispatchTimer timer(kernel, policy.space());
  backend::run_vector_sums<S, N>(kernel.name, policy, f, to, last, exact);
  timer.given();
}

template <class S, class Exec, class F>
void exact_sums_of_vectors(const Kernel& kernel, const TilePolicy<Exec>& policy, const F& f,
                           const KernelSums<Exec>& to) {
  exact_sums_of_batches<S, 1>(kernel, policy, f, to);
}

}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What runs a TilePolicy on a GPU: the kernels, for its compiler; only declarations for other compilers, whose code
// never calls them. Included by tile_policy.hpp.

#include "trellis/core/tile_policy.hpp"

#if defined(TRELLIS_DEVICE_SOURCE)
#include TRELLIS_DEVICE_HEADER(tiles.cuh)
#else
namespace trellis::backend {

template <class Exec, class F>
void run_tiles(const char* name, const TilePolicy<Exec>& policy, const F& f);
template <int N, class Exec, class F>
void run_batches(const char* name, const TilePolicy<Exec>& policy, const F& f);
template <class Exec, class F>
void run_joined_parts(const char* name, const TilePolicy<Exec>& policy, const F& f);
template <class S, int K, class Exec, class F>
void run_exact_sums(const char* name, const TilePolicy<Exec>& policy, const F& f, std::span<ExactSum, K> totals);
template <class S, int N, class Exec, class F, class... To>
void run_vector_sums(const char* name, const TilePolicy<Exec>& policy, const F& f, const To&... to);

}  // namespace trellis::backend
#endif

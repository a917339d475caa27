// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exact sums that are left where kernels can read them, so that a sequence of kernels does not involve the host:
//   const KernelSums<Exec> sums(vectors);
//   exact_sums_of_vectors<S>(kernel, policy, f, sums);         // tile_policy.hpp; does not wait
//   const double* sum = sums.data();
//   parallel_for(..., TRELLIS_KERNEL(int tile) { ... sum[0] ... });
// The bits are the same as in returned sums. Sums may be part of a graph (graph.hpp). Copies share memory. One
// KernelSums serves one stream at a time.

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/core/device/readback.hpp"
#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

namespace backend {
// What a space needs beside the results.
template <ExecutionSpace Exec>
class SumsRoom {
 public:
  explicit SumsRoom(int /*count*/) {}
};
}  // namespace backend

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(sums_room.hpp)
#endif

namespace trellis {

template <ExecutionSpace Exec>
class KernelSums {
 public:
  // All 0.
  explicit KernelSums(int count) : values_("sums", count), room_(count) {}

  int count() const { return static_cast<int>(values_.extent(0)); }
  // For kernels.
  double* data() const { return values_.data(); }
  const backend::SumsRoom<Exec>& room() const { return room_; }

  // For the host: waits for the kernels of the space's default instance that were given before.
  std::vector<double> values() const {
    Readback<double, Exec> seen(values_.size());
    seen.ask(Exec{}, data());
    const double* const here = seen.look();
    return {here, here + values_.size()};
  }
  void set(std::span<const double> values) const {
    send(Exec{}, data(), values.data(), std::min(values.size(), std::size_t(count())));
  }

 private:
  using Memory = typename Exec::memory_space;
  View<double*, Memory> values_;
  backend::SumsRoom<Exec> room_;
};

}  // namespace trellis

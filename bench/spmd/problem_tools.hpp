// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers shared by the kernels' files.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "bench/spmd/problem.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/policy/hierarchical.hpp"

namespace trellis::bench::spmd {

// Calls f(work_items<way>); an Error for ways that this file is not compiled for. What the library runs itself does not
// depend on the plugin's analyses.
template <class F>
void with_way(WorkItems way, const F& f) {
  switch (way) {
#if !defined(TRELLIS_BENCH_SPMD_WITHOUT)
    case WorkItems::threads:
      return f(work_items<WorkItems::threads>);
    case WorkItems::fibers:
      return f(work_items<WorkItems::fibers>);
#endif
#if defined(TRELLIS_SPMD_PLUGIN)
    case WorkItems::fission:
      return f(work_items<WorkItems::fission>);
    case WorkItems::continuations:
      return f(work_items<WorkItems::continuations>);
#endif
    default:
      fail("this way needs the compiler plugin, but these kernels were built without it");
  }
}

inline Index whole_groups(Index items, Index group) { return items < group ? group : items / group * group; }

// A fixed sequence of numbers in [-1, 1), multiples of 2^-12 so that sums of a few are exact.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2654435769u + 12345) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(static_cast<std::int64_t>(state_) >> 51) / 4096.0;
  }

 private:
  std::uint64_t state_;
};

template <class T>
void fill(const View<T*, HostSpace>& a, std::uint64_t seed) {
  Numbers numbers(seed);
  for (Index i = 0; i < a.extent(0); ++i) a(i) = static_cast<T>(numbers.next());
}
template <class T>
void fill_with(const View<T*, HostSpace>& a, T value) {
  for (Index i = 0; i < a.extent(0); ++i) a(i) = value;
}

// Empty if |found(i) - expected(i)| <= tolerance * scale everywhere, where scale is the largest |expected|.
template <class Found, class Expected>
std::string compare(Index count, const Found& found, const Expected& expected, double tolerance) {
  double scale = 0;
  for (Index i = 0; i < count; ++i) scale = std::fmax(scale, std::fabs(static_cast<double>(expected(i))));
  for (Index i = 0; i < count; ++i) {
    const double a = static_cast<double>(found(i)), b = static_cast<double>(expected(i));
    if (!(std::fabs(a - b) <= tolerance * scale)) return fmt::format("element {} is {}, not {}", i, a, b);
  }
  return {};
}

template <class T>
OpenClArgument buffer(const View<T*, HostSpace>& a) {
  return {OpenClArgument::Kind::buffer, const_cast<std::remove_const_t<T>*>(a.data()),
          static_cast<std::size_t>(a.extent(0)) * sizeof(T)};
}
inline OpenClArgument local_memory(std::size_t bytes) { return {OpenClArgument::Kind::local, nullptr, bytes}; }
// x is read when the kernel is made, not later.
template <class T>
OpenClArgument value(T& x) {
  return {OpenClArgument::Kind::value, const_cast<std::remove_const_t<T>*>(&x), sizeof(T)};
}

}  // namespace trellis::bench::spmd

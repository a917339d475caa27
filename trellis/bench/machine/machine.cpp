// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// For builds for hosts; if kernels run on a GPU, machine_device.cu is used.
#include "trellis/bench/machine/machine.hpp"

#include <vector>

#include "trellis/core/parallel.hpp"
#include "trellis/core/simd.hpp"
#include "trellis/core/view.hpp"

#if !defined(TRELLIS_DEVICE_BACKEND)
namespace trellis::bench {

namespace {

using Space = DefaultHostExecutionSpace;
constexpr int doubles = backend::register_bytes / 8;
constexpr int floats = backend::register_bytes / 4;
using D = simd<double, doubles>;
constexpr Index block = 4096;  // elements moved per loop index

template <bool Streaming>
TRELLIS_INLINE void put(double* p, const D& v) {
  if constexpr (Streaming)
    stream_lanes(p, v);
  else
    store_lanes(p, v);
}

template <bool Streaming>
void copy(const double* b, double* a, Index blocks) {
  parallel_for("copy", RangePolicy<Space>(0, blocks), [=](Index n) {
    for (Index i = n * block; i < (n + 1) * block; i += doubles) put<Streaming>(a + i, load_lanes<D>(b + i));
  });
}

template <bool Streaming>
void triad(const double* b, const double* c, double* a, Index blocks) {
  parallel_for("triad", RangePolicy<Space>(0, blocks), [=](Index n) {
    for (Index i = n * block; i < (n + 1) * block; i += doubles)
      put<Streaming>(a + i, fma(D(3.0), load_lanes<D>(c + i), load_lanes<D>(b + i)));
  });
}

template <bool Streaming>
void write(double* a, Index blocks) {
  parallel_for("write", RangePolicy<Space>(0, blocks), [=](Index n) {
    for (Index i = n * block; i < (n + 1) * block; i += doubles) put<Streaming>(a + i, D(1.0));
  });
}

void read(const double* b, double* sums, Index blocks) {
  parallel_for("read", RangePolicy<Space>(0, blocks), [=](Index n) {
    D s[4] = {D(0.0), D(0.0), D(0.0), D(0.0)};
    for (Index i = n * block; i < (n + 1) * block; i += 4 * doubles)
      for (int k = 0; k < 4; ++k) s[k] = s[k] + load_lanes<D>(b + i + k * doubles);
    sums[n] = lane(s[0] + s[1] + s[2] + s[3], 0);
  });
}

// Enough independent chains to hide the latency of the multiply-adds.
template <class S>
double flops_a_second(const tuning::TimingParameters& timing) {
  constexpr int chains = 12, steps = 1 << 16;
  const Index threads = Space::concurrency();
  HostView<double*> results("results", threads * 8);
  const double seconds = tuning::median_seconds(timing, [&] {
    parallel_for("peak", RangePolicy<Space>(0, threads), [=](Index n) {
      using T = scalar_t<S>;
      S a[chains];
      for (int k = 0; k < chains; ++k) a[k] = S(T(1 + k));
      const S factor = S(T(0.999)), term = S(T(0.001));
      for (int step = 0; step < steps; ++step)
        for (int k = 0; k < chains; ++k) a[k] = fma(a[k], factor, term);
      for (int k = 1; k < chains; ++k) a[0] = a[0] + a[k];
      results(8 * n) = double(lane(a[0], 0));
    });
  });
  return 2.0 * lane_count<S> * chains * steps * double(threads) / seconds;
}

}  // namespace

Bandwidth measure_bandwidth(std::int64_t bytes, const tuning::TimingParameters& timing) {
  const Index blocks = std::max<Index>(1, bytes / 3 / 8 / block);
  const Index n = blocks * block;
  const HostView<double*> a("a", n), b("b", n), c("c", n), sums("sums", blocks);
  Bandwidth w;
  w.bytes = 3 * 8 * n;
  w.copy = 16.0 * double(n) / tuning::median_seconds(timing, [&] { copy<false>(b.data(), a.data(), blocks); });
  w.copy_streaming = 16.0 * double(n) / tuning::median_seconds(timing, [&] { copy<true>(b.data(), a.data(), blocks); });
  w.triad =
      24.0 * double(n) / tuning::median_seconds(timing, [&] { triad<false>(b.data(), c.data(), a.data(), blocks); });
  w.triad_streaming =
      24.0 * double(n) / tuning::median_seconds(timing, [&] { triad<true>(b.data(), c.data(), a.data(), blocks); });
  w.read = 8.0 * double(n) / tuning::median_seconds(timing, [&] { read(b.data(), sums.data(), blocks); });
  w.write = 8.0 * double(n) / tuning::median_seconds(timing, [&] { write<true>(a.data(), blocks); });
  return w;
}

PeakFlops measure_peak_flops(const tuning::TimingParameters& timing) {
  return {flops_a_second<simd<float, floats>>(timing), flops_a_second<D>(timing)};
}

HostCopies measure_host_copies(const tuning::TimingParameters&) { return {}; }

}  // namespace trellis::bench
#endif

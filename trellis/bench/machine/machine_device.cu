// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// machine.hpp if kernels run on a GPU. Every thread has four accesses of 16 bytes in flight in each array, without
// which a GPU does not reach its memory bandwidth. Arrays are much larger than the second-level cache, whatever size is
// requested, as long as half of the free memory can hold them.
#include "trellis/bench/machine/machine.hpp"

#include <algorithm>

#include "trellis/core/device/devices.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis::bench {

namespace {

struct alignas(16) Pair {
  double a, b;
};
constexpr int at_once = 4;      // accesses per thread
constexpr Index threads = 256;  // with adjacent accesses, as in a block
constexpr Index block = threads * at_once;

// The k-th place of thread i.
__device__ Index place(Index i, int k) { return i / threads * block + k * threads + i % threads; }

template <bool Streaming>
__device__ void put(Pair* p, const Pair& value) {
  if constexpr (Streaming)
    __stcs(reinterpret_cast<double2*>(p), make_double2(value.a, value.b));
  else
    *p = value;
}

template <bool Streaming>
struct Copy {
  const Pair* from;
  Pair* to;
  __device__ void operator()(Index i) const {
    Pair held[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) held[k] = from[place(i, k)];
#pragma unroll
    for (int k = 0; k < at_once; ++k) put<Streaming>(to + place(i, k), held[k]);
  }
};

template <bool Streaming>
struct Triad {
  const Pair *b, *c;
  Pair* a;
  __device__ void operator()(Index i) const {
    Pair left[at_once], right[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      left[k] = b[place(i, k)];
      right[k] = c[place(i, k)];
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k)
      put<Streaming>(a + place(i, k), {fma(3.0, right[k].a, left[k].a), fma(3.0, right[k].b, left[k].b)});
  }
};

struct Read {
  const Pair* from;
  double* sums;
  __device__ void operator()(Index i) const {
    Pair held[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) held[k] = from[place(i, k)];
    double sum = 0;
#pragma unroll
    for (int k = 0; k < at_once; ++k) sum += held[k].a + held[k].b;
    if (sum == 0.123456789) sums[0] = sum;  // never: all elements are ones
  }
};

struct Write {
  Pair* to;
  __device__ void operator()(Index i) const {
#pragma unroll
    for (int k = 0; k < at_once; ++k) to[place(i, k)] = {1, 1};
  }
};

// Together with a multiprocessor's other threads, enough chains to hide the latency of the multiply-adds.
constexpr int chains = 8, steps = 2048;
template <class T>
struct Multiply {
  T* results;
  __device__ void operator()(Index i) const {
    T a[chains];
#pragma unroll
    for (int k = 0; k < chains; ++k) a[k] = T(1 + k) + T(i % 7);
    for (int step = 0; step < steps; ++step)
#pragma unroll
      for (int k = 0; k < chains; ++k) a[k] = fma(a[k], T(0.999), T(0.001));
    T sum = 0;
#pragma unroll
    for (int k = 0; k < chains; ++k) sum += a[k];
    results[i] = sum;
  }
};

template <class F>
double seconds_of_launch(const char* name, Index count, const tuning::TimingParameters& timing, const F& f) {
  return tuning::median_seconds(timing, [&] { parallel_for(name, RangePolicy<Cuda>(0, count), f); });
}

template <class T>
double flops_a_second(const tuning::TimingParameters& timing) {
  const Index count = 4 * Index(Cuda::concurrency());
  const View<T*> results("results", count);
  return 2.0 * chains * steps * double(count) / seconds_of_launch("peak", count, timing, Multiply<T>{results.data()});
}

// Bandwidth of deep_copy in bytes per second.
template <class To, class From>
double copied(const To& to, const From& from, const tuning::TimingParameters& timing) {
  return 8.0 * double(to.size()) / tuning::median_seconds(timing, [&] { deep_copy(to, from); });
}

}  // namespace

Bandwidth measure_bandwidth(std::int64_t bytes, const tuning::TimingParameters& timing) {
  constexpr Index caches = 8;
  const Device device = current_device();
  const Index wanted = std::max(bytes / 3, caches * Index(device.l2_bytes));
  const Index can = Index(device.free_bytes.value_or(0) / 2) / 3;
  const Index blocks = std::max<Index>(1, std::min(wanted, can) / Index(sizeof(Pair)) / block);
  const Index pairs = blocks * block, count = blocks * threads;
  const View<Pair*> a(uninitialized, "a", pairs), b(uninitialized, "b", pairs), c(uninitialized, "c", pairs);
  const View<double*> sums("sums", 1);
  for (const auto& one : {a, b, c}) parallel_for("write", RangePolicy<Cuda>(0, count), Write{one.data()});
  const auto rate = [&](const char* name, int arrays, const auto& f) {
    return double(arrays) * sizeof(Pair) * double(pairs) / seconds_of_launch(name, count, timing, f);
  };
  Bandwidth w;
  w.bytes = 3 * Index(sizeof(Pair)) * pairs;
  w.read = rate("read", 1, Read{b.data(), sums.data()});
  w.write = rate("write", 1, Write{a.data()});
  w.copy = rate("copy", 2, Copy<false>{b.data(), a.data()});
  w.copy_streaming = rate("copy", 2, Copy<true>{b.data(), a.data()});
  w.triad = rate("triad", 3, Triad<false>{b.data(), c.data(), a.data()});
  w.triad_streaming = rate("triad", 3, Triad<true>{b.data(), c.data(), a.data()});
  return w;
}

PeakFlops measure_peak_flops(const tuning::TimingParameters& timing) {
  return {flops_a_second<float>(timing), flops_a_second<double>(timing)};
}

HostCopies measure_host_copies(const tuning::TimingParameters& timing) {
  constexpr Index length = Index{1} << 24;
  const View<double*> device("device", length);
  const View<double*, HostSpace, View<double*>::layout> host("host", length);
  const View<double*, CudaHostPinnedSpace, View<double*>::layout> pinned("pinned", length);
  return {8 * length, copied(device, host, timing), copied(host, device, timing), copied(device, pinned, timing),
          copied(pinned, device, timing)};
}

}  // namespace trellis::bench

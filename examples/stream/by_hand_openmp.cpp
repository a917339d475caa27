// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The yardstick on a CPU: OpenMP pragmas on plain loops, and the processor's streaming stores.
#include "examples/stream/by_hand.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace examples::stream::by_hand {

template <class T>
void copy(const T* a, T* c, long n) {
#pragma omp parallel for simd schedule(static) aligned(a, c : 64)
  for (long i = 0; i < n; ++i) c[i] = a[i];
}

template <class T>
void mul(T* b, const T* c, T scalar, long n) {
#pragma omp parallel for simd schedule(static) aligned(b, c : 64)
  for (long i = 0; i < n; ++i) b[i] = scalar * c[i];
}

template <class T>
void add(const T* a, const T* b, T* c, long n) {
#pragma omp parallel for simd schedule(static) aligned(a, b, c : 64)
  for (long i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

template <class T>
void triad(T* a, const T* b, const T* c, T scalar, long n) {
#pragma omp parallel for simd schedule(static) aligned(a, b, c : 64)
  for (long i = 0; i < n; ++i) a[i] = b[i] + scalar * c[i];
}

// In blocks, whose sums are added in double precision: a single-precision sum of 2^25 terms would lose too much.
template <class T>
T dot(const T* a, const T* b, long n) {
  constexpr long block = 8192;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long first = 0; first < n; first += block) {
    const long last = first + block < n ? first + block : n;
    T part = 0;
#pragma omp simd aligned(a, b : 64) reduction(+ : part)
    for (long i = first; i < last; ++i) part += a[i] * b[i];
    sum += double(part);
  }
  return T(sum);
}

namespace streaming {
namespace {

template <class T>
struct CacheLine {
  typedef T type __attribute__((vector_size(64), may_alias));
  static constexpr long length = 64 / sizeof(T);
};
template <class T>
using Line = typename CacheLine<T>::type;

template <class T>
inline const Line<T>& load(const T* p) {
  return *reinterpret_cast<const Line<T>*>(p);
}

template <class T, class V>
inline void store(T* p, V v) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(p), reinterpret_cast<__m512i>(v));
#elif defined(__AVX__)
  const __m256i* const half = reinterpret_cast<const __m256i*>(&v);
  _mm256_stream_si256(reinterpret_cast<__m256i*>(p), half[0]);
  _mm256_stream_si256(reinterpret_cast<__m256i*>(p) + 1, half[1]);
#else
  *reinterpret_cast<Line<T>*>(p) = v;
#endif
}

// Streaming stores are weakly ordered: a loop must order them before its threads part.
inline void store_fence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace

template <class T>
void copy(const T* a, T* c, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long i = 0; i < n; i += CacheLine<T>::length) store(c + i, load(a + i));
    store_fence();
  }
}

template <class T>
void mul(T* b, const T* c, T scalar, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long i = 0; i < n; i += CacheLine<T>::length) store(b + i, scalar * load(c + i));
    store_fence();
  }
}

template <class T>
void add(const T* a, const T* b, T* c, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long i = 0; i < n; i += CacheLine<T>::length) store(c + i, load(a + i) + load(b + i));
    store_fence();
  }
}

template <class T>
void triad(T* a, const T* b, const T* c, T scalar, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (long i = 0; i < n; i += CacheLine<T>::length) store(a + i, load(b + i) + scalar * load(c + i));
    store_fence();
  }
}

template void copy(const float*, float*, long);
template void copy(const double*, double*, long);
template void mul(float*, const float*, float, long);
template void mul(double*, const double*, double, long);
template void add(const float*, const float*, float*, long);
template void add(const double*, const double*, double*, long);
template void triad(float*, const float*, const float*, float, long);
template void triad(double*, const double*, const double*, double, long);

}  // namespace streaming

template void copy(const float*, float*, long);
template void copy(const double*, double*, long);
template void mul(float*, const float*, float, long);
template void mul(double*, const double*, double, long);
template void add(const float*, const float*, float*, long);
template void add(const double*, const double*, double*, long);
template void triad(float*, const float*, const float*, float, long);
template void triad(double*, const double*, const double*, double, long);
template float dot(const float*, const float*, long);
template double dot(const double*, const double*, long);

}  // namespace examples::stream::by_hand

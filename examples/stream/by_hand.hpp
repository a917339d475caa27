// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The same five loops without Trellis, on plain pointers: the yardstick. Implemented by by_hand_openmp.cpp or, where
// Trellis runs on CUDA, by_hand_cuda.cu. T is float or double; n is a multiple of a cache line of T; pointers are
// aligned to one.

namespace examples::stream::by_hand {

template <class T>
void copy(const T* a, T* c, long n);
template <class T>
void mul(T* b, const T* c, T scalar, long n);
template <class T>
void add(const T* a, const T* b, T* c, long n);
template <class T>
void triad(T* a, const T* b, const T* c, T scalar, long n);
template <class T>
T dot(const T* a, const T* b, long n);

// Stores bypass the caches. CPUs only.
namespace streaming {
template <class T>
void copy(const T* a, T* c, long n);
template <class T>
void mul(T* b, const T* c, T scalar, long n);
template <class T>
void add(const T* a, const T* b, T* c, long n);
template <class T>
void triad(T* a, const T* b, const T* c, T scalar, long n);
}  // namespace streaming

}  // namespace examples::stream::by_hand

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order in which group algorithms (nd_item.hpp) join values. On a host the leader of a group applies these to an
// array with the values of all work-items. GPU threads do the same among themselves (cuda/group_algorithms.cuh).
//
// Sums are made in a tree: of values 0 to 31, i adds i + 16, then i + 8, 4, 2, 1, if present. That is done in each
// sub-group, and then among the sums of sub-groups, of which there are at most 32. Scans use distances 1, 2, 4, 8, 16:
// i puts i - distance, if present, in front of its own value; first in each sub-group, then among the sums of
// sub-groups; finally each value adds the sum of the sub-groups before its own.

#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/config.hpp"

// Before a loop over sub-groups: the compiler should vectorise within them, where values lie side by side.
#if defined(__clang__) && !defined(TRELLIS_DEVICE_SOURCE)
#define TRELLIS_NO_SIMD_LOOP _Pragma("clang loop vectorize(disable)")
#else
#define TRELLIS_NO_SIMD_LOOP
#endif

namespace trellis::backend {

inline Index sub_groups_of(Index size) { return (size + sub_group_size - 1) / sub_group_size; }

template <int Half, class T, class Op>
void join_halves(T* values, const Op& op) {
  TRELLIS_INDEPENDENT_LOOP
  for (int i = 0; i < Half; ++i) values[i] = op(values[i], values[i + Half]);
}

// Sums at most 32 values; the sum is left in the first.
template <class T, class Op>
void join_tree(T* values, Index count, const Op& op) {
  if (count == sub_group_size) {
    join_halves<16>(values, op);
    join_halves<8>(values, op);
    join_halves<4>(values, op);
    join_halves<2>(values, op);
    join_halves<1>(values, op);
    return;
  }
  for (Index half = sub_group_size / 2; half > 0; half /= 2) {
    for (Index i = 0; i < half && i + half < count; ++i) values[i] = op(values[i], values[i + half]);
  }
}

// The sums of the sub-groups, one after the other.
template <class T, class Op>
void join_sub_groups(T* values, T* sums, Index size, const Op& op) {
  const Index full = size / sub_group_size;
  TRELLIS_NO_SIMD_LOOP
  for (Index s = 0; s < full; ++s) {
    join_tree(values + s * sub_group_size, sub_group_size, op);
    sums[s] = values[s * sub_group_size];
  }
  if (full * sub_group_size < size) {
    join_tree(values + full * sub_group_size, size - full * sub_group_size, op);
    sums[full] = values[full * sub_group_size];
  }
}

// The sum is left in sums[0].
template <class T, class Op>
void join_group(T* values, T* sums, Index size, const Op& op) {
  join_sub_groups(values, sums, size, op);
  join_tree(sums, sub_groups_of(size), op);
}

template <int Distance, class T, class Op>
void scan_step(const T* __restrict from, T* __restrict to, const Op& op) {
  for (int i = 0; i < Distance; ++i) to[i] = from[i];
  TRELLIS_INDEPENDENT_LOOP
  for (int i = Distance; i < sub_group_size; ++i) to[i] = op(from[i - Distance], from[i]);
}

// Turns fewer than 32 values into their inclusive prefix sums.
template <class T, class Op>
void scan_tree(const T* values, T* sums, Index count, const Op& op) {
  for (Index i = 0; i < count; ++i) sums[i] = values[i];
  for (Index distance = 1; distance < count; distance *= 2) {
    for (Index i = count - 1; i >= distance; --i) sums[i] = op(sums[i - distance], sums[i]);
  }
}

// Step by step over all complete sub-groups: a step loads only values stored long before.
template <int Distance, class T, class Op>
void scan_steps(const T* from, T* to, Index size, const Op& op) {
  TRELLIS_NO_SIMD_LOOP
  for (Index first = 0; first < size; first += sub_group_size) scan_step<Distance>(from + first, to + first, op);
}

template <class T, class Op>
void scan_sub_groups(T* values, T* sums, Index size, const Op& op) {
  const Index whole = size / sub_group_size * sub_group_size;
  scan_steps<1>(values, sums, whole, op);
  scan_steps<2>(sums, values, whole, op);
  scan_steps<4>(values, sums, whole, op);
  scan_steps<8>(sums, values, whole, op);
  scan_steps<16>(values, sums, whole, op);
  if (whole < size) scan_tree(values + whole, sums + whole, size - whole, op);
}

template <class T, class Op>
void scan_group(T* values, T* sums, Index size, const Op& op) {
  scan_sub_groups(values, sums, size, op);
  const Index groups = sub_groups_of(size);
  if (groups == 1) return;
  T* const before = values + groups;
  for (Index s = 0; s + 1 < groups; ++s) values[s] = sums[(s + 1) * sub_group_size - 1];
  scan_tree(values, before, groups - 1, op);
  for (Index s = 1; s < groups; ++s) {
    const T sum = before[s - 1];
    const Index last = (s + 1) * sub_group_size < size ? (s + 1) * sub_group_size : size;
    TRELLIS_INDEPENDENT_LOOP
    for (Index i = s * sub_group_size; i < last; ++i) sums[i] = op(sum, sums[i]);
  }
}

}  // namespace trellis::backend

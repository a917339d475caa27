// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/view.hpp"

#include "trellis/core/subview.hpp"

namespace trellis::detail {

std::string label_of(const Allocation* allocation) {
  return allocation == nullptr ? std::string("(unmanaged)") : allocation->label;
}

void throw_out_of_range(const Allocation* allocation, int r, Index at, Index extent) {
  fail("View '{}': index {} of dimension {} is outside [0, {})", label_of(allocation), at, r, extent);
}

void throw_out_of_reach(const Allocation* allocation, const char* space) {
  fail("View '{}': host code cannot access {}: use create_mirror_view and deep_copy", label_of(allocation), space);
}

void throw_not_aligned(const Allocation* allocation, const void* data) {
  fail("View '{}': its data at {} is not aligned to {} bytes, as a View with the trait Aligned must be",
       label_of(allocation), data, memory_alignment);
}

void check_extents(std::string_view label, const Index* extents, int rank, Index pad, std::size_t bytes) {
  Index total = static_cast<Index>(bytes);
  bool overflow = false;
  for (int r = 0; r < rank; ++r) {
    if (extents[r] < 0) fail("View '{}': extent {} of dimension {} is negative", label, extents[r], r);
    Index padded = extents[r];
    if (r == 0) overflow |= __builtin_add_overflow(padded, pad - 1, &padded);
    overflow |= __builtin_mul_overflow(total, padded, &total);
  }
  if (overflow) fail("View '{}': extents multiply to more than 2^63 bytes", label);
}

void check_span(std::size_t found, Index needed) {
  if (needed < 0 || found != static_cast<std::size_t>(needed)) {
    fail("View of a span: it has {} elements, the extents need {}", found, needed);
  }
}

void extents_differ(const Allocation* from, int r, Index found, Index expected) {
  fail("View '{}': extent of dimension {} is {}; the View assigned to has {}", label_of(from), r, found, expected);
}

void step_below_one(const Allocation* allocation, int r, Index step) {
  fail("subview of '{}': step {} of dimension {}; it must be at least 1", label_of(allocation), step, r);
}

void part_out_of_range(const Allocation* allocation, int r, Index begin, Index end, Index extent) {
  fail("subview of '{}': part [{}, {}) of dimension {} is outside [0, {})", label_of(allocation), begin, end, r,
       extent);
}

}  // namespace trellis::detail

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where kernels over tiles accumulate exact sums (tiles.cuh): an integer for each bin that a sum of doubles can have,
// to which warps add in any order, and a bit for each top that occurred in a term. There are several rows of both, so
// that warps rarely collide: atomics on one address are serialised. All is 0 before a kernel, and again after its sums
// have been converted to numbers.

#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/core/view.hpp"

namespace trellis::backend {

struct SumBins {
  static constexpr int rows = 32;
  static constexpr int tops = exact_sum_detail::highest_top - exact_sum_detail::lowest_top + 1;
  static constexpr int bins = tops + exact_sum_detail::bins - 1;
  static constexpr int not_finite = tops;  // the top of a term that is infinite or NaN
  static constexpr int mark_words = tops / 32 + 1;
  static constexpr int in_row = bins + (mark_words + 1) / 2;
  static constexpr int words = rows * in_row;  // per sum

  unsigned long long* first;
  unsigned* blocks;  // blocks that are done

  // A top, numbered from the lowest.
  TRELLIS_FUNCTION static int top_of(const ExactSum& sum) {
    return sum.finite() ? sum.top() - exact_sum_detail::lowest_top : not_finite;
  }
  TRELLIS_FUNCTION unsigned long long* row(int k, unsigned n) const {
    return first + k * words + int(n % rows) * in_row;
  }
  // The bins of a row below this top are at [0], [-1], ...
  TRELLIS_FUNCTION static unsigned long long* bin(unsigned long long* row, int top) {
    return row + top + exact_sum_detail::bins - 1;
  }
  // Bit top % 32 of word top / 32.
  TRELLIS_FUNCTION static unsigned* marks(unsigned long long* row) { return reinterpret_cast<unsigned*>(row + bins); }
};

// Where sums go when they are converted to numbers.
struct SumsEnd {
  double* values;  // or null: the sums are stored here instead
  ExactSum* sums;
  unsigned* done;  // set to ticket, for a host that waits; or null
  unsigned ticket;
  bool by_last_block;
  bool more = false;  // more kernels will add to the sums first
};

template <ExecutionSpace Exec>
class SumsRoom;

// Copies share the memory.
template <>
class SumsRoom<Cuda> {
 public:
  explicit SumsRoom(int count) : words_("bins of sums", Index(count) * SumBins::words + 1) {}
  SumBins bins() const {
    unsigned long long* const counter = words_.data() + words_.size() - 1;
    return {words_.data(), reinterpret_cast<unsigned*>(counter)};
  }

 private:
  View<unsigned long long*, CudaSpace> words_;  // the last one counts blocks
};

}  // namespace trellis::backend

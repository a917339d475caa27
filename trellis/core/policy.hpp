// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Policies: which indices a kernel runs over, and in which execution space.
//   RangePolicy<Exec>(begin, end)       the indices begin <= i < end, for a functor f(i)
// A policy with end <= begin is empty.

#include "trellis/core/spaces.hpp"

namespace trellis {

template <ExecutionSpace Exec = DefaultExecutionSpace>
class RangePolicy {
 public:
  using execution_space = Exec;

  RangePolicy(Index begin, Index end) : begin_(begin), end_(end) {}
  RangePolicy(const Exec& space, Index begin, Index end) : space_(space), begin_(begin), end_(end) {}

  const Exec& space() const { return space_; }
  Index begin() const { return begin_; }
  Index end() const { return end_; }

  // What a backend divides among threads: `work()` units, of which it runs any contiguous part [first, last).
  Index work() const { return end_ > begin_ ? end_ - begin_ : 0; }
  template <class F>
  void run(Index first, Index last, const F& f) const {
    const Index stop = begin_ + last;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (Index i = begin_ + first; i < stop; ++i) f(i);
  }

 private:
  [[no_unique_address]] Exec space_{};
  Index begin_;
  Index end_;
};

}  // namespace trellis

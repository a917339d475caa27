// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums whose bits do not depend on the order of their terms, hence not on threads, ranks, tiles or lanes.
//
// Every term is split over bins that are multiples of 2^(26 j), j a fixed grid (Demmel and Nguyen, "Parallel
// Reproducible Summation", IEEE Trans. Comput. 64, 2060 (2015)). The three bins at and below the largest term are
// kept and added exactly; what lies below them is dropped term by term, always at the same grid point. The relative
// error is below 2^-52 of the largest term for each term: better than a plain sum in double precision.
//
//   ExactAccumulator<S> local;             // in registers, one for each chunk of work
//   local.add(v);                          // nine additions and a comparison for all lanes
//   ExactSum total; total.add(local);      // merge; any order
//   total.value();                         // a double
//
// At most 2^26 add() between two merges, 2^37 terms a sum. A term that is infinite or not a number makes value() NaN.

#include <array>
#include <bit>
#include <cstdint>

#include "trellis/core/simd.hpp"

namespace trellis {

namespace exact_sum_detail {
inline constexpr int bin_bits = 26;
inline constexpr int bins = 3;
inline constexpr int lowest_top = -37;  // 2^(26 * -37): all finite sums of doubles above 1e-271 are exact in this sense
inline constexpr int highest_top = 36;

// 2^e for a normal e.
TRELLIS_INLINE double power_of_two(int e) { return std::bit_cast<double>(std::int64_t(e + 1023) << 52); }
// Adding and subtracting this rounds to a multiple of 2^(26 j).
TRELLIS_INLINE double rounder(int j) { return 1.5 * power_of_two(52 + bin_bits * j); }
// Terms up to this size fit under top bin j. It is half a unit of bin j + 1: a larger term would leave one unit there
// under a higher top, and nothing once the top has risen.
TRELLIS_INLINE double limit(int j) { return power_of_two(bin_bits * (j + 1) - 1); }
}  // namespace exact_sum_detail

template <class S>
class ExactAccumulator;

class ExactSum {
 public:
  template <class S>
  void add(const ExactAccumulator<S>& local);
  void add(double term);
  void add(const ExactSum& other);
  double value() const;
  bool operator==(const ExactSum&) const = default;

 private:
  void raise(int top);

  int top_ = exact_sum_detail::lowest_top;
  bool finite_ = true;
  std::array<std::int64_t, exact_sum_detail::bins> bin_{};  // in units of 2^(26 (top - k))
};

// S is a lane type over double.
template <class S>
class ExactAccumulator {
 public:
  TRELLIS_INLINE void add(const S& term) {
    if (!all(abs(term) <= S(limit_))) [[unlikely]]
      raise(term);
    if (!finite_) [[unlikely]]
      return;
    S rest = term;
    for (int k = 0; k < exact_sum_detail::bins; ++k) {
      const S part = (rest + S(rounder_[k])) - S(rounder_[k]);
      bin_[k] = bin_[k] + part;
      rest = rest - part;
    }
  }

 private:
  friend class ExactSum;

  [[gnu::noinline]] void raise(const S& term) {
    double largest = 0;
    for (int l = 0; l < lane_count<S>; ++l) {
      const double size = std::abs(double(lane(term, l)));
      if (!(size <= exact_sum_detail::limit(exact_sum_detail::highest_top))) finite_ = false;
      if (size > largest) largest = size;
    }
    if (!finite_) return;
    while (largest > exact_sum_detail::limit(top_)) {
      bin_[2] = bin_[1];
      bin_[1] = bin_[0];
      bin_[0] = S(0.0);
      ++top_;
    }
    set_top();
  }
  void set_top() {
    limit_ = exact_sum_detail::limit(top_);
    for (int k = 0; k < exact_sum_detail::bins; ++k) rounder_[k] = exact_sum_detail::rounder(top_ - k);
  }

  int top_ = exact_sum_detail::lowest_top;
  bool finite_ = true;
  double limit_ = exact_sum_detail::limit(exact_sum_detail::lowest_top);
  double rounder_[exact_sum_detail::bins] = {exact_sum_detail::rounder(exact_sum_detail::lowest_top),
                                             exact_sum_detail::rounder(exact_sum_detail::lowest_top - 1),
                                             exact_sum_detail::rounder(exact_sum_detail::lowest_top - 2)};
  S bin_[exact_sum_detail::bins] = {S(0.0), S(0.0), S(0.0)};
};

template <class S>
void ExactSum::add(const ExactAccumulator<S>& local) {
  using namespace exact_sum_detail;
  finite_ = finite_ && local.finite_;
  if (!finite_) return;
  raise(local.top_);
  for (int k = 0; k < bins; ++k) {
    const int here = k + (top_ - local.top_);
    if (here >= bins) break;
    const double unit = power_of_two(-bin_bits * (local.top_ - k));
    for (int l = 0; l < lane_count<S>; ++l) bin_[here] += std::int64_t(lane(local.bin_[k], l) * unit);
  }
}

}  // namespace trellis

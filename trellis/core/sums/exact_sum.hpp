// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums whose bits do not depend on the order of their terms, hence not on threads, ranks, tiles or lanes.
//
// Every term is split over bins that are multiples of 2^(26 j), j on a fixed grid (Demmel and Nguyen, "Parallel
// Reproducible Summation", IEEE Trans. Comput. 64, 2060 (2015)). The three bins at and below the largest term are kept
// and added exactly; the remainder below them is dropped term by term, always at the same grid point. The relative
// error is below 2^-52 of the largest term for each term: better than a plain sum in double precision.
//
//   ExactAccumulator<S> local;             // in registers, one for each chunk of work
//   local.add(v);                          // nine additions and a comparison for all lanes
//   ExactSum total; total.add(local);      // merge; any order
//   total.value();                         // a double
//
// At most 2^26 calls of add() between two merges, and 2^37 terms per sum. If a term is infinite or NaN, so is value():
// NaN.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

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
// Terms up to this size fit under top bin j. It is half a unit of bin j + 1: a larger term would count one unit there
// if the top was higher, but none once the top has risen.
TRELLIS_INLINE double limit(int j) { return power_of_two(bin_bits * (j + 1) - 1); }
// The lowest j whose limit is not below a finite size: for 2^(c - 1) < size <= 2^c, the floor of c / 26.
TRELLIS_INLINE int top_for(double size) {
  constexpr int above = 64;  // makes the dividend positive
  const auto bits = std::bit_cast<std::int64_t>(size);
  const int c = static_cast<int>(bits >> 52) - 1023 + ((bits & ((std::int64_t{1} << 52) - 1)) != 0 ? 1 : 0);
  return (c + above * bin_bits) / bin_bits - above;
}
}  // namespace exact_sum_detail

template <class S>
class ExactAccumulator;

class ExactSum {
 public:
  ExactSum() = default;
  // From bins in their own units: bin k in units of 2^(26 (top - k)).
  TRELLIS_FUNCTION ExactSum(int top, bool finite, const std::int64_t (&bins)[exact_sum_detail::bins])
      : top_(top), finite_(finite), bin_{bins[0], bins[1], bins[2]} {}
  // From bins that are multiples of their units, as in an accumulator, each less than 2^51 units. After adding a number
  // that large to a bin, the low bits of the sum are the integer.
  TRELLIS_FUNCTION ExactSum(int top, bool finite, const double (&bins)[exact_sum_detail::bins])
      : top_(top), finite_(finite) {
    for (int k = 0; k < exact_sum_detail::bins; ++k) {
      const double rounder = exact_sum_detail::rounder(top - k);
      bin_[k] = std::bit_cast<std::int64_t>(bins[k] + rounder) - std::bit_cast<std::int64_t>(rounder);
    }
  }
  TRELLIS_FUNCTION int top() const { return top_; }
  TRELLIS_FUNCTION bool finite() const { return finite_; }
  TRELLIS_FUNCTION std::int64_t bin(int k) const { return bin_[k]; }
  template <class S>
  TRELLIS_FUNCTION void add(const ExactAccumulator<S>& local);
  void add(double term);
  TRELLIS_FUNCTION void add(const ExactSum& other) {
    finite_ = finite_ && other.finite_;
    if (!finite_) return;
    raise(other.top_);
    for (int k = 0; k + (top_ - other.top_) < exact_sum_detail::bins; ++k)
      bin_[k + (top_ - other.top_)] += other.bin_[k];
  }
  TRELLIS_FUNCTION double value() const {
    if (!finite_) return std::numeric_limits<double>::quiet_NaN();
    // Carries go up until the two lower bins are within [0, 2^52) together: they and the highest bin are exact as
    // doubles, so the sum is rounded once.
    using namespace exact_sum_detail;
    const std::int64_t middle = bin_[1] + (bin_[2] >> bin_bits), mask = (std::int64_t{1} << bin_bits) - 1;
    const auto high = double(bin_[0] + (middle >> bin_bits));
    const auto low = double((middle & mask) << bin_bits | (bin_[2] & mask));
    return (high * power_of_two(2 * bin_bits) + low) * power_of_two(bin_bits * (top_ - 2));
  }
  bool operator==(const ExactSum&) const = default;

 private:
  TRELLIS_FUNCTION void raise(int top) {
    while (top_ < top) {
      bin_[2] = bin_[1];
      bin_[1] = bin_[0];
      bin_[0] = 0;
      ++top_;
    }
  }

  int top_ = exact_sum_detail::lowest_top;
  bool finite_ = true;
  std::int64_t bin_[exact_sum_detail::bins] = {};  // in units of 2^(26 (top - k))
};

// S is a lane type over double.
template <class S>
class ExactAccumulator {
 public:
  TRELLIS_FUNCTION ExactAccumulator() { constants_.set(top_); }
  TRELLIS_INLINE void add(const S& term) {
    if (!all(abs(term) <= S(constants_.limit(top_)))) [[unlikely]]
      raise(term);
    if (!finite_) [[unlikely]]
      return;
    S rest = term;
    for (int k = 0; k < exact_sum_detail::bins; ++k) {
      const S rounder(constants_.rounder(top_, k)), part = (rest + rounder) - rounder;
      bin_[k] = bin_[k] + part;
      rest = rest - part;
    }
  }

  // For the thread's own lane, where lanes are threads.
  TRELLIS_INLINE ExactSum own_sum() const
    requires(simd_detail::is_own_lane<S>)
  {
    const double own[] = {lane(bin_[0], 0), lane(bin_[1], 0), lane(bin_[2], 0)};
    return ExactSum(top_, finite_, own);
  }

 private:
  friend class ExactSum;

  TRELLIS_HOST_CALL void raise(const S& term) {
    double largest = 0;
    for (const int l : own_lanes<S>()) {
      const double size = std::fabs(double(lane(term, l)));
      if (!(size <= exact_sum_detail::limit(exact_sum_detail::highest_top))) finite_ = false;
      if (size > largest) largest = size;
    }
    if (!finite_) return;
    const int top = exact_sum_detail::top_for(largest);
    for (int k = 0; k < exact_sum_detail::bins && top_ + k < top; ++k) {
      bin_[2] = bin_[1];
      bin_[1] = bin_[0];
      bin_[0] = S(0.0);
    }
    if (top > top_) top_ = top;
    constants_.set(top_);
  }

  // What add() needs to know of a top: stored if the lanes of a register share it, recomputed if each thread has its
  // own.
  struct Kept {
    double of_top, of_bins[exact_sum_detail::bins];
    TRELLIS_FUNCTION void set(int top) {
      of_top = exact_sum_detail::limit(top);
      for (int k = 0; k < exact_sum_detail::bins; ++k) of_bins[k] = exact_sum_detail::rounder(top - k);
    }
    TRELLIS_INLINE double limit(int) const { return of_top; }
    TRELLIS_INLINE double rounder(int, int k) const { return of_bins[k]; }
  };
  struct Made {
    TRELLIS_FUNCTION void set(int) {}
    TRELLIS_INLINE double limit(int top) const { return exact_sum_detail::limit(top); }
    TRELLIS_INLINE double rounder(int top, int k) const { return exact_sum_detail::rounder(top - k); }
  };

  int top_ = exact_sum_detail::lowest_top;
  bool finite_ = true;
  std::conditional_t<simd_detail::is_own_lane<S>, Made, Kept> constants_;
  S bin_[exact_sum_detail::bins] = {S(0.0), S(0.0), S(0.0)};
};

template <class S>
TRELLIS_FUNCTION void ExactSum::add(const ExactAccumulator<S>& local) {
  using namespace exact_sum_detail;
  finite_ = finite_ && local.finite_;
  if (!finite_) return;
  raise(local.top_);
  for (int k = 0; k < bins; ++k) {
    const int here = k + (top_ - local.top_);
    if (here >= bins) break;
    const double unit = power_of_two(-bin_bits * (local.top_ - k));
    for (const int l : own_lanes<S>()) bin_[here] += std::int64_t(lane(local.bin_[k], l) * unit);
  }
}

}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/exact_sum.hpp"

#include <cmath>
#include <limits>

namespace trellis {

using namespace exact_sum_detail;

void ExactSum::raise(int top) {
  while (top_ < top) {
    bin_[2] = bin_[1];
    bin_[1] = bin_[0];
    bin_[0] = 0;
    ++top_;
  }
}

void ExactSum::add(double term) {
  ExactAccumulator<double> local;
  local.add(term);
  add(local);
}

void ExactSum::add(const ExactSum& other) {
  finite_ = finite_ && other.finite_;
  if (!finite_) return;
  raise(other.top_);
  for (int k = 0; k + (top_ - other.top_) < bins; ++k) bin_[k + (top_ - other.top_)] += other.bin_[k];
}

double ExactSum::value() const {
  if (!finite_) return std::numeric_limits<double>::quiet_NaN();
  // The bins add up to an integer of at most 63 + 52 bits: exact in 128, rounded once.
  __extension__ using Wide = __int128;
  const Wide total = (Wide(bin_[0]) << (2 * bin_bits)) + (Wide(bin_[1]) << bin_bits) + bin_[2];
  return std::ldexp(double(total), bin_bits * (top_ - 2));
}

}  // namespace trellis

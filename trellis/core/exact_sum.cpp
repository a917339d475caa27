// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/exact_sum.hpp"

#include <cmath>
#include <limits>

namespace trellis {

using namespace exact_sum_detail;

void ExactSum::add(double term) {
  ExactAccumulator<double> local;
  local.add(term);
  add(local);
}

double ExactSum::value() const {
  if (!finite_) return std::numeric_limits<double>::quiet_NaN();
  // The bins add up to an integer of at most 63 + 52 bits: exact in 128, rounded once.
  __extension__ using Wide = __int128;
  const Wide total = (Wide(bin_[0]) << (2 * bin_bits)) + (Wide(bin_[1]) << bin_bits) + bin_[2];
  return std::ldexp(double(total), bin_bits * (top_ - 2));
}

}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/largest_number.hpp"

#include "trellis/core/parallel.hpp"

namespace trellis::gauge {

double largest_number(const double* numbers, Index count) {
  double largest = 0;
  parallel_reduce(
      {"largest number", 8.0 * double(count)}, RangePolicy<FieldSpace>(0, count),
      TRELLIS_KERNEL(Index n, double& most) { most = most < numbers[n] ? numbers[n] : most; }, largest, Max<double>());
  return largest;
}

}  // namespace trellis::gauge

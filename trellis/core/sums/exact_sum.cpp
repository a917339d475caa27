// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/sums/exact_sum.hpp"

namespace trellis {

using namespace exact_sum_detail;

void ExactSum::add(double term) {
  ExactAccumulator<double> local;
  local.add(term);
  add(local);
}

}  // namespace trellis

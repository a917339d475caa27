// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/mixed_precision_cg.hpp"

namespace trellis::solver::detail {

bool UpdateHistory::update(double rr, double thought) {
  const bool first = best == std::numeric_limits<double>::infinity();
  failures = first || rr <= 4 * thought || rr <= 0.25 * best ? 0 : failures + 1;
  best = std::min(best, rr);
  return failures < most_failures || std::isnan(rr);  // iterate() throws for what is not a number
}

}  // namespace trellis::solver::detail

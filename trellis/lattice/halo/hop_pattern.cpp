// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/hop_pattern.hpp"

#include "trellis/core/error.hpp"

namespace trellis {

void require_hops(const HopPattern& pattern, int deepest) {
  if (pattern.count < 1 || pattern.count > HopPattern::most_hops)
    fail_input("a pattern of {} hops; it must have 1 to {}", pattern.count, HopPattern::most_hops);
  for (const auto& [step, distance] : pattern.all()) {
    if (step < 0 || step > 7) fail_input("a hop in direction {}; directions are 0 to 7", step);
    if (distance < 1 || distance > most_reach)
      fail_input("a hop of {} steps; it must have 1 to {}", distance, most_reach);
  }
  if (pattern.reach() > deepest)
    fail_input("hops of {} steps on a lattice whose vectors have ghosts {} deep", pattern.reach(), deepest);
}

int parity_after(const HopPattern& pattern, int parity) {
  if (pattern.changes_parity() && pattern.keeps_parity())
    fail_input("hops of odd and of even length lead to both parities: vectors of one parity do not have all of them");
  return pattern.changes_parity() ? 1 - parity : parity;
}

}  // namespace trellis

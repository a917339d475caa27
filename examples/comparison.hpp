// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two versions of the same work, timed in turn in one process, so that both see the same neighbours on a shared
// machine.
//   const Comparison c = compare(repetitions, [&] { portable(); }, [&] { by_hand(); });
//   c.trellis, c.by_hand            median seconds per call; one warm-up call of each is not counted
//   c.fraction()                    the speed of Trellis relative to by_hand: the median of the ratios of
//                                   consecutive calls

#include <algorithm>
#include <vector>

#include "trellis/core/stopwatch.hpp"

namespace examples {

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

struct Comparison {
  double trellis = 0, by_hand = 0;
  std::vector<double> ratios;  // by_hand / trellis in each round
  double fraction() const { return median(ratios); }
};

template <class Trellis, class ByHand>
Comparison compare(int repetitions, const Trellis& trellis_version, const ByHand& by_hand) {
  trellis_version();
  by_hand();
  trellis::fence();
  std::vector<double> ours, theirs;
  Comparison result;
  for (int turn = 0; turn < repetitions; ++turn) {
    double one = 0, other = 0;
    // Each goes first in half of the rounds.
    if (turn % 2 == 0) trellis::timed(one, trellis_version);
    trellis::timed(other, by_hand);
    if (turn % 2 != 0) trellis::timed(one, trellis_version);
    ours.push_back(one);
    theirs.push_back(other);
    result.ratios.push_back(other / one);
  }
  result.trellis = median(ours);
  result.by_hand = median(theirs);
  return result;
}

}  // namespace examples

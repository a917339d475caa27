// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// An exact sum as words that can be sent between ranks.

#include <cstdint>

#include "trellis/core/sums/exact_sum.hpp"

namespace trellis::comm::detail {

inline constexpr int exact_words = 5;

inline void pack(const ExactSum& sum, std::uint64_t* words) {
  words[0] = static_cast<std::uint64_t>(std::int64_t(sum.top()));
  words[1] = sum.finite() ? 1 : 0;
  for (int k = 0; k < 3; ++k) words[2 + k] = static_cast<std::uint64_t>(sum.bin(k));
}

inline ExactSum unpack(const std::uint64_t* words) {
  const std::int64_t bins[3] = {static_cast<std::int64_t>(words[2]), static_cast<std::int64_t>(words[3]),
                                static_cast<std::int64_t>(words[4])};
  return {int(static_cast<std::int64_t>(words[0])), words[1] != 0, bins};
}

}  // namespace trellis::comm::detail

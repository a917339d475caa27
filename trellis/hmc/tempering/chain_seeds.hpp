// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Seeds of chains that belong together, replicas for instance: number 0 has the seed itself, so that it draws the
// numbers of a chain alone; the others have numbers below 2^63 that follow from it.

#include <cstdint>

#include "trellis/core/random.hpp"

namespace trellis::hmc {

inline constexpr RandomPurpose chain_seeds_purpose{31};

inline std::uint64_t seed_of_chain(std::uint64_t seed, std::uint32_t number) {
  if (number == 0) return seed;
  const auto words = RandomStream{seed, 0, chain_seeds_purpose}.words(number, 0);
  return ((std::uint64_t(words[0]) << 32) | words[1]) >> 1;
}

}  // namespace trellis::hmc

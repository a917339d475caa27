// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/fingerprint.hpp"

#include <cstring>

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/halo/dry_exchanges.hpp"

namespace trellis {

namespace {

TRELLIS_INLINE std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

TRELLIS_INLINE std::uint64_t sum_of_words(const char* data, Index begin, Index end) {
  std::uint64_t sum = 0;
  for (Index n = begin; n < end; ++n) {
    std::uint64_t word;
    memcpy(&word, data + 8 * n, 8);
    sum += mix(word + std::uint64_t(n) * 0x9e3779b97f4a7c15);
  }
  return sum;
}

}  // namespace

template <class T, int W>
std::uint64_t fingerprint(const GaugeField<T, W>& u) {
  constexpr Index chunk = fields_on_host ? 4096 : 1;
  const char* data = reinterpret_cast<const char*>(u.access().data);
  const Index words = u.lattice().places() * 72 * Index(sizeof(T)) / 8;
  std::uint64_t total = 0;
  parallel_reduce(
      {"fingerprint", bytes_of(u)}, RangePolicy<FieldSpace>(0, (words + chunk - 1) / chunk),
      TRELLIS_KERNEL(Index c, std::uint64_t& sum) {
        const Index end = (c + 1) * chunk;
        sum += sum_of_words(data, c * chunk, end < words ? end : words);
      },
      total);
  if (const auto* const dry = dry_exchanges()) return dry->content(data);
  u.lattice().ranks().sum("fingerprint", {&total, 1});
  return total;
}

#define TRELLIS_INSTANTIATE(T, W) template std::uint64_t fingerprint<T, W>(const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis

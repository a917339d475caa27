// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/fingerprint.hpp"

#include <cstring>

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/followed_fingerprint.hpp"
#include "trellis/lattice/halo/dry_exchanges.hpp"

namespace trellis {

namespace {

TRELLIS_INLINE std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Of the pairs of words that begin at first, first + 2, ...; the last word may have no partner. A loop that compilers
// turn into one over registers.
TRELLIS_INLINE std::uint64_t sum_of_pairs(const char* data, Index first, Index last) {
  const auto term = [](std::uint64_t one, std::uint64_t other, Index n) {
    return mix(one + other * 0xd6e8feb86659fd93 + std::uint64_t(n) * 0x9e3779b97f4a7c15);
  };
  const Index paired = first + (last - first) / 2 * 2;
  std::uint64_t sum = 0;
  for (Index n = first; n < paired; n += 2) {
    alignas(16) std::uint64_t pair[2];
    if constexpr (fields_on_host) {  // GCC makes no registers of one copy
      memcpy(&pair[0], data + 8 * n, 8);
      memcpy(&pair[1], data + 8 * n + 8, 8);
    } else {
      memcpy(pair, __builtin_assume_aligned(data + 8 * n, 16), 16);
    }
    sum += term(pair[0], pair[1], n);
  }
  if (paired < last) {
    std::uint64_t alone = 0;
    memcpy(&alone, data + 8 * paired, 8);
    sum += term(alone, 0, paired);
  }
  return sum;
}

// The sum over the words first to last - 1.
std::uint64_t sum_in_parallel(const char* data, Index first, Index last, double bytes) {
  constexpr Index chunk = fields_on_host ? 4096 : 2;
  std::uint64_t total = 0;
  parallel_reduce(
      {"fingerprint", bytes}, RangePolicy<FieldSpace>(0, (last - first + chunk - 1) / chunk),
      TRELLIS_KERNEL(Index c, std::uint64_t& sum) {
        const Index begin = first + c * chunk, end = begin + chunk;
        sum += sum_of_pairs(data, begin, end < last ? end : last);
      },
      total);
  return total;
}

}  // namespace

std::uint64_t FingerprintChanges::before(int tile) {
  if (tile >= tiles_) return 0;  // of another lattice
  return sum_of_pairs(static_cast<const char*>(data_), Index(tile) * words_, Index(tile + 1) * words_);
}

void FingerprintChanges::after(int tile, std::uint64_t found_before) {
  const std::uint64_t change = before(tile) - found_before;
  parts_[std::size_t(tile) % parts_.size()].sum.fetch_add(change, std::memory_order_relaxed);
}

std::uint64_t FingerprintChanges::take() {
  std::uint64_t sum = 0;
  for (auto& part : parts_) sum += part.sum.exchange(0);
  return sum;
}

std::optional<WatchingTiles> FingerprintChanges::watch(const void* data, int words_a_tile, Index tiles) {
  if (!fields_on_host) return std::nullopt;
  data_ = data;
  words_ = words_a_tile;
  tiles_ = tiles;
  return std::optional<WatchingTiles>(std::in_place, *this);
}

template <class T, int W>
std::uint64_t rank_fingerprint(const GaugeField<T, W>& u) {
  return sum_in_parallel(reinterpret_cast<const char*>(u.access().data), 0,
                         u.lattice().places() * 72 * Index(sizeof(T)) / 8, bytes_of(u));
}

template <class T, int W>
std::uint64_t ghost_fingerprint(const GaugeField<T, W>& u) {
  const Lattice& lattice = u.lattice();
  const Index tile = 72 * W * Index(sizeof(T)) / 8, half = lattice.tiles() / 2;
  const Index odd = lattice.own_tile(int(half)), all = lattice.places() / W;  // those of even sites come first
  const char* data = reinterpret_cast<const char*>(u.access().data);
  std::uint64_t total = 0;
  for (const auto& [first, last] : {std::pair(half, odd), std::pair(odd + half, all)})
    if (last > first) total += sum_in_parallel(data, first * tile, last * tile, 8.0 * double((last - first) * tile));
  return total;
}

template <class T, int W>
std::uint64_t rank_fingerprint(const AlgebraField<T, W>& p) {
  const Lattice& lattice = p.lattice();
  const Index tile = 32 * W * Index(sizeof(T)) / 8, half = lattice.tiles() / 2;
  const char* data = reinterpret_cast<const char*>(p.access().data);
  std::uint64_t total = 0;
  for (const Index first : {Index(0), Index(lattice.own_tile(int(half)))})
    total += sum_in_parallel(data, first * tile, (first + half) * tile, bytes_of(p) / 2);
  return total;
}

template <class T, int W>
std::uint64_t rank_fingerprint(const ColourVectorField<T, W>& x) {
  return sum_in_parallel(reinterpret_cast<const char*>(x.view().data()), 0,
                         Index(x.tiles()) * x.count() * 6 * W * Index(sizeof(T)) / 8, bytes_of(x));
}

template <class T, int W>
std::uint64_t fingerprint(const GaugeField<T, W>& u) {
  std::uint64_t total = rank_fingerprint(u);
  if (const auto* const dry = dry_exchanges()) return dry->content(reinterpret_cast<const char*>(u.access().data));
  u.lattice().ranks().sum("fingerprint", {&total, 1});
  return total;
}

#define TRELLIS_INSTANTIATE(T, W)                                           \
  template std::uint64_t fingerprint<T, W>(const GaugeField<T, W>&);        \
  template std::uint64_t ghost_fingerprint<T, W>(const GaugeField<T, W>&);  \
  template std::uint64_t rank_fingerprint<T, W>(const GaugeField<T, W>&);   \
  template std::uint64_t rank_fingerprint<T, W>(const AlgebraField<T, W>&); \
  template std::uint64_t rank_fingerprint<T, W>(const ColourVectorField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis

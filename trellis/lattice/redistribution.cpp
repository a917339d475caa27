// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/redistribution.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis {

namespace {

constexpr int numbers_a_site = 72;

// The sites of a rank, in their order within its block.
struct BlockOfRank {
  Coordinate size{}, origin{}, extents{};

  std::int64_t sites() const { return std::int64_t(extents[0]) * extents[1] * extents[2] * extents[3]; }
  // The place of a site of the lattice in the block; -1 if it is not there.
  TRELLIS_INLINE std::int64_t place(std::int64_t site) const {
    std::int64_t number = 0, stride = 1;
    for (int mu = 0; mu < 4; ++mu) {
      const int x = static_cast<int>(site % size[mu]) - origin[mu];
      if (x < 0 || x >= extents[mu]) return -1;
      number += stride * x;
      stride *= extents[mu];
      site /= size[mu];
    }
    return number;
  }
};

// This rank's sites, by a number from 0 to the local volume: their places in memory, and their numbers on the lattice.
template <int W>
struct OwnSites {
  Index half, ghosts;
  TileSites sites;

  explicit OwnSites(const Lattice& lattice)
      : half(lattice.tiles() / 2), ghosts(lattice.own_tile(int(half)) - half), sites(lattice.tile_sites()) {}
  TRELLIS_INLINE Index tile(Index n) const { return n / W < half ? n / W : n / W + ghosts; }
  TRELLIS_INLINE Index place(Index n) const { return tile(n) * W + n % W; }
  TRELLIS_INLINE std::int64_t site(Index n) const { return sites(static_cast<int>(tile(n)))[static_cast<int>(n % W)]; }
};

template <class T, int W>
void pack(const GaugeField<T, W>& from, const BlockOfRank& block, T* to) {
  const auto links = from.view();
  const OwnSites<W> own(from.lattice());
  parallel_for(
      "pack links", RangePolicy<FieldSpace>(0, from.lattice().local_volume()), TRELLIS_KERNEL(Index n) {
        T* const out = to + numbers_a_site * block.place(own.site(n));
        for (int c = 0; c < numbers_a_site; ++c) out[c] = links(own.place(n), c / 18, c % 18 / 6, c % 6 / 2, c % 2);
      });
}

template <class T, int W>
void unpack(const T* from, const BlockOfRank& block, const GaugeField<T, W>& to) {
  const auto links = to.view();
  const OwnSites<W> own(to.lattice());
  parallel_for(
      "unpack links", RangePolicy<FieldSpace>(0, to.lattice().local_volume()), TRELLIS_KERNEL(Index n) {
        const std::int64_t number = block.place(own.site(n));
        if (number < 0) return;
        const T* const in = from + numbers_a_site * number;
        for (int c = 0; c < numbers_a_site; ++c) links(own.place(n), c / 18, c % 18 / 6, c % 6 / 2, c % 2) = in[c];
      });
}

}  // namespace

template <class T, int W>
void redistribute(const comm::Communicator& all, int first, int count, const GaugeField<T, W>& from,
                  const GaugeField<T, W>& to) {
  for (int rank = first; rank < first + count; ++rank) {
    BlockOfRank block;
    if (all.rank() == rank) block = {from.lattice().size(), from.lattice().origin(), from.lattice().local_size()};
    all.broadcast("whose links come", std::as_writable_bytes(std::span(&block, 1)), rank);
    if (to.is_allocated() && to.lattice().size() != block.size)
      fail("links of a lattice of {} cannot be taken by one of {}", to_string(block.size),
           to_string(to.lattice().size()));
    const FieldView<T*> numbers("links of a rank", numbers_a_site * block.sites());
    if (all.rank() == rank) pack(from, block, numbers.data());
    const auto on_host = create_mirror_view(HostSpace{}, numbers);
    if (all.rank() == rank) deep_copy(on_host, numbers);
    all.broadcast("links of a rank", std::as_writable_bytes(std::span(on_host.data(), std::size_t(numbers.size()))),
                  rank);
    if (!to.is_allocated()) continue;
    deep_copy(numbers, on_host);
    unpack(numbers.data(), block, to);
  }
  if (to.is_allocated()) to.exchange(Reach::corners);
}

#define TRELLIS_INSTANTIATE(W)                                                                             \
  template void redistribute<double, W>(const comm::Communicator&, int, int, const GaugeField<double, W>&, \
                                        const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis

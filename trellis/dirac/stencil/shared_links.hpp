// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links of the sites that a warp works on where vectors lie side by side: the threads of a warp load and complete
// each of them once, into memory that they share, instead of each thread those of its site: 32 links at a time, which
// are all of four sites or half of those of eight. Elsewhere a thread is alone, and the memory its own.

#include "trellis/core/backend/thread.hpp"
#include "trellis/core/simd.hpp"
#include "trellis/lattice/halo/halo.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::dirac::stencil {

// True if `batches` threads per site fill whole warps in every kernel over tiles of this parity: over all of them, or,
// where there are ghosts, over those inside and over those at the surface. A warp then holds at most eight sites. In
// sums a thread keeps to its batch, and a warp must hold whole sites.
inline bool links_are_shared(const Lattice& lattice, const HopPattern& pattern, int parity, int batches, bool in_sums) {
  if (batches < 4) return false;
  if constexpr (fields_on_host) return true;  // there for tests, and threads are alone
  const auto fill_warps = [&](int tiles) {
    return in_sums ? 32 % batches == 0 && tiles % (32 / batches) == 0 : std::int64_t(tiles) * batches % 32 == 0;
  };
  return fill_warps(lattice.tiles() / 2) &&
         (!lattice.has_ghosts() ||
          fill_warps(lattice.halo().tiles(pattern).inside(parity).count));  // the others do as well then
}

// C: a complex number. A site has `Hops` hops, a block at most this many threads.
template <class C, int Hops = 8, int Threads = 128>
struct SharedLinks {
  static constexpr int pad = int(16 / sizeof(C));  // sites in different banks
  static constexpr int room = 9 * 32 + 8 * pad;    // of a warp
  using Room = C[9 * Hops];                        // of a thread that is alone

  // Eight hops of a site are filled at once where warps hold four whole sites at most, else four.
  TRELLIS_INLINE static bool in_halves(int batches) { return batches < 8 || 32 % batches != 0; }

  // Fills the matrices of hops first .. first + 3, or of eight, of this tile, which a thread does batch `batch` of.
  // That of hop k then begins, rows one after another, 9 k numbers from what is returned, until the next call. All
  // threads of the warp call it, those of a site side by side; sites that follow one another may have any tiles.
  // load(tile, hop, e) gives one matrix. `own`: where no memory is shared.
  template <class Load>
  TRELLIS_INLINE static const C* fill(int tile, [[maybe_unused]] int batch, int batches, int first, const Load& load,
                                      [[maybe_unused]] Room& own) {
    const int at_once = in_halves(batches) ? 4 : 8;
    if constexpr (backend::in_warp) {
      C* const memory = backend::memory_of_warp<C, room, Threads>();
      // Where this site's threads start, how many sites of the warp are before it, and where the first of them starts:
      // both may do so in the warp before.
      const int lane = backend::lane_in_warp(), start = lane - batch;
      const int before = (start + batches - 1) / batches, origin = start - before * batches;
      const int sites = (31 - origin) / batches + 1, apart = 9 * at_once + pad;
      const int site = lane / at_once, hop = lane % at_once;
      const int source = origin + site * batches;
      const int tile_of_site = backend::of_lane(tile, source < 0 ? 0 : source);
      backend::wait_for_warp();
      if (site < sites) {
        C e[9];
        load(tile_of_site, first + hop, e);
        C* const to = memory + site * apart + 9 * hop;
        for (int k = 0; k < 9; ++k) to[k] = e[k];
      }
      backend::wait_for_warp();
      return memory + before * apart - 9 * first;
    } else {
      for (int hop = first; hop < first + at_once; ++hop) {
        C e[9];
        load(tile, hop, e);
        for (int k = 0; k < 9; ++k) own[9 * hop + k] = e[k];
      }
      return own;
    }
  }
};

}  // namespace trellis::dirac::stencil

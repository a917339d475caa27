// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links shared by a warp, where vectors lie side by side: its threads load and complete each link once, into shared
// memory, instead of each thread loading those of its own site. 32 links at a time: all those of four sites, or half of
// those of eight. On a host a thread is alone, and has memory of its own.

#include "trellis/core/backend/thread.hpp"
#include "trellis/core/simd.hpp"
#include "trellis/lattice/halo/halo.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::dirac::stencil {

// True if `batches` threads per site fill complete warps in every kernel over tiles of this parity (over all tiles or,
// if there are ghosts, over the inner ones and over those at the surface). A warp then holds at most eight sites. In
// sums a thread keeps to its batch, and sites may not be split between warps.
inline bool links_are_shared(const Lattice& lattice, const HopPattern& pattern, int parity, int batches, bool in_sums) {
  if (batches < 4) return false;
  if constexpr (fields_on_host) return true;  // for tests; threads are alone
  const auto fill_warps = [&](int tiles) {
    return in_sums ? 32 % batches == 0 && tiles % (32 / batches) == 0 : std::int64_t(tiles) * batches % 32 == 0;
  };
  return fill_warps(lattice.tiles() / 2) &&
         (!lattice.has_ghosts() ||
          fill_warps(lattice.halo().tiles(pattern).inside(parity).count));  // then so do the others
}

// C: a complex number. A site has `Hops` hops, a block at most `Threads` threads.
template <class C, int Hops = 8, int Threads = 128>
struct SharedLinks {
  static constexpr int pad = int(16 / sizeof(C));  // puts sites in different banks
  static constexpr int room = 9 * 32 + 8 * pad;    // per warp
  using Room = C[9 * Hops];                        // of a thread that is alone

  // Fill eight hops of a site at once if a warp holds at most four sites and none is split, else four.
  TRELLIS_INLINE static bool in_halves(int batches) { return batches < 8 || 32 % batches != 0; }

  // Fills the matrices of hops first .. first + 3 (or + 7) of this tile; this thread works on batch `batch` of it. The
  // matrix of hop k then starts 9 k numbers after the returned pointer, row by row, and is valid until the next call.
  // All threads of the warp must call it, those of a site side by side; consecutive sites may have any tiles.
  // load(tile, hop, e) gives one matrix. `own`: used where memory is not shared.
  template <class Load>
  TRELLIS_INLINE static const C* fill(int tile, [[maybe_unused]] int batch, int batches, int first, const Load& load,
                                      [[maybe_unused]] Room& own) {
    const int at_once = in_halves(batches) ? 4 : 8;
    if constexpr (backend::in_warp) {
      C* const memory = backend::memory_of_warp<C, room, Threads>();
      // The lane where this site's threads start, the number of sites before it in the warp, and the lane where the
      // first of those starts. The first two lanes may lie in the previous warp (negative).
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

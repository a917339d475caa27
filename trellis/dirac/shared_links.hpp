// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links of the sites that a warp works on where vectors stand side by side: the threads of a warp load and complete
// each of them once, into memory that they share, instead of each thread those of its site: 32 links at a time, which
// are all of four sites or half of those of eight. Elsewhere a thread is alone, and the memory its own.

#include "trellis/core/simd.hpp"

namespace trellis::dirac {

// True if `batches` threads per site fill whole warps on this many tiles; a warp then holds at most eight sites. In
// sums a thread keeps to its batch, and a warp must hold whole sites.
inline bool links_are_shared(int tiles, int batches, bool in_sums) {
#if defined(TRELLIS_BACKEND_CUDA)
  return batches >= 4 &&
         (in_sums ? 32 % batches == 0 && tiles % (32 / batches) == 0 : std::int64_t(tiles) * batches % 32 == 0);
#else
  static_cast<void>(tiles), static_cast<void>(in_sums);
  return batches >= 4;
#endif
}

// C: a complex number. A block has at most so many threads.
template <class C, int Threads = 128>
struct SharedLinks {
  static constexpr int pad = int(16 / sizeof(C));  // sites in different banks
  static constexpr int room = 9 * 32 + 8 * pad;    // of a warp
  using Room = C[9 * 8];                           // of a thread that is alone

  // The hops of a site are filled at once where warps hold four whole sites at most, else four at a time.
  TRELLIS_INLINE static bool in_halves(int batches) { return batches < 8 || 32 % batches != 0; }

  // Fills the matrices of hops first .. first + 3, or of all eight, of this tile, which a thread does batch `batch` of.
  // That of hop k then stands, rows one after another, 9 k numbers from what is returned, until the next call. All
  // threads of the warp call it: load(tile, hop, e) gives one matrix. `own`: where no memory is shared.
  template <class Load>
  TRELLIS_INLINE static const C* fill(int tile, int batch, int batches, int first, const Load& load,
                                      [[maybe_unused]] Room& own) {
#if defined(__CUDA_ARCH__)
    C* const memory = memory_of_warp();
    const int lane = int(threadIdx.x % 32), thread = tile * batches + batch - lane;  // the warp's first
    const int origin = thread / batches, sites = (thread + 31) / batches - origin + 1;
    const int at_once = in_halves(batches) ? 4 : 8, apart = 9 * at_once + pad;
    __syncwarp();
    if (lane < at_once * sites) {
      const int site = lane / at_once, hop = lane % at_once;
      C e[9];
      load(origin + site, first + hop, e);
      C* const to = memory + site * apart + 9 * hop;
      for (int k = 0; k < 9; ++k) to[k] = e[k];
    }
    __syncwarp();
    return memory + (tile - origin) * apart - 9 * first;
#else
    static_cast<void>(batch);
    for (int hop = first; hop < first + (in_halves(batches) ? 4 : 8); ++hop) {
      C e[9];
      load(tile, hop, e);
      for (int k = 0; k < 9; ++k) own[9 * hop + k] = e[k];
    }
    return own;
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  static __device__ C* memory_of_warp() {
    __shared__ C memory[Threads / 32][room];
    return memory[threadIdx.x / 32];
  }
#endif
};

}  // namespace trellis::dirac

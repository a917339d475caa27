// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results may bypass the caches. That avoids reading the lines that are written, and pays off where the links of one
// application would evict the result before it is read.

namespace trellis::dirac {

enum class Stores { by_size, cached, streaming };

// How much may stay in the last-level cache until the result is read.
inline constexpr double cached_bytes = 32 << 20;

// How much is in the second-level caches, or so near that prefetching costs more than it gains.
inline constexpr double near_bytes = 4 << 20;

// `bytes`: everything that one application moves.
inline bool outgrows_near_caches(double bytes) { return bytes > near_bytes; }
inline bool outgrows_caches(double bytes) { return bytes > cached_bytes; }
inline bool passes_caches(Stores stores, double bytes) {
  return stores == Stores::streaming || (stores == Stores::by_size && outgrows_caches(bytes));
}

}  // namespace trellis::dirac

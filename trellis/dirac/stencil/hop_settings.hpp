// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How an operator is run. Nothing here changes a bit of a result; tuning/tuning.hpp finds what is fastest.

#include "trellis/dirac/stencil/prefetch.hpp"
#include "trellis/dirac/stencil/stores.hpp"

namespace trellis::dirac {

// The defaults are those of Wilson quarks.
struct HopSettings {
  PrefetchDistances ahead = {8, 4, 2};          // with one vector
  PrefetchDistances ahead_of_many = {8, 0, 2};  // with several
  Stores stores = Stores::by_size;
  bool always_ahead = false;  // even if all data fit in a near cache, where prefetching costs time
  int block_threads = 0;      // of a GPU (Kernel::block_threads); 0: chosen

  const PrefetchDistances& distances(int vectors) const { return vectors == 1 ? ahead : ahead_of_many; }
  PrefetchDistances& distances(int vectors) { return vectors == 1 ? ahead : ahead_of_many; }
  // The distances for an application that moves this many bytes: vectors in the last-level cache are near enough to be
  // asked for a few hops ahead.
  PrefetchDistances distances(int vectors, double bytes) const {
    PrefetchDistances result = distances(vectors);
    if (always_ahead || outgrows_caches(bytes)) return result;
    if (vectors > 1 || !outgrows_near_caches(bytes)) return {};
    result.fresh = 0;
    return result;
  }
  bool operator==(const HopSettings&) const = default;
};

// The defaults of staggered quarks.
inline constexpr HopSettings staggered_settings{.ahead = {16, 6, 0}, .ahead_of_many = {16, 4, 0}, .always_ahead = true};

// The defaults with long links: of sixteen hops, half a tile ahead.
inline constexpr HopSettings naik_settings{.ahead = {8, 4, 0}, .ahead_of_many = {16, 4, 0}, .always_ahead = true};

}  // namespace trellis::dirac

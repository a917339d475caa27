// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Wilson hopping term D (wilson_links.hpp) and its adjoint gamma5 D gamma5, from one parity to the other, in the
// DeGrand-Rossi basis of gamma matrices. 1320 flops per site and vector by the usual count; rebuilding a third row adds
// 8 x 48. Minimal bytes per site, for S bytes per number and n vectors: S (8 x 18, 12 or 8) / n of links, 24 S read and
// 24 S written per vector.

#include "trellis/dirac/stencil/prefetch.hpp"
#include "trellis/dirac/stencil/stores.hpp"
#include "trellis/dirac/wilson/wilson_links.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::dirac {

inline constexpr double wilson_flops = 1320;  // per target site and vector, of D_eo or D_oe

enum class HopSign { plain, adjoint };

// How an operator is run; nothing here changes a bit of the result.
struct WilsonSettings {
  PrefetchDistances ahead = {8, 4, 2};          // with one vector
  PrefetchDistances ahead_of_many = {8, 0, 2};  // with several
  Stores stores = Stores::by_size;
  bool always_ahead = false;  // even if all data fit in a near cache, where prefetching costs time

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
};

// out <- D in or D^dagger in, for each of in.count() vectors; out has the opposite parity to in.
template <class T, int W>
void wilson_hops(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, const SpinorField<T, W>& out,
                 HopSign sign = HopSign::plain, const WilsonSettings& settings = {});

}  // namespace trellis::dirac

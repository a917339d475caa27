// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Atoms that attract each other at long range and repel at short range (Lennard-Jones), in units of the potential's
// depth, its length and an atom's mass:
//   U(r) = 4 (r^-12 - r^-6) for r < cutoff, else 0
//   F_i  = sum_j 48 r^-8 (r^-6 - 1/2) (x_i - x_j)
// Arguments are squared distances; S is a number or several in the lanes of a register. The potential is cut but not
// shifted, as miniMD prints it; the conserved energy has U(cutoff) subtracted for every pair. We count 8 flops for
// every neighbour in the list (r^2) and 13 more for those within the cutoff, counting a division as one.

#include "trellis/core/simd.hpp"

namespace examples::minimd {

inline constexpr double flops_of_listed = 8, flops_within_cutoff = 13;

template <class S>
TRELLIS_INLINE S force_over_distance(const S& r2) {
  const S r_2 = S(1.0) / r2;
  const S r_6 = r_2 * r_2 * r_2;
  return S(48.0) * r_6 * r_2 * (r_6 - S(0.5));
}

template <class S>
TRELLIS_INLINE S pair_energy(const S& r2) {
  const S r_2 = S(1.0) / r2;
  const S r_6 = r_2 * r_2 * r_2;
  return S(4.0) * r_6 * (r_6 - S(1.0));
}

}  // namespace examples::minimd

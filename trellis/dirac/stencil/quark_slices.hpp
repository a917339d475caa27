// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The time slices on which quarks exist if a lattice has boundaries in time (gauge/boundary/boundary.hpp). Fields stay
// on all sites; hops from, to or across slices without quarks do not exist, and an operator is diagonal there. So it
// does not mix those sites with the others, and kernels are those of periodic lattices: only the tables of factors of
// hops differ.
//   Wilson quarks: psi = 0 on the first and the last slice of the gauge field, both with open boundaries and in a
//     Schroedinger functional (M. Luescher and S. Schaefer, Comput. Phys. Commun. 184 (2013) 519, section 2).
//   staggered quarks: with open boundaries on all slices, whose ends no hop joins; in a Schroedinger functional psi = 0
//     on its first and last slice.

#include "trellis/core/error.hpp"
#include "trellis/gauge/boundary/boundary.hpp"

namespace trellis::dirac {

struct QuarkSlices {
  int first = 0, last = -1;  // last < first: all, of a lattice that is periodic in time

  bool operator==(const QuarkSlices&) const = default;
  bool is_periodic() const { return last < first; }
  bool contain(int t) const { return is_periodic() || (first <= t && t <= last); }
  // Whether a hop of so many steps in time, backwards if negative, exists from t.
  bool have_hop(int t, int steps) const { return is_periodic() || (contain(t) && contain(t + steps)); }
  // How many of the slices of a lattice.
  int count(const Coordinate& size) const { return is_periodic() ? size[3] : last - first + 1; }
};

// Of a lattice with so many time slices. InputError for open boundaries if there are fewer than four.
inline QuarkSlices wilson_slices(const gauge::Boundary& boundary, int times) {
  if (boundary.is_periodic()) return {};
  const int last = boundary.last_slice(times) - 1;
  if (last < 1)
    fail_input("Wilson quarks vanish on the first and the last time slice; there are {} slices, at least 4 are needed",
               times);
  return {1, last};
}
inline QuarkSlices wilson_slices(const gauge::Boundary& boundary, const Coordinate& size) {
  return wilson_slices(boundary, size[3]);
}

inline QuarkSlices staggered_slices(const gauge::Boundary& boundary, int times) {
  if (boundary.is_periodic()) return {};
  if (boundary.kind == gauge::BoundaryKind::open) return {0, times - 1};
  return {1, boundary.extent - 1};
}
inline QuarkSlices staggered_slices(const gauge::Boundary& boundary, const Coordinate& size) {
  return staggered_slices(boundary, size[3]);
}

// InputError unless these are slices of the lattice.
inline void require_valid(const QuarkSlices& slices, const Coordinate& size) {
  if (!slices.is_periodic() && (slices.first < 0 || slices.last >= size[3]))
    fail_input("quarks on time slices {} to {} of a lattice that has {}", slices.first, slices.last, size[3]);
}

}  // namespace trellis::dirac

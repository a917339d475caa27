// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts colour vectors on one parity to and from the oracle's fields on all sites.

#include <numbers>

#include "reference/staggered.hpp"
#include "tests/support/host_vectors.hpp"
#include "trellis/dirac/staggered/link_phases.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::test {

inline int parity_of(const Coordinate& x) { return (x[0] + x[1] + x[2] + x[3]) % 2; }

// Vector n of v <- the sites of f of v's parity.
template <class T, int W>
void from_reference(const reference::ColourField& f, const ColourVectorField<T, W>& v, int n = 0) {
  const Lattice& lattice = v.lattice();
  const HostVectors<ColourVectorField<T, W>> host(v);
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    const Coordinate x = lattice.coordinate(site);
    if (parity_of(x) != v.parity()) continue;
    std::array<double, 6> values;
    for (int c = 0; c < 3; ++c) {
      values[2 * c] = f[site][c].real();
      values[2 * c + 1] = f[site][c].imag();
    }
    host.set(x, values, n);
  }
  host.write();
}

// Zero on the sites of the other parity.
template <class T, int W>
reference::ColourField to_reference(const ColourVectorField<T, W>& v, int n = 0) {
  const Lattice& lattice = v.lattice();
  const HostVectors<ColourVectorField<T, W>> host(v);
  reference::ColourField f(std::size_t(lattice.volume()), reference::ColourVector{});
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    const Coordinate x = lattice.coordinate(site);
    if (parity_of(x) != v.parity()) continue;
    const auto values = host.at(x, n);
    for (int c = 0; c < 3; ++c) f[site][c] = {values[2 * c], values[2 * c + 1]};
  }
  return f;
}

// f on the sites of one parity, zero on the others.
inline reference::ColourField restricted(reference::ColourField f, const Coordinate& size, int parity) {
  const Lattice lattice(size);
  for (std::int64_t site = 0; site < lattice.volume(); ++site)
    if (parity_of(lattice.coordinate(site)) != parity) f[site] = reference::ColourVector{};
  return f;
}

inline reference::LinkPhases reference_phases(const dirac::LinkPhases& phases, const Coordinate& size) {
  const auto& q = phases.quanta;
  const auto& angles = phases.space_angles_over_pi;
  constexpr double pi = std::numbers::pi;
  return reference::link_phases(
      size, {.antiperiodic = phases.antiperiodic_time,
             .imaginary_potential = phases.imaginary_mu,
             .charge = 1,
             .flux = {double(q[0]), double(q[1]), double(q[2]), double(q[3]), double(q[4]), double(q[5])},
             .space_angles = {pi * angles[0], pi * angles[1], pi * angles[2]}});
}

}  // namespace trellis::test

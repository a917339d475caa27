// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts spinors on one parity to and from the oracle's fields on all sites.

#include <algorithm>

#include "reference/spinor.hpp"
#include "tests/support/host_vectors.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::test {

// f(x, site) for the sites of one parity; site is the lexicographic number.
template <class F>
void for_each_site_of_parity(const Coordinate& size, int parity, F&& f) {
  const Lattice lattice(size);
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    const Coordinate x = lattice.coordinate(site);
    if ((x[0] + x[1] + x[2] + x[3]) % 2 == parity) f(x, std::size_t(site));
  }
}

// Vector n of psi <- the sites of f of psi's parity.
template <class T, int W>
void from_reference(const reference::SpinorField& f, const SpinorField<T, W>& psi, int n = 0) {
  const HostVectors<SpinorField<T, W>> host(psi);
  for_each_site_of_parity(psi.lattice().size(), psi.parity(), [&](const Coordinate& x, std::size_t site) {
    std::array<double, 24> values;
    for (int c = 0; c < 12; ++c) {
      values[2 * c] = f[site][c].real();
      values[2 * c + 1] = f[site][c].imag();
    }
    host.set(x, values, n);
  });
  host.write();
}

// Zero on the sites of the other parity.
template <class T, int W>
reference::SpinorField to_reference(const SpinorField<T, W>& psi, int n = 0) {
  const HostVectors<SpinorField<T, W>> host(psi);
  reference::SpinorField f = reference::zero_spinors(psi.lattice().size());
  for_each_site_of_parity(psi.lattice().size(), psi.parity(), [&](const Coordinate& x, std::size_t site) {
    const auto values = host.at(x, n);
    for (int c = 0; c < 12; ++c) f[site][c] = {values[2 * c], values[2 * c + 1]};
  });
  return f;
}

// The largest component.
inline double largest(const reference::SpinorField& f) {
  double most = 0;
  for (const auto& psi : f)
    for (const auto& c : psi) most = std::max(most, std::abs(c));
  return most;
}

}  // namespace trellis::test

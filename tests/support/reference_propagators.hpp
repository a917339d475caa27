// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts spinors on all sites, and propagators, to and from the oracle's.

#include "reference/wilson_inverse.hpp"
#include "tests/support/reference_spinors.hpp"
#include "trellis/measure/full_fields.hpp"

namespace trellis::test {

template <int W>
void from_reference(const reference::SpinorField& f, const measure::FullSpinors<double, W>& psi, int n = 0) {
  for (const auto& part : psi.part) from_reference(f, part, n);
}

template <int W>
reference::SpinorField to_reference(const measure::FullSpinors<double, W>& psi, int n = 0) {
  return to_reference(psi.part[0], n) + to_reference(psi.part[1], n);
}

// Twelve columns.
template <int W>
measure::FullSpinors<double, W> propagator_from_reference(const Coordinate& size, const reference::Propagator& s) {
  const measure::FullSpinors<double, W> psi(Lattice(size, W), 12);
  for (int k = 0; k < 12; ++k) from_reference(reference::column(s, k), psi, k);
  return psi;
}

}  // namespace trellis::test

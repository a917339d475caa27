// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operators of glueballs at rest, for each time slice: averages over space of spatial plaquettes Re tr P / 3 on links
// smeared by APE in space, of several levels, since large operators couple to light glueballs better (B. Berg and
// A. Billoire, Nucl. Phys. B 221 (1983) 109; M. Albanese et al., Phys. Lett. B 192 (1987) 163):
//   scalar    (P_xy + P_xz + P_yz) / 3            0++, representation A1 of the cube; it has a vacuum expectation value
//   tensor_1  (P_yz - P_xz) / sqrt(2)             2++, the two components of representation E
//   tensor_2  (P_yz + P_xz - 2 P_xy) / sqrt(6)
//   pseudoscalar  sum_ijk eps_ijk tr[B_i(x) U_j(x) B_k(x + j) U_j(x)^dagger] / 3    0-+, representation A1 of the cube
// with B_x = F_yz and so on the clover field strength (gauge/clover.hpp) of these links. Summed over space it is half
// of what central differences make of tr B . (D x B), the lowest operator of B and its derivatives that is odd under
// parity and even under charge conjugation. It has no vacuum expectation value. Sums are exact
// (core/sums/exact_sum.hpp): no bit depends on lanes, threads or ranks. Cost per site and level: 48 products of
// matrices and three projections for each step of smearing, 51 products and four sums. Memory: a field of links.

#include <vector>

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::measure {

struct GlueballSelection {
  double ape_alpha = 0.5;
  std::vector<int> levels = {0};  // of APE smearing, ascending
};

struct GlueballOperators {
  int level = 0, time = 0;
  double scalar = 0, tensor_1 = 0, tensor_2 = 0, pseudoscalar = 0;
};

// InputError for levels that are missing, negative or do not ascend.
void require_valid(const GlueballSelection& selection);

// By level and time, times fastest. Zeros on slices beyond the last one of a Schroedinger functional. u is not changed.
// InputError for an invalid selection.
template <int W>
std::vector<GlueballOperators> glueball_operators(const GlueballSelection& selection, const GaugeField<double, W>& u,
                                                  const gauge::Boundary& boundary = {});

}  // namespace trellis::measure

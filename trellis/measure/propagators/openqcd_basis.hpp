// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Spins in the basis of openQCD, whose gamma matrices are (M. Luescher, "Implementation of the lattice Dirac operator",
// openQCD's doc/dirac.pdf)
//   gamma_t = ( 0  -1 )     gamma_k = ( 0      -i s_k )     k = x, y, z;  s: the Pauli matrices.
//             ( -1  0 )               ( i s_k   0     )
// Up to a phase exactly one unitary matrix V takes those of DeGrand and Rossi (reference/gamma.hpp) there,
// V gamma_mu V^+ = gamma_mu of openQCD for all four:
//   (V psi)_s = sign_s psi_{3-s},  sign = 1, -1, -1, 1.
// It is real and symmetric, V V = 1, so that changing the basis twice leaves every bit as it was. openQCD's
// gamma_5 = gamma_t gamma_x gamma_y gamma_z = diag(1, 1, -1, -1) is -V gamma_5 V^+, since Trellis has gamma_t last.

#include "trellis/measure/full_fields.hpp"

namespace trellis::measure {

inline constexpr int spin_components = 4;

// Row s of V has one number, in column 3 - s.
constexpr int openqcd_spin(int s) { return spin_components - 1 - s; }
constexpr int openqcd_sign(int s) { return s == 0 || s == 3 ? 1 : -1; }

// S <- V S V^+ for a propagator S, columns side by side: C spin + colour for the spin and colour of the source, where C
// is a quarter of their number. If that is no integer the columns have no spin, and each is multiplied by V.
// Cost: x is read and written once.
template <int W>
void change_openqcd_basis(const FullSpinors<double, W>& x);

}  // namespace trellis::measure

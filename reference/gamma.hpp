// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Euclidean gamma matrices as dense 4x4 matrices, in the basis of DeGrand and Rossi (Comput. Phys. Commun. 60 (1990)
// 211, the one of SciDAC propagators). All are Hermitian, {gamma_mu, gamma_nu} = 2 delta_{mu nu}; mu = 0,1,2,3 =
// x,y,z,t.
//
//   gamma_mu = ( 0        b_mu )    b_x = i s_1,  b_y = -i s_2,  b_z = i s_3,  b_t = 1   (s: the Pauli matrices)
//              ( b_mu^+   0    )
//
//   gamma_5     = gamma_x gamma_y gamma_z gamma_t = diag(1, 1, -1, -1)
//   sigma_{mu nu} = (i/2) [gamma_mu, gamma_nu]
//   C           = gamma_y gamma_t,  C gamma_mu C^-1 = -gamma_mu^T,  C^T = -C = C^-1

#include <array>
#include <string>
#include <vector>

#include "reference/algebra.hpp"

namespace trellis::reference {

struct SpinMatrix : std::array<Complex, 16> {
  Complex& operator()(int row, int column) { return (*this)[4 * row + column]; }
  const Complex& operator()(int row, int column) const { return (*this)[4 * row + column]; }
};

SpinMatrix spin_identity();
SpinMatrix operator+(const SpinMatrix& a, const SpinMatrix& b);
SpinMatrix operator-(const SpinMatrix& a, const SpinMatrix& b);
SpinMatrix operator*(const SpinMatrix& a, const SpinMatrix& b);
SpinMatrix operator*(Complex s, const SpinMatrix& a);
SpinMatrix adjoint(const SpinMatrix& a);
SpinMatrix transpose(const SpinMatrix& a);
Complex trace(const SpinMatrix& a);
double distance(const SpinMatrix& a, const SpinMatrix& b);  // sqrt(sum |a_ij - b_ij|^2)

SpinMatrix gamma_matrix(int mu);
SpinMatrix gamma5();
SpinMatrix sigma(int mu, int nu);
SpinMatrix charge_conjugation();

// A basis of all 4x4 matrices, tr Gamma_i^+ Gamma_j = 4 delta_ij, in this order:
//   1, gamma_x .. gamma_t, gamma_5, gamma_x gamma_5 .. gamma_t gamma_5, sigma_xy, sigma_xz, sigma_xt, sigma_yz, ...
// with names "1", "gamma_x", "gamma_5", "gamma_x gamma_5", "sigma_xy".
struct NamedSpinMatrix {
  std::string name;
  SpinMatrix matrix;
};
std::vector<NamedSpinMatrix> sixteen_gammas();

}  // namespace trellis::reference

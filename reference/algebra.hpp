// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// 3x3 complex matrices and su(3) by the textbook, in plain double precision.
//
// Matrix is row-major: m[3 * row + column] or m(row, column).
// Generators: T_a = lambda_a / 2 with the Gell-Mann matrices lambda_0..lambda_7, so tr(T_a T_b) = delta_ab / 2.
// A Hermitian traceless H = sum_a p_a T_a has p_a = 2 tr(T_a H) and tr(H^2) = (1/2) sum_a p_a^2.

#include <array>
#include <complex>

namespace trellis::reference {

using Complex = std::complex<double>;

struct Matrix : std::array<Complex, 9> {
  Complex& operator()(int row, int column) { return (*this)[3 * row + column]; }
  const Complex& operator()(int row, int column) const { return (*this)[3 * row + column]; }
};

Matrix zero_matrix();
Matrix identity();
Matrix operator+(const Matrix& a, const Matrix& b);
Matrix operator-(const Matrix& a, const Matrix& b);
Matrix operator*(const Matrix& a, const Matrix& b);
Matrix operator*(Complex s, const Matrix& a);

Matrix adjoint(const Matrix& a);
Complex trace(const Matrix& a);
Complex determinant(const Matrix& a);
Matrix inverse(const Matrix& a);

double norm(const Matrix& a);                       // Frobenius: sqrt(sum |a_ij|^2)
double distance(const Matrix& a, const Matrix& b);  // norm(a - b)
double distance_from_su3(const Matrix& a);          // |a a^+ - 1| + |det a - 1|

Matrix generator(int a);                                   // T_a = lambda_a / 2, a = 0..7
Matrix from_coefficients(const std::array<double, 8>& p);  // sum_a p_a T_a
std::array<double, 8> coefficients(const Matrix& h);       // p_a = 2 Re tr(T_a h)

Matrix traceless_hermitian(const Matrix& a);      // (a + a^+)/2 minus its trace / 3
Matrix traceless_antihermitian(const Matrix& a);  // (a - a^+)/2 minus its trace / 3

// exp(a) of any matrix: Taylor series of a / 2^k with norm <= 1/4, squared k times.
Matrix exponential(const Matrix& a);

// Gram-Schmidt on the first two rows; the third is the conjugate of their cross product.
Matrix reunitarise(const Matrix& a);

// The unitary factor of the polar decomposition (Newton: x <- (x + (x^+)^-1) / 2), with its determinant's phase removed
// in equal parts from the three eigenvalues. a must not be singular.
Matrix project_su3(const Matrix& a);

}  // namespace trellis::reference

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Square complex matrices of any size, row-major, with textbook decompositions (Golub and Van Loan, Matrix
// Computations): LU with partial pivoting, Cholesky, and the eigenvectors of a Hermitian matrix by Householder
// reduction to tridiagonal form and implicit QR steps with Wilkinson's shift. All cost O(n^3).
// Error if a matrix is singular, or not positive where required.

#include <functional>
#include <vector>

#include "reference/algebra.hpp"

namespace trellis::reference {

using DenseVector = std::vector<Complex>;

struct DenseMatrix {
  explicit DenseMatrix(int size) : n(size), elements(static_cast<std::size_t>(size) * size) {}
  Complex& operator()(int row, int column) { return elements[static_cast<std::size_t>(row) * n + column]; }
  const Complex& operator()(int row, int column) const { return elements[static_cast<std::size_t>(row) * n + column]; }

  int n;
  std::vector<Complex> elements;
};

DenseMatrix dense_identity(int n);
DenseMatrix operator+(const DenseMatrix& a, const DenseMatrix& b);
DenseMatrix operator-(const DenseMatrix& a, const DenseMatrix& b);
DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b);
DenseMatrix operator*(Complex s, const DenseMatrix& a);
DenseVector operator*(const DenseMatrix& a, const DenseVector& v);
DenseMatrix adjoint(const DenseMatrix& a);
Complex trace(const DenseMatrix& a);
double distance(const DenseMatrix& a, const DenseMatrix& b);  // sqrt(sum |a_ij - b_ij|^2)

// Row k of a is row permutation[k] of the matrix; a contains L below the diagonal (with unit diagonal), and U on and
// above it.
struct LuDecomposition {
  DenseMatrix factors;
  std::vector<int> permutation;
  double sign;  // of the permutation
};
LuDecomposition lu_decomposition(const DenseMatrix& a);
DenseVector solve(const LuDecomposition& lu, const DenseVector& b);
Complex log_determinant(const LuDecomposition& lu);  // the imaginary part is a sum of phases, not reduced to (-pi, pi]
DenseMatrix inverse(const DenseMatrix& a);

// Lower triangle L with a = L L^+, for Hermitian positive a, of which only the lower triangle is read.
DenseMatrix cholesky(const DenseMatrix& a);
double log_determinant_from_cholesky(const DenseMatrix& l);   // log det a = 2 sum log L_kk
double trace_of_inverse_from_cholesky(const DenseMatrix& l);  // tr a^-1 = sum |(L^-1)_ij|^2

// a = sum_k values[k] v_k v_k^+, values ascending; v_k is row k of vectors.
struct Eigensystem {
  std::vector<double> values;
  DenseMatrix vectors;
};
Eigensystem hermitian_eigensystem(const DenseMatrix& a);  // reads the lower triangle only

using RealFunction = std::function<double(double)>;
DenseMatrix matrix_function(const Eigensystem& a, const RealFunction& f);                       // f(a)
DenseVector apply_function(const Eigensystem& a, const RealFunction& f, const DenseVector& v);  // f(a) v

}  // namespace trellis::reference

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The generalised eigenproblem of small Hermitian matrices, H c = theta G c with positive G: Cholesky decomposition
// G = L L^dagger and cyclic Jacobi rotations of L^-1 H L^-dagger (Golub and Van Loan, Matrix Computations, 8.5
// and 8.7). Only + - * / and sqrt: the same bits on every machine, which LAPACK does not promise. Cost: some 100 n^3
// flops.

#include <complex>
#include <vector>

namespace trellis::solver {

struct SmallEigensystem {
  std::vector<double> values;                 // ascending
  std::vector<std::complex<double>> vectors;  // c_k is column k, row-major; c_j^dagger G c_k = delta_jk
};

// h, g: n x n, row-major, of which only the upper triangles are read. Error if G is not positive or a number is not
// finite.
SmallEigensystem generalised_eigensystem(int n, std::vector<std::complex<double>> h,
                                         std::vector<std::complex<double>> g);

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Linear algebra among the vectors that lie side by side in a field: inner products of all pairs, and their linear
// combinations. Sums as in vector_algebra.hpp; for colour vectors in double precision. <x, y> = sum conj(x) y.

#include <complex>
#include <span>
#include <vector>

#include "trellis/lattice/parity_field.hpp"

namespace trellis::solver {

// <x_i, y_j> for i <= j, row-major; 0 below the diagonal. Cost: count^2 / 2 pairs, R 2 each, from a cache.
template <class T, int Reals, int W>
std::vector<std::complex<double>> inner_products(const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& y);

// to_j <- sum_i x_i c_ij, c row-major; `to` is another field. R 1 W 1, and 8 count flops per number.
template <class T, int Reals, int W>
void combine(std::span<const std::complex<double>> c, const ParityField<T, Reals, W>& x,
             const ParityField<T, Reals, W>& to);

// y_n <- a image_n + b x_n - y_n. R 3 W 1
template <class T, int Reals, int W>
void three_term_step(double a, const ParityField<T, Reals, W>& image, double b, const ParityField<T, Reals, W>& x,
                     const ParityField<T, Reals, W>& y);

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Linear algebra with complex coefficients, like vector_algebra.hpp: numbers 2 k and 2 k + 1 of a site form a complex
// one. <x, y> = sum conj(x) y. `on` has a number for each vector: if it is 0 the vector is inactive, nothing of it is
// read or written, and its sums are 0; the same holds if a coefficient `alpha` is 0.
//
// `several` are up to most_vectors fields, each with its vectors side by side: the coefficients and inner products of
// vector n of several[i] are at [i][n].

#include <complex>
#include <span>
#include <vector>

#include "trellis/lattice/parity_field.hpp"

namespace trellis::solver {

using Complex = std::complex<double>;
inline constexpr int most_vectors = 31;

// a / b by the textbook formula: the same bits on every machine.
Complex quotient(Complex a, Complex b);
// 1 where alpha is not 0, otherwise 0.
std::vector<double> flags_of(std::span<const Complex> alpha);

// <x_n, y_n>. R 2
template <class T, int Reals, int W>
std::vector<Complex> complex_dots(const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& y);

// r_n <- r_n - alpha_n v_n; returns |r_n|^2. R 2 W 1
template <class T, int Reals, int W>
std::vector<double> update_residual(std::span<const Complex> alpha, const ParityField<T, Reals, W>& v,
                                    const ParityField<T, Reals, W>& r);

// The same, stored elsewhere: to_n <- r_n - alpha_n v_n. R 2 W 1
template <class T, int Reals, int W>
std::vector<double> next_residual(std::span<const double> on, std::span<const Complex> alpha,
                                  const ParityField<T, Reals, W>& v, const ParityField<T, Reals, W>& r,
                                  const ParityField<T, Reals, W>& to);

struct BlockProducts {
  std::vector<std::vector<Complex>> products;  // [i][n]
  std::vector<double> norms;                   // |w_n|^2
};

// <several[i]_n, w_n> and |w_n|^2. R several + 1
template <class T, int Reals, int W>
BlockProducts block_products(std::span<const double> on,
                             std::type_identity_t<std::span<const ParityField<T, Reals, W>>> several,
                             const ParityField<T, Reals, W>& w);

struct Projection {
  std::vector<Complex> products;  // <w_n, r_n>
  std::vector<double> norms;      // |w_n|^2
};

// w_n <- w_n - sum_i c[i][n] several[i]_n; returns inner products of the new w. R several + 2 W 1
template <class T, int Reals, int W>
Projection subtract_block(std::span<const double> on, std::span<const std::vector<Complex>> c,
                          std::type_identity_t<std::span<const ParityField<T, Reals, W>>> several,
                          const ParityField<T, Reals, W>& w, const ParityField<T, Reals, W>& r);

// x_n <- x_n + sum_i c[i][n] several[i]_n; vectors with the coefficient 0 are not read. R several + 1 W 1. X as in
// update_solution.
template <class T, class X, int Reals, int W>
void add_block(std::span<const std::vector<Complex>> c, std::span<const ParityField<T, Reals, W>> several,
               const ParityField<X, Reals, W>& x);

}  // namespace trellis::solver

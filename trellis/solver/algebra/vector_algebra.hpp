// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Linear algebra on fields of one parity, vector by vector: index n runs over the vectors that lie side by side, and
// each has its own coefficients. Input and output have the precision of the field (single for Fixed16, whose sums are
// computed before the stored result is rounded to 16 bits). Norms and inner products are doubles: the numbers of a site
// are summed in double precision in a fixed order, and sites by exact sums, so that no bit depends on lanes, threads or
// the other vectors.
//
// All are memory-bound. "R a W b": reads a vectors and writes b. At most 64 vectors (maximum_sums). If a coefficient
// `alpha` is 0, vector n is inactive (at rest): nothing of it is read or written, and its sums are 0.

#include <span>
#include <vector>

#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::solver {

// |x_n|^2. R 1
template <class T, int Reals, int W>
std::vector<double> norms2(const ParityField<T, Reals, W>& x);

// r_n <- b_n - r_n; returns |r_n|^2. R 2 W 1
template <class T, int Reals, int W>
std::vector<double> subtract_from(const ParityField<T, Reals, W>& b, const ParityField<T, Reals, W>& r);

// y_n <- y_n + alpha_n x_n. R 2 W 1
template <class T, int Reals, int W>
void add_scaled(std::span<const double> alpha, const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& y);

// out_n <- out_n + s_n in_n, products_n <- products_n + s_n |in_n|^2. R 2 W 1
template <class T, int Reals, int W>
void add_shift(std::span<const double> s, const ParityField<T, Reals, W>& in, const ParityField<T, Reals, W>& out,
               const FieldSums& products);

// p_n <- p_n - r_n; returns Re <fresh_n, p_n - r_n>. R 3 W 1
template <class T, int Reals, int W>
std::vector<double> subtract_and_project(const ParityField<T, Reals, W>& fresh, const ParityField<T, Reals, W>& r,
                                         const ParityField<T, Reals, W>& p);

// y_n <- b_n y_n + a_n x_n; no vector is inactive. R 2 W 1
template <class T, int Reals, int W>
void scale_and_add(std::span<const double> b, std::span<const double> a, const ParityField<T, Reals, W>& x,
                   const ParityField<T, Reals, W>& y);

// to_n <- from_{places[n]}, n < to.count(). R 1 W 1
template <class T, int Reals, int W>
void gather(const ParityField<T, Reals, W>& from, std::span<const int> places, const ParityField<T, Reals, W>& to);
// to_{places[n]} <- from_n, n < from.count(). R 1 W 1
template <class T, int Reals, int W>
void scatter(const ParityField<T, Reals, W>& from, std::span<const int> places, const ParityField<T, Reals, W>& to);
// x_n <- 0 for a single n. W 1
template <class T, int Reals, int W>
void clear(const ParityField<T, Reals, W>& x, int n);

// Throws Error unless x has b's lattice and parity and `count` vectors.
template <class T, int Reals, int W>
void require_like(const ParityField<T, Reals, W>& b, const ParityField<T, Reals, W>& x, int count, const char* who);

}  // namespace trellis::solver

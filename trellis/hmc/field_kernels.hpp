// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small operations on fields for molecular dynamics: zero, sign, displaced links, norms and largest differences.

#include "trellis/lattice/field.hpp"

namespace trellis::hmc {

// Norms of p - q: |p - q|^2 = sum_a (p_a - q_a)^2 for each link. Infinite if an element is NaN, as below.
struct MomentumNorm {
  double root_mean_square = 0;  // over links
  double maximum = 0;
};
template <class T, int W>
MomentumNorm distance(const AlgebraField<T, W>& p, const AlgebraField<T, W>& q);

// sum_a p_a q_a over all links, whose bits depend on nothing but the numbers. R 2
template <class T, int W>
double inner_product(const AlgebraField<T, W>& p, const AlgebraField<T, W>& q);

template <class T, int W>
void set_zero(const AlgebraField<T, W>& p);
template <class T, int W>
void set_zero(const GaugeField<T, W>& u);  // except its ghosts

// to += factor from, except ghosts
template <class T, int W>
void add_scaled(double factor, const GaugeField<T, W>& from, const GaugeField<T, W>& to);

// to <- exp(i step H) from, H from the momenta p, in single precision made unitary to rounding; ghosts up to
// Reach::corners
template <class T, int W>
void displace_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& from, const GaugeField<T, W>& to);

// p <- the nearest numbers of single precision
template <int W>
void round_to_single(const AlgebraField<double, W>& p);

// p <- -p
template <class T, int W>
void negate(const AlgebraField<T, W>& p);

// Largest difference of a real or imaginary part, or of a component.
template <class T, int W>
double largest_difference(const GaugeField<T, W>& u, const GaugeField<T, W>& v);
template <class T, int W>
double largest_difference(const AlgebraField<T, W>& p, const AlgebraField<T, W>& q);

}  // namespace trellis::hmc

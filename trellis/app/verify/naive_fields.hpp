// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Between the fields of the kernels and numbers by site for naive loops. Every rank has all sites of naive fields, with
// the same bits.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "trellis/app/verify/naive_links.hpp"
#include "trellis/lattice/field.hpp"
#include "trellis/measure/full_fields.hpp"

namespace trellis::app {

template <std::size_t N>
using NaiveField = std::vector<std::array<std::complex<double>, N>>;

template <int W>
NaiveLinks naive_links(const GaugeField<double, W>& u);
template <int W>
GaugeField<double, W> gauge_field(const NaiveLinks& links, const Lattice& lattice);

// Vector n of a field. N = 3 for colour vectors, 12 for spinors (3 spin + colour).
template <int W, int Reals>
NaiveField<std::size_t(Reals / 2)> naive_field(const measure::FullFields<double, Reals, W>& psi, int n = 0);
template <int W, std::size_t N>
measure::FullFields<double, 2 * int(N), W> full_field(const NaiveField<N>& psi, const Lattice& lattice);

// Random numbers between -1 and 1 as real and imaginary parts.
template <std::size_t N>
NaiveField<N> random_naive_field(std::size_t volume, std::uint64_t seed);

template <std::size_t N>
double largest_difference(const NaiveField<N>& a, const NaiveField<N>& b) {
  double worst = 0;
  for (std::size_t x = 0; x < a.size(); ++x)
    for (std::size_t i = 0; i < N; ++i) {
      const double difference = std::abs(a[x][i] - b[x][i]);
      if (!(difference <= worst)) worst = difference;  // also NaN
    }
  return worst;
}

}  // namespace trellis::app

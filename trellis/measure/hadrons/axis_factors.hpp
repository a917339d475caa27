// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Complex factors of sites that are a product of one for each coordinate, such as the phases of a momentum.

#include <cstdint>

#include "trellis/core/complex.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::measure {

// The product as it is defined: tables of products have the bits of std::complex.
TRELLIS_INLINE complex<double> naive_product(const complex<double>& a, const complex<double>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// table: the factors for all x, then for all y, z and t, where kernels run.
class AxisFactors {
 public:
  AxisFactors(const Lattice& lattice, const complex<double>* table)
      : table_(table), nx_(extent(lattice, 0)), ny_(extent(lattice, 1)), nz_(extent(lattice, 2)) {}

  // Of the sites of a tile. S: lanes of doubles.
  template <class S>
  TRELLIS_INLINE complex<S> of(const LaneSites& sites) const {
    S re(0.0), im(0.0);
    for (const int l : own_lanes<S>()) {
      auto site = std::uint64_t(sites[l]);
      const complex<double>* p = table_;
      const complex<double> x = p[site % nx_];
      site /= nx_;
      p += nx_;
      const complex<double> y = p[site % ny_];
      site /= ny_;
      p += ny_;
      const complex<double> factor =
          naive_product(naive_product(x, y), naive_product(p[site % nz_], p[nz_ + site / nz_]));
      set_lane(re, l, factor.re);
      set_lane(im, l, factor.im);
    }
    return {re, im};
  }

 private:
  static std::uint64_t extent(const Lattice& lattice, int mu) { return std::uint64_t(lattice.size(mu)); }

  const complex<double>* table_;
  std::uint64_t nx_, ny_, nz_;
};

}  // namespace trellis::measure

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vectors on all sites: a field on the even sites and one on the odd ones, `count` vectors side by side. Copies share
// memory, as those of ParityField do.

#include <array>
#include <vector>

#include "trellis/lattice/parity_field.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"

namespace trellis::measure {

template <class T, int Reals, int W>
struct FullFields {
  std::array<ParityField<T, Reals, W>, 2> part;  // even, odd

  explicit FullFields(const Lattice& lattice, int count = 1)
      : part{ParityField<T, Reals, W>(lattice, 0, count), ParityField<T, Reals, W>(lattice, 1, count)} {}

  const Lattice& lattice() const { return part[0].lattice(); }
  int count() const { return part[0].count(); }
  // A field of the same kind, set to zero.
  FullFields like() const { return FullFields(lattice(), count()); }
  FullFields clone() const {
    FullFields copy = *this;
    for (auto& field : copy.part) field = field.clone();
    return copy;
  }
  void set_zero() const {
    for (const auto& field : part) field.set_zero();
  }

  // The numbers of one site.
  std::array<double, Reals> at(const Coordinate& x, int n = 0) const { return part[parity(x)].at(x, n); }
  void set(const Coordinate& x, std::span<const double, Reals> values, int n = 0) const {
    part[parity(x)].set(x, values, n);
  }

 private:
  static std::size_t parity(const Coordinate& x) { return std::size_t(x[0] + x[1] + x[2] + x[3]) % 2; }
};

template <class T, int W>
using FullVectors = FullFields<T, 6, W>;  // colour vectors
template <class T, int W>
using FullSpinors = FullFields<T, 24, W>;

// |a_n|^2
template <class T, int Reals, int W>
std::vector<double> norms2(const FullFields<T, Reals, W>& a) {
  auto norms = solver::norms2(a.part[0]);
  const auto odd = solver::norms2(a.part[1]);
  for (std::size_t n = 0; n < norms.size(); ++n) norms[n] += odd[n];
  return norms;
}

}  // namespace trellis::measure

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links, colour vectors and the staggered operator from the formulas of docs/design.md, for comparison in
// `trellis verify`: one complex number after another, one site after another, sharing nothing with the kernels.

#include <array>
#include <complex>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::app {

using NaiveMatrix = std::array<std::array<std::complex<double>, 3>, 3>;
using NaiveVector = std::array<std::complex<double>, 3>;

NaiveMatrix operator*(const NaiveMatrix& a, const NaiveMatrix& b);
NaiveVector operator*(const NaiveMatrix& a, const NaiveVector& b);
NaiveMatrix adjoint(const NaiveMatrix& a);

class NaiveLinks {
 public:
  explicit NaiveLinks(const Coordinate& size);

  const Coordinate& size() const { return size_; }
  std::size_t volume() const { return links_.size() / 4; }
  std::size_t site(const Coordinate& x) const;
  Coordinate coordinate(std::size_t site) const;
  std::size_t step(std::size_t site, int mu, int by) const;
  NaiveMatrix& operator()(std::size_t site, int mu) { return links_[4 * site + std::size_t(mu)]; }
  const NaiveMatrix& operator()(std::size_t site, int mu) const { return links_[4 * site + std::size_t(mu)]; }

 private:
  Coordinate size_;
  std::vector<NaiveMatrix> links_;
};

// exp(X) U, X = traceless anti-Hermitian part of rho (sum of staples) U^dagger; the exponential as a series.
NaiveLinks naive_stout(const NaiveLinks& u, double rho, int levels);

// D psi for one flavour; psi by site.
std::vector<NaiveVector> naive_staggered(const NaiveLinks& u, const QuarkInput& quarks, const FlavourInput& flavour,
                                         const std::vector<NaiveVector>& psi);

// g(x) U_mu(x) g(x + mu)^dagger
NaiveLinks naive_transformed(const NaiveLinks& u, const std::vector<NaiveMatrix>& g);

}  // namespace trellis::app

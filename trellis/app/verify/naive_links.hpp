// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links, colour vectors, the staggered operator and the gradient flow from the formulas of docs/design.md, for
// comparison in `trellis verify`: one complex number after another, one site after another, sharing nothing with the
// kernels.

#include <array>
#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::app {

using NaiveMatrix = std::array<std::array<std::complex<double>, 3>, 3>;
using NaiveVector = std::array<std::complex<double>, 3>;

NaiveMatrix operator*(const NaiveMatrix& a, const NaiveMatrix& b);
NaiveVector operator*(const NaiveMatrix& a, const NaiveVector& b);
NaiveMatrix adjoint(const NaiveMatrix& a);
NaiveMatrix scaled(std::complex<double> s, NaiveMatrix a);
void add(NaiveMatrix& to, const NaiveMatrix& a);
NaiveMatrix naive_identity();

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

// The product of links along a path from x; steps are +-(mu + 1).
NaiveMatrix naive_path(const NaiveLinks& u, std::size_t x, const std::vector<int>& steps);

// exp(X) U, X = traceless anti-Hermitian part of rho (sum of staples) U^dagger; the exponential as a series. With three
// dimensions only spatial links, by their spatial staples. Links that are not variables stay.
NaiveLinks naive_stout(const NaiveLinks& u, double rho, int levels, int dimensions = 4,
                       const gauge::Boundary& boundary = {});

// One step of Luescher's third-order scheme for the flow of the action with this c1 (gauge/flow.hpp). On open
// boundaries links in space flow as if the staples in time were also there beyond.
NaiveLinks naive_flow_step(const NaiveLinks& u, double c1, double step, const gauge::Boundary& boundary = {});

// (C - C^dagger) / 8, C the sum of the four plaquettes from x that turn from mu to nu.
NaiveMatrix naive_leaves(const NaiveLinks& u, std::size_t x, int mu, int nu);
// F_{mu nu}: -i times its traceless part.
NaiveMatrix naive_field_strength(const NaiveLinks& u, std::size_t x, int mu, int nu);

// The links of a quark's hops, of one step and, for improved operators, of three. Each of the latter leads from
// x + 3 mu to x.
struct NaiveHopLinks {
  NaiveLinks one_step;
  std::optional<NaiveLinks> three_steps = {};
};

// sum over mu and distances d of eta_mu(x) / 2 [f v_mu(x) U_mu(x) psi(x + d mu) - b conj(v_mu) U_mu^dagger psi(x - d
// mu)] for one flavour, psi by site, v the product of the phases u of d links. {f, b} = weights(mu, link's site, d):
// those of D are 1. With boundaries in time nothing hops from, to or across slices without quarks.
using NaiveHopWeights =
    std::function<std::array<std::complex<double>, 2>(int mu, const Coordinate& site, int distance)>;
std::vector<NaiveVector> naive_hops(const NaiveHopLinks& links, const QuarkInput& quarks, const FlavourInput& flavour,
                                    const NaiveHopWeights& weights, const std::vector<NaiveVector>& psi);
// D psi
std::vector<NaiveVector> naive_staggered(const NaiveHopLinks& links, const QuarkInput& quarks,
                                         const FlavourInput& flavour, const std::vector<NaiveVector>& psi);
// The angle of a link in a field of one quantum in a plane of BackgroundInput.
double naive_flux_angle(const Coordinate& size, std::size_t plane, const Coordinate& x, int mu);

// g(x) U_mu(x) g(x + distance mu)^dagger
NaiveLinks naive_transformed(const NaiveLinks& u, const std::vector<NaiveMatrix>& g, int distance = 1);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/gaussian_smearing.hpp"

#include <algorithm>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/phase.hpp"
#include "trellis/gauge/smearing/projected.hpp"
#include "trellis/gauge/smearing/spatial_stout.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::measure {

namespace {

// Multiplies the links that leave the lattice in a direction by the boundary phase. Not their ghosts.
template <int W>
void twist(int direction, double angle_over_pi, const GaugeField<double, W>& u) {
  using S = lanes_t<double, W>;
  const std::complex<double> phase = phase_of(angle_over_pi);
  const double re = phase.real(), im = phase.imag();
  const Lattice& lattice = u.lattice();
  std::int64_t step = 1;  // between neighbouring sites in this direction
  for (int i = 0; i < direction; ++i) step *= lattice.size(i);
  const int length = lattice.size(direction);
  const auto links = u.access();
  const auto sites = lattice.tile_sites();
  for_each_tile(
      {"twist", bytes_of(u, u) / 4}, lattice, TRELLIS_KERNEL(int tile) {
        const LaneSites own = sites(tile);
        S leaves(0.0);
        for (const int l : own_lanes<S>())
          if (own[l] / step % length == length - 1) set_lane(leaves, l, 1.0);
        Matrix<S> link = links.link(tile, direction);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const complex<S> v = link.e[i][j];
            link.e[i][j] =
                select(leaves > S(0.0), complex<S>{S(re) * v.re - S(im) * v.im, S(re) * v.im + S(im) * v.re}, v);
          }
        links.set_link(tile, direction, link);
      });
}

// Colour vector n of a tile: spin n % 4 of spinor n / 4.
template <class S, int W>
TRELLIS_INLINE ColourVector<S> load(const ParityAccess<double, 24, W>& spinors, int tile, int n) {
  const auto p = spinors.at(tile, n / 4);
  ColourVector<S> v;
  for (int c = 0; c < 3; ++c) v.e[c] = load_complex<S>(p, 3 * (n % 4) + c);
  return v;
}
template <class S, int W>
TRELLIS_INLINE ColourVector<S> load(const ParityAccess<double, 24, W>& spinors, int tile, int n, const Hop& hop,
                                    const Neighbours& neighbours) {
  const auto v = load<S, W>(spinors, tile, n);
  if (hop.shift == 0) [[likely]]
    return v;
  const std::int32_t* lanes = neighbours.permutation(hop.shift);
  ColourVector<S> w;
  for (int i = 0; i < 3; ++i) w.e[i] = {permute(v.e[i].re, lanes), permute(v.e[i].im, lanes)};
  return w;
}

}  // namespace

GaussianParameters::Weights GaussianParameters::weights() const {
  if (!width) return {1 / (1 + 6 * alpha), 1, alpha};
  const double hop = *width * *width / (4 * std::max(steps, 1));
  return {1, 1 - 6 * hop, hop};
}

bool GaussianParameters::modes_grow() const { return width && weights().hop > 1.0 / 6; }

template <int W>
GaugeField<double, W> smeared_links(const GaussianParameters& p, const GaugeField<double, W>& u) {
  switch (p.links) {
    case SourceLinks::ape:
      return gauge::ape_smeared({.dimensions = 3, .alpha = p.links_alpha[0], .levels = p.levels}, u);
    case SourceLinks::hyp:
      return gauge::hyp_smeared({.dimensions = 3, .alpha = {p.links_alpha[0], p.links_alpha[1], 0}, .levels = p.levels},
                                u);
    default:
      return gauge::spatial_stout(p.rho, p.levels, u);
  }
}

template <int W>
GaussianSmearing<W>::GaussianSmearing(const GaussianParameters& parameters,
                                      const std::array<double, 4>& boundary_angle_over_pi,
                                      const GaugeField<double, W>& u)
    : parameters_(parameters) {
  if (parameters.width && !(*parameters.width >= 0 && *parameters.width <= 1000))
    fail_input("Gaussian smearing: width {}; it must be from 0 to 1000", *parameters.width);
  if (!(parameters.alpha >= 0 && parameters.alpha <= 1000))
    fail_input("Gaussian smearing: alpha {}; it must be from 0 to 1000", parameters.alpha);
  if (parameters.steps < 0) fail_input("Gaussian smearing: {} steps; there cannot be fewer than 0", parameters.steps);
  links_ = smeared_links(parameters, u);
  bool shared = parameters.levels == 0, twisted = false;
  for (int i = 0; i < 3; ++i) {
    if (boundary_angle_over_pi[i] == 0) continue;
    if (std::exchange(shared, false)) links_ = links_.clone();
    twist(i, boundary_angle_over_pi[i], links_);
    twisted = true;
  }
  if (twisted) links_.exchange(Reach::near, Faces::backward);
}

namespace {

inline constexpr int vectors_at_once = 4;  // colour vectors that a GPU thread multiplies by the links in its registers

// out <- scale (own + hop times the sum over hops) in
template <int W>
void smear(const GaugeField<double, W>& field, const GaussianParameters::Weights& weights,
           const FullSpinors<double, W>& in, const FullSpinors<double, W>& out) {
  using S = lanes_t<double, W>;
  const auto u = field.access();
  const double scale = weights.scale, own = weights.own, hop = weights.hop;
  const int odd = in.part[1].first_tile(), vectors = 4 * in.count();
  const double sites = double(in.lattice().local_parity_volume());
  const Coordinate& ghosts = in.lattice().ghost_directions();
  if (ghosts[0] + ghosts[1] + ghosts[2] > 0)
    for (const auto& part : in.part) exchange_vectors(part);
  for (const int parity : {0, 1}) {
    const auto here = in.part[parity].access(), there = in.part[1 - parity].access(), to = out.part[parity].access();
    const Kernel kernel{"Gaussian smearing", 3 * bytes_of(in.part[0]) + 6 * 144 * sites, 444 * sites * vectors};
    for_each_batch<vectors_at_once>(
        kernel, in.lattice(), vectors, TRELLIS_KERNEL(int tile, int first, int last) {
          const int place = parity * odd + tile;
          Matrix<S> links[6];
          Hop hops[6];
          for (int i = 0; i < 3; ++i) {
            hops[i] = u.neighbours(place, i);
            hops[3 + i] = u.neighbours(place, backward(i));
            links[i] = u.link(place, i);
            links[3 + i] = adjoint(u.link(hops[3 + i], i));
          }
          for (int n = first; n < last; ++n) {
            ColourVector<S> sum = ColourVector<S>::zero();
            for (int k = 0; k < 6; ++k) {
              const int from = hops[k].tile - (1 - parity) * odd;
              sum = multiply_add(links[k], load<S, W>(there, from, n, hops[k], u.neighbours), sum);
            }
            const auto psi = load<S, W>(here, tile, n);
            const ColourVector<S> result = S(scale) * fma(S(hop), sum, S(own) * psi);
            const auto p = to.at(tile, n / 4);
            for (int c = 0; c < 3; ++c) store_complex(p, 3 * (n % 4) + c, result.e[c]);
          }
        });
  }
}

}  // namespace

template <int W>
void GaussianSmearing<W>::operator()(const FullSpinors<double, W>& psi) const {
  if (!(psi.lattice() == links_.lattice())) fail("Gaussian smearing: quarks and links are on different lattices");
  if (parameters_.steps == 0) return;
  auto from = psi, to = psi.like();
  for (int k = 0; k < parameters_.steps; ++k) {
    smear(links_, parameters_.weights(), from, to);
    std::swap(from, to);
  }
  if (parameters_.steps % 2 == 1)
    for (const int parity : {0, 1}) psi.part[parity].copy_from(from.part[parity]);
}

#define TRELLIS_INSTANTIATE(W)                                                                           \
  template GaugeField<double, W> smeared_links(const GaussianParameters&, const GaugeField<double, W>&); \
  template class GaussianSmearing<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/gaussian_smearing.hpp"

#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/phase.hpp"
#include "trellis/gauge/spatial_stout.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::measure {

namespace {

// The links that leave the lattice in a direction, times the phase that a field gets there.
template <int W>
void twist(int direction, double angle_over_pi, const GaugeField<double, W>& u) {
  const std::complex<double> phase = phase_of(angle_over_pi);
  const Lattice& lattice = u.lattice();
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate x = lattice.coordinate(n);
    if (x[direction] != lattice.size(direction) - 1) continue;
    auto link = u.link(x, direction);
    for (std::size_t k = 0; k < 18; k += 2) {
      const auto value = phase * std::complex(link[k], link[k + 1]);
      link[k] = value.real();
      link[k + 1] = value.imag();
    }
    u.set_link(x, direction, link);
  }
}

template <class S, int W>
TRELLIS_INLINE ColourVector<S> load(const double* p, const Hop& hop, const Neighbours& neighbours) {
  const auto v = ParityAccess<double, 6, W>::load_vector(p);
  if (hop.shift == 0) [[likely]]
    return v;
  const std::int32_t* lanes = neighbours.permutation(hop.shift);
  ColourVector<S> w;
  for (int i = 0; i < 3; ++i) w.e[i] = {permute(v.e[i].re, lanes), permute(v.e[i].im, lanes)};
  return w;
}

}  // namespace

template <int W>
GaussianSmearing<W>::GaussianSmearing(const GaussianParameters& parameters,
                                      const std::array<double, 4>& boundary_angle_over_pi,
                                      const GaugeField<double, W>& u)
    : parameters_(parameters) {
  if (!(parameters.alpha >= 0 && parameters.alpha <= 1000))
    fail_input("Gaussian smearing: alpha {}; it must be from 0 to 1000", parameters.alpha);
  if (parameters.steps < 0) fail_input("Gaussian smearing: {} steps; there cannot be fewer than 0", parameters.steps);
  links_ = gauge::spatial_stout(parameters.rho, parameters.levels, u);
  bool shared = parameters.levels == 0;
  for (int i = 0; i < 3; ++i) {
    if (boundary_angle_over_pi[i] == 0) continue;
    if (std::exchange(shared, false)) links_ = links_.clone();
    twist(i, boundary_angle_over_pi[i], links_);
  }
}

template <int W>
void GaussianSmearing<W>::step(const FullSpinors<double, W>& in, const FullSpinors<double, W>& out) const {
  using S = lanes_t<double, W>;
  const auto u = links_.access();
  const S alpha(parameters_.alpha), norm(1 / (1 + 6 * parameters_.alpha));
  const int half = in.part[0].tiles(), vectors = 4 * in.count();
  const double sites = double(in.lattice().volume() / 2);
  for (const int parity : {0, 1}) {
    const auto here = in.part[parity].access(), there = in.part[1 - parity].access(), to = out.part[parity].access();
    const Kernel kernel{"Gaussian smearing", 3 * bytes_of(in.part[0]) + 6 * 144 * sites, 444 * sites * vectors};
    for_each_half_tile(kernel, in.lattice(), [=](int tile) {
      const int place = parity * half + tile;
      Matrix<S> links[6];
      Hop hops[6];
      for (int i = 0; i < 3; ++i) {
        hops[i] = u.neighbours(place, i);
        hops[3 + i] = u.neighbours(place, backward(i));
        links[i] = u.link(place, i);
        links[3 + i] = adjoint(u.link(hops[3 + i], i));
      }
      for (int n = 0; n < vectors; ++n) {
        const int offset = 6 * W * n;
        ColourVector<S> sum = ColourVector<S>::zero();
        for (int k = 0; k < 6; ++k) {
          const double* from = there.at(hops[k].tile - (1 - parity) * half, 0) + offset;
          sum = multiply_add(links[k], load<S, W>(from, hops[k], u.neighbours), sum);
        }
        const auto psi = ParityAccess<double, 6, W>::load_vector(here.at(tile, 0) + offset);
        const ColourVector<S> result = norm * fma(alpha, sum, psi);
        double* p = to.at(tile, 0) + offset;
        for (int c = 0; c < 3; ++c) {
          store_lanes<S>(p + 2 * c * W, result.e[c].re);
          store_lanes<S>(p + (2 * c + 1) * W, result.e[c].im);
        }
      }
    });
  }
}

template <int W>
void GaussianSmearing<W>::operator()(const FullSpinors<double, W>& psi) const {
  if (!(psi.lattice() == links_.lattice())) fail("Gaussian smearing: quarks and links are on different lattices");
  if (parameters_.steps == 0) return;
  auto from = psi, to = psi.like();
  for (int k = 0; k < parameters_.steps; ++k) {
    step(from, to);
    std::swap(from, to);
  }
  if (parameters_.steps % 2 == 1)
    for (const int parity : {0, 1}) psi.part[parity].copy_from(from.part[parity]);
}

#define TRELLIS_INSTANTIATE(W) template class GaussianSmearing<W>;
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::measure

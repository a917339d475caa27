// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/action.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loop_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

double rectangle_coefficient(const std::string& name) {
  if (name == "wilson") return 0;
  if (name == "symanzik") return -1.0 / 12;
  if (name == "iwasaki") return -0.331;
  if (name == "dbw2") return -1.4088;
  fail_input("unknown gauge action '{}'; known are wilson, symanzik, iwasaki, dbw2", name);
}

namespace {

template <class T, int W>
double sites(const GaugeField<T, W>& u) {
  return double(u.lattice().volume());
}

// A site's loops: two products and a trace of 35 flops a plaquette, four and a trace a rectangle.
double density_flops(const LoopWeights& weights) {
  return 6 * (2 * product_flops + 35) + (weights.rectangle != 0 ? 12 * (4 * product_flops + 35) : 0);
}

// sum over planes of weight (1 - Re tr / 3), the loops that start at the tile's sites.
template <class T, int W>
TRELLIS_HOST_CALL lanes_t<T, W> action_density(const LoopWeights& weights, const GaugeAccess<T, W>& u, int tile) {
  using S = lanes_t<T, W>;
  const S third = S(T(1.0 / 3)), one = S(T(1));
  S plaquettes = S(T(0)), rectangles = S(T(0));
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      plaquettes = plaquettes + negated_fma(third, plaquette_trace(u, tile, mu, nu), one);
      if (weights.rectangle != 0) {
        rectangles = rectangles + negated_fma(third, rectangle_trace(u, tile, mu, nu), one);
        rectangles = rectangles + negated_fma(third, rectangle_trace(u, tile, nu, mu), one);
      }
    }
  return fma(S(T(weights.rectangle)), rectangles, S(T(weights.plaquette)) * plaquettes);
}

}  // namespace

template <class T, int W>
double action(const LoopWeights& weights, const GaugeField<T, W>& u) {
  using D = lanes_t<double, W>;
  const auto links = u.access();
  const Kernel kernel{"gauge action", bytes_of(u), sites(u) * density_flops(weights), is_single<T>};
  return sum_over_tiles<D, 1>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        sums[0].add(convert<double>(action_density(weights, links, tile)));
      })[0];
}

template <class T, int W>
double action_difference(const LoopWeights& weights, const GaugeField<T, W>& after, const GaugeField<T, W>& before) {
  using D = lanes_t<double, W>;
  const auto a = after.access(), b = before.access();
  const Kernel kernel{"gauge action difference", bytes_of(after, before), sites(after) * 2 * density_flops(weights),
                      is_single<T>};
  return sum_over_tiles<D, 1>(
      kernel, after.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        sums[0].add(convert<double>(action_density(weights, a, tile)) -
                    convert<double>(action_density(weights, b, tile)));
      })[0];
}

namespace {

// Im tr(T_a U_mu V_mu^dagger) for the four links of the tile's sites, plaquettes only. Plane by plane, because its two
// directions share links; the plaquette that starts at the site serves both, once with each sign, since
// Im tr(T P^dagger) = -Im tr(T P). 46 matrix products.
template <class T, int W>
TRELLIS_INLINE void plaquette_force(const GaugeAccess<T, W>& u, const AlgebraAccess<T, W>& p, int tile, int following,
                                    Algebra<lanes_t<T, W>> force[4]) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  Matrix<S> below[4];
  for (int mu = 0; mu < 4; ++mu) below[mu] = Matrix<S>::zero();
  for (int mu = 0; mu < 4; ++mu)
    for (int k = 0; k < 8; ++k) force[mu].p[k] = S(T(0));
  int plane = 0;
  for (int mu = 0; mu < 3; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      const Hop ahead = next(tile, mu), up = next(tile, nu);
      u.prefetch_stencil(following, 2 * plane, 12);
      const Matrix<S> w = multiply_adjoint(u.link(tile, mu) * u.link(ahead, nu), u.link(tile, nu) * u.link(up, mu));
      const Algebra<S> f = imaginary_trace(w);
      force[mu] = force[mu] + f;
      force[nu] = force[nu] - f;
      u.prefetch_stencil(following, 2 * plane + 1, 12);
      const Hop down = next(tile, backward(nu)), behind = next(tile, backward(mu));
      below[mu] =
          multiply_add(adjoint_multiply(u.link(down, nu), u.link(down, mu)), u.link(next(down, mu), nu), below[mu]);
      p.prefetch(following, plane++, 6);
      below[nu] = multiply_add(adjoint_multiply(u.link(behind, mu), u.link(behind, nu)), u.link(next(behind, nu), mu),
                               below[nu]);
    }
  for (int mu = 0; mu < 4; ++mu) force[mu] = force[mu] + imaginary_trace(multiply_adjoint(u.link(tile, mu), below[mu]));
}

// The same of one link, direction mu, in the same order of operations: what a thread of a GPU does, whose registers
// would not hold four. The plaquettes that start at the site are made twice; 64 matrix products a site.
template <class T, int W>
TRELLIS_INLINE Algebra<lanes_t<T, W>> plaquette_force(const GaugeAccess<T, W>& u, int tile, int mu) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  Matrix<S> below = Matrix<S>::zero();
  Algebra<S> force;
  for (int k = 0; k < 8; ++k) force.p[k] = S(T(0));
  for (int other = 0; other < 3; ++other) {
    const int nu = other < mu ? other : other + 1;
    const int first = nu < mu ? nu : mu, second = nu < mu ? mu : nu;
    const Matrix<S> w = multiply_adjoint(u.link(tile, first) * u.link(next(tile, first), second),
                                         u.link(tile, second) * u.link(next(tile, second), first));
    const S sign = S(T(nu < mu ? -1 : 1));
    force = fma(sign, imaginary_trace(w), force);
    const Hop down = next(tile, backward(nu));
    below = multiply_add(adjoint_multiply(u.link(down, nu), u.link(down, mu)), u.link(next(down, mu), nu), below);
  }
  return force + imaginary_trace(multiply_adjoint(u.link(tile, mu), below));
}

// p += scaled times the force.
template <class T, int W>
void add_plaquette_force_by_tiles(const Kernel& kernel, const GaugeField<T, W>& u, T scaled,
                                  const AlgebraField<T, W>& p) {
  using S = lanes_t<T, W>;
  const auto links = u.access();
  const auto momenta = p.access();
  for_each_tile(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, int following) {
        Algebra<S> force[4];
        plaquette_force(links, momenta, tile, following, force);
        for (int mu = 0; mu < 4; ++mu) momenta.set(tile, mu, fma(S(scaled), force[mu], momenta.at(tile, mu)));
      });
}
template <class T, int W>
void add_plaquette_force_by_links(const Kernel& kernel, const GaugeField<T, W>& u, T scaled,
                                  const AlgebraField<T, W>& p) {
  using S = lanes_t<T, W>;
  const auto links = u.access();
  const auto momenta = p.access();
  for_each_link(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, int mu) {
        momenta.set(tile, mu, fma(S(scaled), plaquette_force(links, tile, mu), momenta.at(tile, mu)));
      });
}

}  // namespace

template <class T, int W>
void add_force(const LoopWeights& weights, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p,
               RectangleForce<T, W>& rectangles) {
  if (weights.rectangle != 0) return rectangles(weights, u, step, p);
  // F_a = -1/3 Im tr(T_a U V^dagger)
  const T scaled = T(-step / 3 * weights.plaquette);
  const Kernel kernel{"gauge force", bytes_of(u, p, p), sites(u) * 46 * product_flops, is_single<T>};
  if constexpr (can_access<FieldSpace, HostSpace>)
    add_plaquette_force_by_tiles(kernel, u, scaled, p);
  else
    add_plaquette_force_by_links(kernel, u, scaled, p);
}

template <class T, int W>
void add_force(const LoopWeights& weights, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p) {
  RectangleForce<T, W> rectangles;
  add_force(weights, u, step, p, rectangles);
}

#define TRELLIS_INSTANTIATE_FOR(T, W)                                                                            \
  template double action<T, W>(const LoopWeights&, const GaugeField<T, W>&);                                     \
  template double action_difference<T, W>(const LoopWeights&, const GaugeField<T, W>&, const GaugeField<T, W>&); \
  template void add_force<T, W>(const LoopWeights&, const GaugeField<T, W>&, double, const AlgebraField<T, W>&,  \
                                RectangleForce<T, W>&);                                                          \
  template void add_force<T, W>(const LoopWeights&, const GaugeField<T, W>&, double, const AlgebraField<T, W>&);
#define TRELLIS_INSTANTIATE(W)      \
  TRELLIS_INSTANTIATE_FOR(float, W) \
  TRELLIS_INSTANTIATE_FOR(double, W)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::gauge

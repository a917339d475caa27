// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/spatial_stout.hpp"

#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/gauge/staple.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/exponential.hpp"

namespace trellis::gauge {

namespace {

template <class T, int W>
TRELLIS_FUNCTION Matrix<lanes_t<T, W>> spatial_staple(const GaugeAccess<T, W>& u, int tile, int direction) {
  using S = lanes_t<T, W>;
  Matrix<S> v = Matrix<S>::zero();
  for (int side = 0; side < 3; ++side) {
    if (side == direction) continue;
    v = v + staple_detail::forward_staple(u, Hop{tile, 0}, direction, side);
    v = v + staple_detail::backward_staple(u, Hop{tile, 0}, direction, side);
  }
  return v;
}

// Takes back the links in space on the first and the last slice of a Schroedinger functional, and beyond.
template <class T, int W>
void keep_fixed(const Boundary& boundary, const GaugeField<T, W>& from, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const TimeSlice variable(from.lattice(), 1, boundary.extent - 1);
  const auto u = from.access(), out = to.access();
  for_each_tile(
      {"fixed links", bytes_of(from, to, to) * 3 / 4}, from.lattice(), TRELLIS_KERNEL(int tile) {
        const mask_t<S> here = variable.template lanes_of<S>(tile);
        for (int i = 0; i < 3; ++i) {
          const Matrix<S> fixed = u.link(tile, i);
          Matrix<S> link = out.link(tile, i);
          for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column)
              link.e[row][column] = select(here, link.e[row][column], fixed.e[row][column]);
          out.set_link(tile, i, link);
        }
      });
}

template <class T, int W>
void step(double rho, const Boundary& boundary, const GaugeField<T, W>& from, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto u = from.access(), out = to.access();
  const T twice_rho = T(2 * rho);
  const Kernel kernel{"spatial stout", bytes_of(from, to),
                      double(from.lattice().local_volume()) * 3 * (9 * product_flops + 700), is_single<T>};
  for_each_tile(
      kernel, from.lattice(), TRELLIS_KERNEL(int tile) {
        for (int i = 0; i < 3; ++i) {
          const Matrix<S> link = u.link(tile, i);
          // X = i Q with Q = q_a T_a, q_a = 2 rho Im tr(T_a V U^dagger)
          Algebra<S> q = imaginary_trace(multiply_adjoint(spatial_staple(u, tile, i), link));
          for (auto& p : q.p) p = S(twice_rho) * p;
          out.set_link(tile, i, exp_i(to_matrix(q)) * link);
        }
        out.set_link(tile, 3, u.link(tile, 3));
      });
  if (boundary.kind == BoundaryKind::schroedinger_functional) keep_fixed(boundary, from, to);
  to.exchange(Reach::corners);
}

}  // namespace

template <class T, int W>
GaugeField<T, W> spatial_stout(double rho, int steps, const GaugeField<T, W>& u, const Boundary& boundary) {
  if (!(rho >= 0 && rho <= 0.5)) fail_input("spatial stout smearing: rho {}; it must be from 0 to 0.5", rho);
  if (steps < 0) fail_input("spatial stout smearing: {} steps; there cannot be fewer than 0", steps);
  if (steps == 0) return u;
  GaugeField<T, W> smeared(u.lattice(), "spatially smeared links");
  step(rho, boundary, u, smeared);
  if (steps == 1) return smeared;
  GaugeField<T, W> other(u.lattice(), "spatially smeared links");
  for (int k = 1; k < steps; ++k) {
    step(rho, boundary, smeared, other);
    std::swap(smeared, other);
  }
  return smeared;
}

#define TRELLIS_INSTANTIATE(W) \
  template GaugeField<double, W> spatial_stout(double, int, const GaugeField<double, W>&, const Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge

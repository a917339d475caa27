// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/topology/charge_derivative.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/field_strength.hpp"
#include "trellis/gauge/plaquette_shares.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

template <class S>
TRELLIS_INLINE Algebra<S> negative(const Algebra<S>& a) {
  return Algebra<S>::zero() - a;
}

// 0 in the other lanes.
template <class S>
TRELLIS_INLINE Algebra<S> selected(const mask_t<S>& lanes, const Algebra<S>& a) {
  Algebra<S> r;
  for (int k = 0; k < 8; ++k) r.p[k] = select(lanes, a.p[k], S(scalar_t<S>(0)));
  return r;
}

template <class S>
TRELLIS_INLINE Matrix<S> negative_imaginary(const Matrix<S>& m) {
  Matrix<S> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.e[i][j] = {m.e[i][j].im, S(scalar_t<S>(0)) - m.e[i][j].re};
  return r;
}

template <class T, int W>
struct DualAccess {
  using S = lanes_t<T, W>;
  AlgebraAccess<T, W> half[2];
  Neighbours next;

  // G_mu,nu of the sites that a hop leads to, for mu < nu.
  TRELLIS_INLINE Matrix<S> at(Hop hop, int mu, int nu) const {
    const int plane = mu == 0 ? nu - 1 : mu + nu;
    return to_matrix(algebra_at(half[plane / 3], next, hop, 8 * (plane % 3)));
  }
};

// The six products of a staple's links and G, on one side: `sum` gets the insertions away from the link, `staple` the
// staple itself. A, B, C are the links after, beside and before it: the staple is A B^dagger C from x + mu to x.
template <class S>
TRELLIS_INLINE void insert_in_staple(const Matrix<S>& a, const Matrix<S>& b, const Matrix<S>& c, const Matrix<S>& far,
                                     const Matrix<S>& near, Matrix<S>& sum, Matrix<S>& staple) {
  staple = multiply_adjoint(a, b) * c;
  sum = a * (multiply_adjoint(far, b) + adjoint_multiply(b, near)) * c;
}

// -i times the derivative by U_mu(x) of the plaquettes in the plane of mu and nu, without the factor.
template <class T, int W>
TRELLIS_HOST_CALL Matrix<lanes_t<T, W>> plane_derivative(const GaugeAccess<T, W>& u, const DualAccess<T, W>& g,
                                                         int tile, int mu, int nu) {
  using S = lanes_t<T, W>;
  const Neighbours& next = u.neighbours;
  const int first = mu < nu ? mu : nu, second = mu < nu ? nu : mu;
  const Hop here{tile, 0};
  const Hop ahead = next(here, mu), up = next(here, nu), down = next(here, backward(nu));
  const Hop corner_above = next(ahead, nu), corner_below = next(ahead, backward(nu));
  Matrix<S> above, below, staple_above, staple_below;
  insert_in_staple(u.link(ahead, nu), u.link(up, mu), adjoint(u.link(here, nu)), g.at(corner_above, first, second),
                   g.at(up, first, second), above, staple_above);
  insert_in_staple(adjoint(u.link(corner_below, nu)), u.link(down, mu), u.link(down, nu),
                   g.at(corner_below, first, second), g.at(down, first, second), below, staple_below);
  // The lower plaquette turns the other way.
  const Matrix<S> staples = staple_above - staple_below;
  const Matrix<S> sum = above - below + staples * g.at(here, first, second) + g.at(ahead, first, second) * staples;
  return mu < nu ? sum : Matrix<S>::zero() - sum;
}

}  // namespace

template <class T, int W>
ChargeDerivative<T, W>::ChargeDerivative(const Lattice& lattice, const Boundary& boundary)
    : inside_(lattice, boundary.is_periodic() ? 0 : 1,
              boundary.last_slice(lattice.size()) - (boundary.is_periodic() ? 0 : 1)),
      dual_{AlgebraField<T, W>(lattice, "field strength"), AlgebraField<T, W>(lattice, "field strength")},
      derivative_(lattice, "derivative of the topological charge") {}

template <class T, int W>
double ChargeDerivative<T, W>::charge(const GaugeField<T, W>& u) const {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const auto links = u.access();
  const auto first = dual_[0].access(), second = dual_[1].access();
  const TimeSlice slices = inside_;
  const Kernel kernel{"topological charge", bytes_of(u) + 0.75 * bytes_of(dual_[0], dual_[1]),
                      double(u.lattice().local_volume()) * 60 * product_flops, is_single<T>};
  const auto sums = sum_over_tiles<D, 1>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        Algebra<S> xy = field_strength(links, tile, 0, 1), zt = field_strength(links, tile, 2, 3);
        Algebra<S> xz = field_strength(links, tile, 0, 2), yt = field_strength(links, tile, 1, 3);
        Algebra<S> yz = field_strength(links, tile, 1, 2), xt = field_strength(links, tile, 0, 3);
        if (const mask_t<S> inside = slices.template lanes_of<S>(tile); !all(inside)) {
          xy = selected(inside, xy);
          xz = selected(inside, xz);
          xt = selected(inside, xt);
          yz = selected(inside, yz);
          yt = selected(inside, yt);
          zt = selected(inside, zt);
        }
        first.set(tile, 0, zt);
        first.set(tile, 1, negative(yt));
        first.set(tile, 2, yz);
        second.set(tile, 0, xt);
        second.set(tile, 1, negative(xz));
        second.set(tile, 2, xy);
        out[0].add(convert<double>(charge_density(xy, xz, xt, yz, yt, zt)));
      });
  for (const auto& field : dual_) field.exchange(Reach::corners);
  return sums[0] * charge_of_density;
}

template <class T, int W>
const GaugeField<T, W>& ChargeDerivative<T, W>::derivative(double scale, const GaugeField<T, W>& u) const {
  using S = lanes_t<T, W>;
  const auto links = u.access(), out = derivative_.access();
  const DualAccess<T, W> dual{{dual_[0].access(), dual_[1].access()}, u.lattice().neighbours()};
  const T factor = T(0.5 * scale * charge_of_density);
  const Kernel kernel{"derivative of the topological charge", bytes_of(u, derivative_, dual_[0], dual_[1]),
                      double(u.lattice().local_volume()) * 168 * product_flops, is_single<T>};
  for_each_link(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, int mu) {
        Matrix<S> sum = Matrix<S>::zero();
        for (int nu = 0; nu < 4; ++nu)
          if (nu != mu) sum = sum + plane_derivative(links, dual, tile, mu, nu);
        out.set_link(tile, mu, S(factor) * negative_imaginary(sum));
      });
  return derivative_;
}

#define TRELLIS_INSTANTIATE(W) template class ChargeDerivative<double, W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge

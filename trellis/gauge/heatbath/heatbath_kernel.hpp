// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Heatbath and overrelaxation of one link in registers. SU(2) elements are g = a0 + i (a1, a2, a3).sigma, embedded in
// two rows and columns of a matrix; their arithmetic is in double precision, whatever the field's.

#include "trellis/core/random.hpp"
#include "trellis/gauge/lane_mask.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::gauge::heatbath_detail {

template <class D>
struct Quaternion {
  D a[4];
};

template <class D>
TRELLIS_INLINE Quaternion<D> operator*(const Quaternion<D>& x, const Quaternion<D>& y) {
  const D *a = x.a, *b = y.a;
  return {{negated_fma(a[3], b[3], negated_fma(a[2], b[2], negated_fma(a[1], b[1], a[0] * b[0]))),
           fma(a[3], b[2], negated_fma(a[2], b[3], fma(a[1], b[0], a[0] * b[1]))),
           fma(a[1], b[3], negated_fma(a[3], b[1], fma(a[2], b[0], a[0] * b[2]))),
           fma(a[2], b[1], negated_fma(a[1], b[2], fma(a[3], b[0], a[0] * b[3])))}};
}

// r with Re tr(g m) = r.g for g in rows and columns i and j, as length and direction; the direction is 1 if r is 0.
template <class S>
TRELLIS_INLINE auto subgroup_part(const Matrix<S>& m, int i, int j, lanes_t<double, lane_count<S>>& length) {
  using D = lanes_t<double, lane_count<S>>;
  Quaternion<D> r{{convert<double>(m.e[i][i].re + m.e[j][j].re), convert<double>(-(m.e[i][j].im + m.e[j][i].im)),
                   convert<double>(m.e[j][i].re - m.e[i][j].re), convert<double>(m.e[j][j].im - m.e[i][i].im)}};
  D square = r.a[0] * r.a[0];
  for (int k = 1; k < 4; ++k) square = fma(r.a[k], r.a[k], square);
  length = sqrt(square);
  const auto found = length > D(1e-100);
  const D inverse = D(1.0) / select(found, length, D(1.0));
  for (int k = 0; k < 4; ++k) r.a[k] = select(found, inverse * r.a[k], D(k == 0 ? 1.0 : 0.0));
  return r;
}

// m <- g m
template <class S, class D>
TRELLIS_INLINE void multiply_rows(const Quaternion<D>& g, int i, int j, Matrix<S>& m) {
  using T = scalar_t<S>;
  const S a0 = convert<T>(g.a[0]), a1 = convert<T>(g.a[1]), a2 = convert<T>(g.a[2]), a3 = convert<T>(g.a[3]);
  const complex<S> ii{a0, a3}, ij{a2, a1}, ji{-a2, a1}, jj{a0, -a3};
  for (int c = 0; c < 3; ++c) {
    const complex<S> x = m.e[i][c], y = m.e[j][c];
    m.e[i][c] = fma(ij, y, ii * x);
    m.e[j][c] = fma(jj, y, ji * x);
  }
}

inline constexpr std::uint32_t draws_a_subgroup = 1 << 20;
inline constexpr std::uint32_t most_attempts = 10000;  // each succeeds with a probability of at least 0.4

// x = 1 - a0, where a0 has the density sqrt(1 - a0^2) exp(coupling a0), in the lanes l with active[l].
// Kennedy and Pendleton's method for couplings above 0.9; below, a uniform point on the sphere is accepted with
// probability exp(-coupling x). Each attempt takes four uniform numbers: draws first + 2 n and first + 2 n + 1.
template <class D, class Sites, class Active>
TRELLIS_NOINLINE D draw_one_minus_a0(const RandomStream& stream, const Sites& sites, std::uint32_t first,
                                     const D& coupling, const Active& active) {
  const D zero = D(0.0), one = D(1.0);
  mask_t<D> waiting = mask_of<D>(active);
  const auto weak = coupling < D(0.9), strong = coupling >= D(0.9);
  const D inverse = one / select(weak, one, coupling);
  D x = zero, u1 = zero, u2 = zero, u3 = zero, u4 = zero;
  for (std::uint32_t attempt = 0; attempt < most_attempts && any(waiting); ++attempt) {
    uniform_lanes(stream, sites, first + 2 * attempt, u1, u2);
    uniform_lanes(stream, sites, first + 2 * attempt + 1, u3, u4);
    D sine, cosine;
    sincospi(D(2.0) * u2, sine, cosine);
    const D log3 = log(u3);
    const D strong_x = -(inverse * fma(cosine * cosine, log3, log(u1)));
    const D weak_x = negated_fma(sqrt(u1), cosine, one);
    const auto strong_yes = u4 * u4 <= negated_fma(D(0.5), strong_x, one);
    const auto weak_yes = log3 <= -(coupling * weak_x);
    const auto accepted = waiting & ((weak & weak_yes) | (strong & strong_yes));
    x = select(accepted, select(weak, weak_x, strong_x), x);
    const auto refused = !accepted;
    waiting = waiting & refused;
  }
  return x;
}

// g = a0 + i a.sigma with a0 = 1 - x and a in a random direction.
template <class D, class Sites>
TRELLIS_INLINE Quaternion<D> random_direction(const RandomStream& stream, const Sites& sites, std::uint32_t draw,
                                              const D& x) {
  D u, v, sine, cosine;
  uniform_lanes(stream, sites, draw, u, v);
  sincospi(D(2.0) * v, sine, cosine);
  const D size = sqrt(x * (D(2.0) - x));
  const D across = size * (D(2.0) * sqrt(u * (D(1.0) - u)));
  return {{D(1.0) - x, across * cosine, across * sine, size * fma(D(2.0), u, D(-1.0))}};
}

// U <- g3 g2 g1 U with g drawn from exp(Re tr(g U V^dagger)) in each subgroup.
template <class S, class Sites, class Active>
TRELLIS_NOINLINE void heatbath_link(const RandomStream& stream, const Sites& sites, const Active& active, int mu,
                                    const Matrix<S>& v, Matrix<S>& u) {
  using D = lanes_t<double, lane_count<S>>;
  Matrix<S> m = multiply_adjoint(u, v);
  for (int subgroup = 0; subgroup < 3; ++subgroup) {
    const int i = subgroup == 2 ? 1 : 0, j = subgroup == 0 ? 1 : 2;
    const std::uint32_t first = std::uint32_t(3 * mu + subgroup) * draws_a_subgroup;
    D coupling;
    const Quaternion<D> r = subgroup_part(m, i, j, coupling);
    const D x = draw_one_minus_a0(stream, sites, first, coupling, active);
    // g = a r, so r.g = a0
    const Quaternion<D> g = random_direction(stream, sites, first + draws_a_subgroup - 1, x) * r;
    multiply_rows(g, i, j, u);
    multiply_rows(g, i, j, m);
  }
  u = trellis::reunitarise(u);
}

// U <- g3 g2 g1 U with g = r^2: r.g = r.1, and g is as far from 1 as r is.
template <class S>
TRELLIS_NOINLINE void overrelax_link(const Matrix<S>& v, Matrix<S>& u) {
  using D = lanes_t<double, lane_count<S>>;
  Matrix<S> m = multiply_adjoint(u, v);
  for (int subgroup = 0; subgroup < 3; ++subgroup) {
    const int i = subgroup == 2 ? 1 : 0, j = subgroup == 0 ? 1 : 2;
    D length;
    const Quaternion<D> r = subgroup_part(m, i, j, length);
    const Quaternion<D> g = r * r;
    multiply_rows(g, i, j, u);
    multiply_rows(g, i, j, m);
  }
}

}  // namespace trellis::gauge::heatbath_detail

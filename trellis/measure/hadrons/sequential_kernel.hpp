// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Derivatives of baryon_kernel.hpp's traces with respect to one of the three propagators, on the sites of one tile:
//   T = sum_{r s} X_{r s} [direct sum_{cc'} C^{cc'}_{s r} sum_p K^{cc'}_{p p} + exchange sum_{cc'} sum_p C^{cc'}_{s p}
//       K^{cc'}_{p r}],   K^{cc'}_{p r} = sum_q eps_abc eps_a'b'c' Dt^{bb'}_{p q} A^{aa'}_{q r}.
// With L^{cc'}_{p r} = dT / dK^{cc'}_{p r},
//   dT/dA_{q r} = sum_p Dt_{p q} x L_{p r},   dT/dDt_{p q} = sum_r A_{q r} x L_{p r},
//   dT/dC_{s r} = direct X_{r s} sum_p K_{p p} + exchange sum_r' X_{r' s} K_{r r'},
// where x is the product with two epsilons, which is symmetric. X is a sum of two matrices with one element in each
// row.

#include "trellis/measure/baryon_kernel.hpp"

namespace trellis::measure {

// X of a projector: sum of weight times matrix.
struct BaryonProjector {
  SpinRows matrix[2];
  double weight[2];
};

// D_{spin colour, spin' colour'} of a tile, in the twelve columns of a field as those of a propagator are.
template <int W>
struct DerivativeAt {
  using S = lanes_t<double, W>;
  ParityAccess<double, 24, W> columns;
  int tile;

  // Adds by i^phase m to spin, spin'.
  TRELLIS_INLINE void add(const baryon_detail::ColourMatrix<S>& m, int spin, int source_spin, int phase,
                          double by) const {
    const S weight(by);
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d) {
        const auto column = columns.at(tile, 3 * source_spin + d);
        const auto sum = load_complex<S>(column, 3 * spin + c);
        const auto turned = baryon_detail::turned(m.e[c][d], phase);
        store_complex(column, 3 * spin + c, complex<S>{fma(weight, turned.re, sum.re), fma(weight, turned.im, sum.im)});
      }
  }
};

namespace sequential_detail {

using baryon_detail::ColourMatrix;

template <class S>
TRELLIS_INLINE void clear(ColourMatrix<S>& m) {
  for (auto& row : m.e)
    for (auto& value : row) value = complex<S>(S(0.0));
}

template <class S>
TRELLIS_INLINE void add_turned(const ColourMatrix<S>& m, int phase, double by, ColourMatrix<S>& sum) {
  for (int c = 0; c < 3; ++c)
    for (int d = 0; d < 3; ++d) {
      const auto turned = baryon_detail::turned(m.e[c][d], phase);
      sum.e[c][d] = {fma(S(by), turned.re, sum.e[c][d].re), fma(S(by), turned.im, sum.e[c][d].im)};
    }
}

// Dt_{p q}
template <int W>
TRELLIS_INLINE ColourMatrix<lanes_t<double, W>> diquark(const PropagatorAt<W>& second, const BaryonSpins& spins, int p,
                                                        int q) {
  return baryon_detail::turned(baryon_detail::colours<W>(second, q ^ spins.g.flip, p ^ spins.bar.flip),
                               (spins.g.phase[q] + spins.bar.phase[p ^ spins.bar.flip]) % 4);
}

// K_{p r}
template <int W>
TRELLIS_INLINE ColourMatrix<lanes_t<double, W>> pair(const PropagatorAt<W>& first, const PropagatorAt<W>& second,
                                                     const BaryonSpins& spins, int p, int r) {
  ColourMatrix<lanes_t<double, W>> k;
  clear(k);
  for (int q = 0; q < 4; ++q)
    baryon_detail::add_cross(baryon_detail::colours<W>(first, q, r), diquark<W>(second, spins, p, q), k);
  return k;
}

// L_{p r}
template <int W>
TRELLIS_INLINE ColourMatrix<lanes_t<double, W>> rest(const PropagatorAt<W>& third, const BaryonProjector& x,
                                                     double direct, double exchange, int p, int r) {
  ColourMatrix<lanes_t<double, W>> l;
  clear(l);
  for (int k = 0; k < 2; ++k) {
    const SpinRows& m = x.matrix[k];
    if (direct != 0 && p == r)
      for (int row = 0; row < 4; ++row)
        add_turned(baryon_detail::colours<W>(third, row ^ m.flip, row), m.phase[row], direct * x.weight[k], l);
    if (exchange != 0)
      add_turned(baryon_detail::colours<W>(third, r ^ m.flip, p), m.phase[r], exchange * x.weight[k], l);
  }
  return l;
}

}  // namespace sequential_detail

// Adds the derivative of tr X <N Nbar> with respect to the first (0), second (1) or third (2) quark.
template <int W>
TRELLIS_INLINE void add_baryon_derivative(const PropagatorAt<W>& first, const PropagatorAt<W>& second,
                                          const PropagatorAt<W>& third, const BaryonSpins& spins,
                                          const BaryonProjector& x, double direct, double exchange, int which,
                                          const DerivativeAt<W>& sum) {
  using namespace sequential_detail;
  using S = lanes_t<double, W>;
  if (which == 2) {
    ColourMatrix<S> trace;
    clear(trace);
    for (int p = 0; p < 4; ++p)
      for (int r = 0; r < 4; ++r) {
        const auto k = pair<W>(first, second, spins, p, r);
        if (p == r) add_turned(k, 0, 1.0, trace);
        if (exchange == 0) continue;
        for (const int n : {0, 1}) sum.add(k, r ^ x.matrix[n].flip, p, x.matrix[n].phase[r], exchange * x.weight[n]);
      }
    if (direct == 0) return;
    for (const int n : {0, 1})
      for (int r = 0; r < 4; ++r) sum.add(trace, r ^ x.matrix[n].flip, r, x.matrix[n].phase[r], direct * x.weight[n]);
    return;
  }
  for (int p = 0; p < 4; ++p)
    for (int r = 0; r < 4; ++r) {
      const auto l = rest<W>(third, x, direct, exchange, p, r);
      for (int q = 0; q < 4; ++q) {
        ColourMatrix<S> product;
        clear(product);
        if (which == 0) {
          baryon_detail::add_cross(diquark<W>(second, spins, p, q), l, product);
          sum.add(product, q, r, 0, 1.0);
        } else {
          baryon_detail::add_cross(baryon_detail::colours<W>(first, q, r), l, product);
          sum.add(product, q ^ spins.g.flip, p ^ spins.bar.flip,
                  (spins.g.phase[q] + spins.bar.phase[p ^ spins.bar.flip]) % 4, 1.0);
        }
      }
    }
}

}  // namespace trellis::measure

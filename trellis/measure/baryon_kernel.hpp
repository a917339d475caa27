// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Contractions of baryons on the sites of one tile. N = eps_abc (q1_a^T G q2_b) q3_c and
// Nbar = eps_abc q3bar_c (q2bar_b Gbar q1bar_a^T), Gbar = gamma_4 G^dagger gamma_4^T, of three flavours with the
// propagators A, B, C have
//   direct:    <N Nbar>_{s s'} = sum_{c c'} C^{cc'}_{s s'} sum_p K^{cc'}_{p p},
//   exchange:  the same with q1bar and q3bar exchanged in Nbar: sum_{c c'} sum_p C^{cc'}_{s p} K^{cc'}_{p s'},
//   K^{cc'}_{p s'} = sum_q eps_abc eps_a'b'c' Dt^{bb'}_{p q} A^{aa'}_{q s'},   Dt = (G B Gbar)^T in spin.
// All baryons are sums of these. The proton, N = eps_abc (u_a^T C gamma_5 d_b) u_c, has one of each with A = C. What is
// wanted is the trace with a spin matrix X. 10^4 multiply-adds per site.

#include "trellis/measure/meson_kernel.hpp"

namespace trellis::measure {

template <int W>
struct BaryonTraces {
  using S = lanes_t<double, W>;
  complex<S> one, gamma4;  // tr <N Nbar>, tr gamma_4 <N Nbar>
};

namespace baryon_detail {

template <class S>
struct ColourMatrix {
  complex<S> e[3][3];
};

template <int W>
TRELLIS_INLINE ColourMatrix<lanes_t<double, W>> colours(const PropagatorAt<W>& quark, int spin, int source_spin) {
  ColourMatrix<lanes_t<double, W>> m;
  for (int c = 0; c < 3; ++c)
    for (int d = 0; d < 3; ++d) m.e[c][d] = quark(spin, c, source_spin, d);
  return m;
}

// i^phase a
template <class S>
TRELLIS_INLINE complex<S> turned(const complex<S>& a, int phase) {
  return phase == 0 ? a : phase == 1 ? times_i(a) : phase == 2 ? -a : -times_i(a);
}

// sum += eps_abc eps_a'b'c' x^{aa'} y^{bb'}
template <class S>
TRELLIS_INLINE void add_cross(const ColourMatrix<S>& x, const ColourMatrix<S>& y, ColourMatrix<S>& sum) {
  for (int c = 0; c < 3; ++c)
    for (int d = 0; d < 3; ++d) {
      const int c1 = (c + 1) % 3, c2 = (c + 2) % 3, d1 = (d + 1) % 3, d2 = (d + 2) % 3;
      complex<S> plus = fma(x.e[c2][d2], y.e[c1][d1], fma(x.e[c1][d1], y.e[c2][d2], sum.e[c][d]));
      complex<S> minus = fma(x.e[c2][d1], y.e[c1][d2], x.e[c1][d2] * y.e[c2][d1]);
      sum.e[c][d] = plus - minus;
    }
}

// sum over colours of x^{cc'} y^{cc'}
template <class S>
TRELLIS_INLINE complex<S> contract(const ColourMatrix<S>& x, const ColourMatrix<S>& y, complex<S> sum) {
  for (int c = 0; c < 3; ++c)
    for (int d = 0; d < 3; ++d) sum = fma(x.e[c][d], y.e[c][d], sum);
  return sum;
}

}  // namespace baryon_detail

// G and Gbar of the sink and the source, and the two matrices X of traces.
struct BaryonSpins {
  SpinRows g, bar, one, gamma4;

  // For any G at the sink, G of the source, and X; the second trace is that with gamma_4 X.
  static constexpr BaryonSpins of(const SpinMatrix& sink, const SpinMatrix& source, const SpinMatrix& x) {
    const SpinMatrix& time = spin_matrices::gamma[3];
    return {SpinRows(sink), SpinRows(time * source.adjoint() * time), SpinRows(x), SpinRows(time * x)};
  }
};

namespace baryon_detail {

template <class S>
TRELLIS_INLINE ColourMatrix<S> turned(ColourMatrix<S> m, int phase) {
  for (auto& row : m.e)
    for (auto& value : row) value = turned(value, phase);
  return m;
}

template <class S>
TRELLIS_INLINE void scale(double by, ColourMatrix<S>& m) {
  for (auto& row : m.e)
    for (auto& value : row) value = {S(by) * value.re, S(by) * value.im};
}

}  // namespace baryon_detail

// tr X <N Nbar>, summed with these weights over direct and exchange.
template <int W>
TRELLIS_INLINE BaryonTraces<W> baryon_traces(const PropagatorAt<W>& first, const PropagatorAt<W>& second,
                                             const PropagatorAt<W>& third, const BaryonSpins& spins, double direct,
                                             double exchange) {
  using namespace baryon_detail;
  using S = lanes_t<double, W>;
  const complex<S> zero(S(0.0));
  BaryonTraces<W> traces{zero, zero};
  ColourMatrix<S> diquark{};
  for (auto& row : diquark.e)
    for (auto& value : row) value = zero;
  for (int p = 0; p < 4; ++p) {
    // Dt_{p q} = (G B Gbar)_{q p}: G maps from row q, Gbar to column p
    ColourMatrix<S> transposed[4];
    for (int q = 0; q < 4; ++q)
      transposed[q] = turned(colours<W>(second, q ^ spins.g.flip, p ^ spins.bar.flip),
                             (spins.g.phase[q] + spins.bar.phase[p ^ spins.bar.flip]) % 4);
    for (int source = 0; source < 4; ++source) {
      ColourMatrix<S> k;
      for (auto& row : k.e)
        for (auto& value : row) value = zero;
      for (int q = 0; q < 4; ++q) add_cross(colours<W>(first, q, source), transposed[q], k);
      if (source == p)
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d) diquark.e[c][d] += k.e[c][d];
      if (exchange == 0) continue;
      if (exchange != 1) scale(exchange, k);
      traces.one =
          contract(turned(colours<W>(third, source ^ spins.one.flip, p), spins.one.phase[source]), k, traces.one);
      traces.gamma4 = contract(turned(colours<W>(third, source ^ spins.gamma4.flip, p), spins.gamma4.phase[source]), k,
                               traces.gamma4);
    }
  }
  if (direct == 0) return traces;
  if (direct != 1) scale(direct, diquark);
  for (int s = 0; s < 4; ++s) {
    const int one = s ^ spins.one.flip, gamma4 = s ^ spins.gamma4.flip;
    traces.one = contract(turned(colours<W>(third, s, one), spins.one.phase[one]), diquark, traces.one);
    traces.gamma4 = contract(turned(colours<W>(third, s, gamma4), spins.gamma4.phase[gamma4]), diquark, traces.gamma4);
  }
  return traces;
}

template <int W>
TRELLIS_INLINE BaryonTraces<W> proton_traces(const PropagatorAt<W>& quark) {
  constexpr SpinMatrix g = spin_matrices::charge_conjugation * spin_matrices::gamma5;
  constexpr BaryonSpins spins = BaryonSpins::of(g, g, spin_matrices::one);
  return baryon_traces(quark, quark, quark, spins, 1, 1);
}

}  // namespace trellis::measure

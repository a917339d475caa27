// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The contraction of the proton on the sites of one tile: N = eps_abc (u_a^T G d_b) u_c, G = C gamma_5,
// Nbar = N^dagger gamma_4, both quarks with the propagator S. Wick's theorem gives
//   <N Nbar>_{s s'} = sum_{c c'} [ S^{cc'}_{s s'} sum_p K^{cc'}_{p p} + sum_p S^{cc'}_{s p} K^{cc'}_{p s'} ],
//   K^{cc'}_{p s'} = sum_q eps_abc eps_a'b'c' Dt^{bb'}_{p q} S^{aa'}_{q s'},   Dt = (G S Gbar)^T in spin,
//   Gbar = gamma_4 G^dagger gamma_4^T.
// The traces with unity and gamma_4 take <N Nbar> at s' = s and at s' = s ^ 2. 10^4 multiply-adds per site.

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

template <int W>
TRELLIS_INLINE BaryonTraces<W> proton_traces(const PropagatorAt<W>& quark) {
  using namespace baryon_detail;
  using S = lanes_t<double, W>;
  constexpr SpinMatrix g = spin_matrices::charge_conjugation * spin_matrices::gamma5;
  constexpr SpinMatrix bar = spin_matrices::gamma[3] * g.adjoint() * spin_matrices::gamma[3];
  constexpr int time_flip = spin_matrices::gamma[3].flip;
  const complex<S> zero(S(0.0));
  BaryonTraces<W> traces{zero, zero};
  ColourMatrix<S> diquark{};
  for (auto& row : diquark.e)
    for (auto& value : row) value = zero;
  for (int p = 0; p < 4; ++p) {
    // Dt_{p q} = (G S Gbar)_{q p}: G maps from row q, Gbar to column p
    ColourMatrix<S> transposed[4];
    for (int q = 0; q < 4; ++q) {
      transposed[q] = colours<W>(quark, q ^ g.flip, p ^ bar.flip);
      const int phase = (g.phase[q] + bar.phase[p ^ bar.flip]) % 4;
      for (auto& row : transposed[q].e)
        for (auto& value : row) value = turned(value, phase);
    }
    for (int source = 0; source < 4; ++source) {
      ColourMatrix<S> k;
      for (auto& row : k.e)
        for (auto& value : row) value = zero;
      for (int q = 0; q < 4; ++q) add_cross(colours<W>(quark, q, source), transposed[q], k);
      if (source == p)
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d) diquark.e[c][d] += k.e[c][d];
      traces.one = contract(colours<W>(quark, source, p), k, traces.one);
      traces.gamma4 = contract(colours<W>(quark, source ^ time_flip, p), k, traces.gamma4);
    }
  }
  for (int s = 0; s < 4; ++s) {
    traces.one = contract(colours<W>(quark, s, s), diquark, traces.one);
    traces.gamma4 = contract(colours<W>(quark, s, s ^ time_flip), diquark, traces.gamma4);
  }
  return traces;
}

}  // namespace trellis::measure

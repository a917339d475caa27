// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The contractions of hadron_correlators.hpp on the sites of one tile. Gamma flips bits m of the spin, so
//   C = -tr[(gamma_5 Gamma) S (Gammabar gamma_5) S^dagger] = -sum_{s s'} A_s B_s' M_m(s, s'),
//   M_m(s, s') = sum over colours of S_{s^m, s'} conj(S_{s, s'^m}),
// where A and B are powers of i. The four Gamma of each m share the 16 numbers M_m, and M_m(s^m, s'^m) is the conjugate
// of M_m(s, s'): C is real. All sixteen channels take 1900 multiply-adds per site. With another propagator for the
// antiquark, which takes the place of the conjugate one, there is no such symmetry: C is complex, and takes twice that.

#include "trellis/core/complex.hpp"
#include "trellis/lattice/parity_field.hpp"
#include "trellis/measure/spin_matrix.hpp"

namespace trellis::measure {

// S_{spin colour, spin' colour'} of a tile from a propagator's twelve columns.
template <int W>
struct PropagatorAt {
  using S = lanes_t<double, W>;
  ParityAccess<double, 24, W> columns;
  int tile;

  TRELLIS_INLINE complex<S> operator()(int spin, int colour, int source_spin, int source_colour) const {
    return load_complex<S>(columns.at(tile, 3 * source_spin + source_colour), 3 * spin + colour);
  }
};

// The sum over s, s' as weights of Re M and Im M for sixteen pairs.
struct MesonWeights {
  int flip = 0;
  double re[4][4] = {}, im[4][4] = {};

  constexpr explicit MesonWeights(const SpinMatrix& gamma) {
    const SpinMatrix& time = spin_matrices::gamma[3];
    const SpinMatrix bar = time * gamma.adjoint() * time;
    const SpinMatrix a = spin_matrices::gamma5 * gamma, b = bar * spin_matrices::gamma5;
    flip = gamma.flip;
    for (int s = 0; s < 4; ++s)
      for (int t = 0; t < 4; ++t) {
        // The real part of -i^phase M
        const int phase = (a.phase[s] + b.phase[t]) % 4;
        re[s][t] = phase == 0 ? -1 : phase == 2 ? 1 : 0;
        im[s][t] = phase == 1 ? 1 : phase == 3 ? -1 : 0;
      }
  }
};

// M_m(s, s')
template <int W>
TRELLIS_INLINE complex<lanes_t<double, W>> meson_pair(const PropagatorAt<W>& quark, const PropagatorAt<W>& antiquark,
                                                      int m, int s, int t) {
  using S = lanes_t<double, W>;
  complex<S> sum(S(0.0));
  for (int source = 0; source < 3; ++source)
    for (int sink = 0; sink < 3; ++sink)
      sum = fma_conj(antiquark(s, sink, t ^ m, source), quark(s ^ m, sink, t, source), sum);
  return sum;
}

// Adds the contribution of one pass over their pairs to numbers[n][lane], the C of channel n, for those whose Gamma
// flips bits m.
template <int W>
TRELLIS_INLINE void add_meson_pairs(const PropagatorAt<W>& quark, int m, const MesonWeights* weights, int count,
                                    double* numbers) {
  using S = lanes_t<double, W>;
  const double times = m == 0 ? 1 : 2;
  for (int s = 0; s < 4; ++s) {
    if ((s ^ m) < s) continue;  // conjugates of earlier ones
    for (int t = 0; t < 4; ++t) {
      const complex<S> pair = meson_pair<W>(quark, quark, m, s, t);
      for (int n = 0; n < count; ++n) {
        if (weights[n].flip != m) continue;
        double* sum = numbers + n * W;
        const S re(times * weights[n].re[s][t]), im(times * weights[n].im[s][t]);
        store_lanes(sum, fma(re, pair.re, fma(im, pair.im, load_lanes<S>(sum))));
      }
    }
  }
}

// The same of a quark and another antiquark: adds Re C and Im C of channel n to numbers[2 n][lane] and the next.
template <int W>
TRELLIS_INLINE void add_meson_pairs(const PropagatorAt<W>& quark, const PropagatorAt<W>& antiquark, int m,
                                    const MesonWeights* weights, int count, double* numbers) {
  using S = lanes_t<double, W>;
  for (int s = 0; s < 4; ++s)
    for (int t = 0; t < 4; ++t) {
      const complex<S> pair = meson_pair<W>(quark, antiquark, m, s, t);
      for (int n = 0; n < count; ++n) {
        if (weights[n].flip != m) continue;
        double* sum = numbers + 2 * n * W;
        const S re(weights[n].re[s][t]), im(weights[n].im[s][t]);
        store_lanes(sum, fma(re, pair.re, fma(im, pair.im, load_lanes<S>(sum))));
        store_lanes(sum + W, fma(re, pair.im, load_lanes<S>(sum + W) - im * pair.re));
      }
    }
}

}  // namespace trellis::measure

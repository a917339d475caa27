// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clover term in registers. A block is a Hermitian 6 x 6 matrix, which acts on the two spins of one chirality;
// component 3 spin + colour of the block's spins. A site has two: spins 0 and 1, and spins 2 and 3.

#include "trellis/dirac/stencil/registers.hpp"
#include "trellis/gauge/clover_kernel.hpp"
#include "trellis/su3/hermitian.hpp"

namespace trellis::dirac {

inline constexpr int clover_reals = 72;  // per site

// The diagonal, and above it element (i, j), i < j, as number j (j - 1) / 2 + i.
template <class S>
struct CloverBlock {
  S d[6];
  complex<S> o[15];

  TRELLIS_INLINE static constexpr int number(int i, int j) { return j * (j - 1) / 2 + i; }
};

// H = (Q - Q^dagger) / (8 i), the field strength divided by i: Hermitian, with its trace.
template <class S, class Links>
TRELLIS_NOINLINE Hermitian<S> hermitian_field_strength(const Links& u, int tile, int mu, int nu) {
  Hermitian<S> sum, difference;
  twice_hermitian_parts(gauge::leaf_difference<S>(u, tile, mu, nu), sum, difference);
  return S(scalar_t<S>(0.125)) * difference;
}

// 1 - sum_k sigma_k B_k with the Pauli matrices sigma_k.
template <class S>
TRELLIS_INLINE CloverBlock<S> one_minus_pauli(const Hermitian<S>& b1, const Hermitian<S>& b2, const Hermitian<S>& b3) {
  using Block = CloverBlock<S>;
  const S one = S(scalar_t<S>(1));
  Block a;
  for (int k = 0; k < 3; ++k) {
    a.d[k] = one - b3.d[k];
    a.d[3 + k] = one + b3.d[k];
  }
  for (int j = 1; j < 3; ++j)
    for (int i = 0; i < j; ++i) {
      a.o[Block::number(i, j)] = -b3.o[i + j - 1];
      a.o[Block::number(3 + i, 3 + j)] = b3.o[i + j - 1];
    }
  // -(B_1 - i B_2), not Hermitian.
  for (int i = 0; i < 3; ++i) {
    a.o[Block::number(i, 3 + i)] = {-b1.d[i], b2.d[i]};
    for (int j = i + 1; j < 3; ++j) {
      const complex<S> x = b1.o[i + j - 1], y = b2.o[i + j - 1];
      a.o[Block::number(i, 3 + j)] = {-(x.re + y.im), y.re - x.im};
      a.o[Block::number(j, 3 + i)] = {y.im - x.re, x.im + y.re};
    }
  }
  return a;
}

// Both blocks of a tile's sites. The weights are kappa c_sw of the spatial planes and of the planes with t. With the
// gamma matrices of su3/spinor.hpp, sigma_{mu nu} for the chirality of spins 0 and 1 (2 and 3) is
//   xy: sigma_3   xz: sigma_2   yz: sigma_1   xt: -+ sigma_1   yt: +- sigma_2   zt: -+ sigma_3.
template <class S, class Links>
TRELLIS_INLINE void clover_blocks(const Links& u, int tile, const S& spatial, const S& temporal,
                                  CloverBlock<S> (&blocks)[2]) {
  const Hermitian<S> yz = spatial * hermitian_field_strength<S>(u, tile, 1, 2);
  const Hermitian<S> xz = spatial * hermitian_field_strength<S>(u, tile, 0, 2);
  const Hermitian<S> xy = spatial * hermitian_field_strength<S>(u, tile, 0, 1);
  const Hermitian<S> xt = hermitian_field_strength<S>(u, tile, 0, 3), yt = hermitian_field_strength<S>(u, tile, 1, 3),
                     zt = hermitian_field_strength<S>(u, tile, 2, 3);
  blocks[0] = one_minus_pauli(fma(-temporal, xt, yz), fma(temporal, yt, xz), fma(-temporal, zt, xy));
  blocks[1] = one_minus_pauli(fma(temporal, xt, yz), fma(-temporal, yt, xz), fma(temporal, zt, xy));
}

// The sum of |a_ij|^2 over all elements.
template <class S>
TRELLIS_INLINE S norm(const CloverBlock<S>& a) {
  S diagonal = a.d[0] * a.d[0], above = norm(a.o[0]);
  for (int k = 1; k < 6; ++k) diagonal = fma(a.d[k], a.d[k], diagonal);
  for (int k = 1; k < 15; ++k) above = above + norm(a.o[k]);
  return fma(S(scalar_t<S>(2)), above, diagonal);
}

// A = U^dagger D U, with a unit diagonal of U; D and U overwrite A. No pivoting. The product of the pivots D is det A,
// and as many of them are negative as A has negative eigenvalues. Errors grow with |A| / (smallest pivot).
template <class S>
TRELLIS_INLINE void factorise(CloverBlock<S>& a) {
  using Block = CloverBlock<S>;
  for (int k = 0; k < 6; ++k) {
    const S inverse = S(scalar_t<S>(1)) / a.d[k];
    for (int i = k + 1; i < 6; ++i) {
      const complex<S> row = a.o[Block::number(k, i)], u = inverse * row;
      a.d[i] = negated_fma(u.im, row.im, negated_fma(u.re, row.re, a.d[i]));
      for (int j = i + 1; j < 6; ++j)
        a.o[Block::number(i, j)] = fma_conj(-u, a.o[Block::number(k, j)], a.o[Block::number(i, j)]);
      a.o[Block::number(k, i)] = u;
    }
  }
}

// A^-1 = V D^-1 V^dagger, V = U^-1, from the result of factorise().
template <class S>
TRELLIS_INLINE CloverBlock<S> inverse_from_factors(const CloverBlock<S>& a) {
  using Block = CloverBlock<S>;
  CloverBlock<S> v;  // d: D^-1
  for (int j = 0; j < 6; ++j) {
    v.d[j] = S(scalar_t<S>(1)) / a.d[j];
    for (int i = j - 1; i >= 0; --i) {
      complex<S> sum = -a.o[Block::number(i, j)];
      for (int m = i + 1; m < j; ++m) sum = fma(-a.o[Block::number(i, m)], v.o[Block::number(m, j)], sum);
      v.o[Block::number(i, j)] = sum;
    }
  }
  CloverBlock<S> b;
  for (int j = 0; j < 6; ++j) {
    b.d[j] = v.d[j];
    for (int i = 0; i < j; ++i) b.o[Block::number(i, j)] = v.d[j] * v.o[Block::number(i, j)];
    for (int k = j + 1; k < 6; ++k) {
      const complex<S> scaled = v.d[k] * v.o[Block::number(j, k)];
      b.d[j] = fma(scaled.im, v.o[Block::number(j, k)].im, fma(scaled.re, v.o[Block::number(j, k)].re, b.d[j]));
      for (int i = 0; i < j; ++i)
        b.o[Block::number(i, j)] = fma_conj(scaled, v.o[Block::number(i, k)], b.o[Block::number(i, j)]);
    }
  }
  return b;
}

// Both blocks as the 72 numbers of a site, rounded to S: for each chirality the diagonal, then the real and imaginary
// parts of the elements above it.
template <class D, class S>
TRELLIS_INLINE void pack(const CloverBlock<D> (&blocks)[2], S (&numbers)[clover_reals]) {
  using T = scalar_t<S>;
  for (int chirality = 0; chirality < 2; ++chirality) {
    const CloverBlock<D>& a = blocks[chirality];
    S* to = numbers + clover_reals / 2 * chirality;
    for (int k = 0; k < 6; ++k) to[k] = convert<T>(a.d[k]);
    for (int k = 0; k < 15; ++k) {
      to[6 + 2 * k] = convert<T>(a.o[k].re);
      to[7 + 2 * k] = convert<T>(a.o[k].im);
    }
  }
}

// A psi at a tile's sites. Each number of the blocks is loaded once, and used for two multiply-adds.
template <class T, int W>
TRELLIS_INLINE Spinor<complex<lanes_t<arithmetic_t<T>, W>>> clover_times(
    const ParityAccess<T, clover_reals, W>& blocks, int tile, const Spinor<complex<lanes_t<arithmetic_t<T>, W>>>& psi) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const auto load = [&](int k) {
    if constexpr (is_fixed_point<T>)
      return blocks.load_raw(tile, 0, k);
    else
      return blocks.load(tile, 0, k);
  };
  Spinor<complex<S>> result;
  for (int chirality = 0; chirality < 2; ++chirality) {
    const int first = clover_reals / 2 * chirality, spin = 2 * chirality;
    for (int j = 0; j < 6; ++j) {
      const complex<S>& x = psi.e[spin + j / 3][j % 3];
      complex<S>& y = result.e[spin + j / 3][j % 3];
      y = load(first + j) * x;
      for (int i = 0; i < j; ++i) {
        const int k = first + 6 + 2 * CloverBlock<S>::number(i, j);
        const complex<S> above{load(k), load(k + 1)};
        y = fma_conj(above, psi.e[spin + i / 3][i % 3], y);
        result.e[spin + i / 3][i % 3] = fma(above, x, result.e[spin + i / 3][i % 3]);
      }
    }
  }
  if constexpr (is_fixed_point<T>) {
    const S scale = blocks.scale(tile, 0);
    for (auto& spin : result.e)
      for (complex<S>& x : spin) x = scale * x;
  }
  return result;
}

}  // namespace trellis::dirac

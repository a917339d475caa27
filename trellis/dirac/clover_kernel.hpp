// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clover term on registers. A block is a Hermitian 6 x 6 matrix: what the term does to the two spins of one
// chirality, component 3 spin + colour of the block's spins. A site has two: spins 0 and 1, and spins 2 and 3.

#include "trellis/gauge/clover_kernel.hpp"
#include "trellis/su3/hermitian.hpp"
#include "trellis/su3/spinor.hpp"

namespace trellis::dirac {

inline constexpr int clover_reals = 72;  // a site

// The diagonal, and above it element (i, j), i < j, as number j (j - 1) / 2 + i.
template <class S>
struct CloverBlock {
  S d[6];
  complex<S> o[15];

  TRELLIS_INLINE static constexpr int number(int i, int j) { return j * (j - 1) / 2 + i; }
};

// H = (Q - Q^dagger) / (8 i), the field strength divided by i: Hermitian, with its trace.
template <class S, class Links>
[[gnu::noinline]] Hermitian<S> hermitian_field_strength(const Links& u, int tile, int mu, int nu) {
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

// Both blocks of a tile's sites; the weights are kappa c_sw of spatial planes and of planes with t. In the gamma
// matrices of su3/spinor.hpp sigma_{mu nu} is, in the chirality of spins 0 and 1 (2 and 3),
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

// The sum of the squared absolute values of all elements.
template <class S>
TRELLIS_INLINE S norm(const CloverBlock<S>& a) {
  S diagonal = a.d[0] * a.d[0], above = norm(a.o[0]);
  for (int k = 1; k < 6; ++k) diagonal = fma(a.d[k], a.d[k], diagonal);
  for (int k = 1; k < 15; ++k) above = above + norm(a.o[k]);
  return fma(S(scalar_t<S>(2)), above, diagonal);
}

// A <- D and U with A = U^dagger D U, the diagonal of U being 1: no pivoting. The pivots D have A's determinant as
// their product and as many negative numbers as A has negative eigenvalues. Errors grow with |A| over the smallest.
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

// A^-1 = V D^-1 V^dagger, V = U^-1, from what factorise() made.
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

// The blocks of one parity in memory, [tile][chirality][diagonal, then re and im of those above it][lane]; tiles count
// within the parity.
template <class T, int W>
struct CloverAccess : Access<T, clover_reals, W> {
  using scalar_type = std::remove_const_t<T>;
  using S = lanes_t<scalar_type, W>;

  TRELLIS_INLINE CloverBlock<S> block(int tile, int chirality) const {
    const int first = 36 * chirality;
    CloverBlock<S> a;
    for (int k = 0; k < 6; ++k) a.d[k] = this->load(tile, first + k);
    for (int k = 0; k < 15; ++k) a.o[k] = {this->load(tile, first + 6 + 2 * k), this->load(tile, first + 7 + 2 * k)};
    return a;
  }
  // Rounds to T.
  template <class D>
  TRELLIS_INLINE void set_block(int tile, int chirality, const CloverBlock<D>& a) const {
    const int first = 36 * chirality;
    for (int k = 0; k < 6; ++k) this->store(tile, first + k, convert<scalar_type>(a.d[k]));
    for (int k = 0; k < 15; ++k) {
      this->store(tile, first + 6 + 2 * k, convert<scalar_type>(a.o[k].re));
      this->store(tile, first + 7 + 2 * k, convert<scalar_type>(a.o[k].im));
    }
  }
};

// A psi at a tile's sites: each number of the blocks is loaded once, and stands in a register for two multiply-adds.
template <class T, int W, class S>
TRELLIS_INLINE Spinor<complex<S>> clover_times(const CloverAccess<T, W>& a, int tile, const Spinor<complex<S>>& psi) {
  Spinor<complex<S>> result;
  for (int chirality = 0; chirality < 2; ++chirality) {
    const int first = 36 * chirality, spin = 2 * chirality;
    for (int j = 0; j < 6; ++j) {
      const complex<S>& x = psi.e[spin + j / 3][j % 3];
      complex<S>& y = result.e[spin + j / 3][j % 3];
      y = a.load(tile, first + j) * x;
      for (int i = 0; i < j; ++i) {
        const int k = first + 6 + 2 * CloverBlock<S>::number(i, j);
        const complex<S> above{a.load(tile, k), a.load(tile, k + 1)};
        y = fma_conj(above, psi.e[spin + i / 3][i % 3], y);
        result.e[spin + i / 3][i % 3] = fma(above, x, result.e[spin + i / 3][i % 3]);
      }
    }
  }
  return result;
}

}  // namespace trellis::dirac

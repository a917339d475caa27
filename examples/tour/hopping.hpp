// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The problem that the solver programs solve: a free scalar field with chemical potential mu on the lattice,
//   -Laplace + M^2 = (8 + M^2) (1 - h H),  h = 8 / (8 + M^2),
//   H f(x) = 1/8 sum_i [f(x+i) + f(x-i)] + 1/8 [e^mu f(x+t) + e^-mu f(x-t)],
// in its even/odd preconditioned form A = 1 - h^2 H_eo H_oe on even sites. For mu = 0 it is Hermitian, with eigenvalues
// between 1 - h^2 and 1; for mu != 0 it is not, and its adjoint is the operator with -mu.

#include <cmath>
#include <vector>

#include "trellis/core/random.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/parity_field.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"

namespace tour {

using namespace trellis;

// out <- H in
template <class T, int Reals, int W>
void hop(double mu, const ParityField<T, Reals, W>& in, const ParityField<T, Reals, W>& out) {
  using S = lanes_t<T, W>;
  exchange_vectors(in);  // fills the ghosts; does nothing with one process
  const Neighbours next = in.lattice().neighbours();
  const int in_first = in.first_tile(), out_first = out.first_tile();
  const auto from = in.access(), to = out.access();
  const T ahead = T(std::exp(mu) / 8), behind = T(std::exp(-mu) / 8);
  for_each_vector(
      "hop", in.lattice(), in.count(), TRELLIS_KERNEL(int tile, int n) {
        for (int k = 0; k < Reals; ++k) {
          S sum = S(T(0));
          for (int step = 0; step < 8; ++step) {
            const Hop there = next(out_first + tile, step);
            const S value = permute(from.load(there.tile - in_first, n, k), next.permutation(there.shift));
            sum = fma(S(step == 3 ? ahead : step == 7 ? behind : T(0.125)), value, sum);
          }
          to.store(tile, n, k, sum);
        }
      });
}

// out <- in - h^2 H H in; returns |H in|^2 for each vector.
template <class T, int Reals, int W>
std::vector<double> one_minus_hops(double h, double mu, const ParityField<T, Reals, W>& in,
                                   const ParityField<T, Reals, W>& out) {
  const ParityField<T, Reals, W> between(in.lattice(), 1 - in.parity(), in.count());
  hop(mu, in, between);
  hop(mu, between, out);
  const std::vector<double> minus(std::size_t(in.count()), -h * h), one(std::size_t(in.count()), 1.0);
  solver::scale_and_add(minus, one, in, out);
  return solver::norms2(between);
}

// Normal random numbers, drawn for each site and vector.
template <class T, int Reals, int W>
void fill(const RandomStream& stream, const ParityField<T, Reals, W>& x) {
  using D = lanes_t<double, W>;
  const TileSites sites = x.lattice().tile_sites();
  const int first = x.first_tile();
  const auto to = x.access();
  for_each_vector(
      "fill", x.lattice(), x.count(), TRELLIS_KERNEL(int tile, int n) {
        for (int k = 0; k < Reals; k += 2) {
          D a = D(0.0), b = D(0.0);
          normal_lanes(stream, sites(first + tile), std::uint32_t(n * Reals + k), a, b);
          to.store(tile, n, k, convert<T>(a));
          to.store(tile, n, k + 1, convert<T>(b));
        }
      });
}

}  // namespace tour

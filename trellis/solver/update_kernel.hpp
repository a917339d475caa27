// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The steps of conjugate gradients and of Lanczos' iteration on one vector at one tile, for those who launch them
// separately (conjugate_gradient_update.hpp, multi_shift_update.hpp, largest_eigenvalue.hpp) and together
// (resident_bodies.hpp).

#include "trellis/solver/algebra/vector_algebra_kernel.hpp"
#include "trellis/solver/multi_shift_state.hpp"

namespace trellis::solver {

// to <- from - alpha ap; returns |to|^2.
template <class S, int Reals, class Access>
TRELLIS_INLINE auto next_residual_of_site(const S& alpha, const SiteVector<S, Reals>& ap, const Access& from,
                                          const Access& to, int tile, int n = 0) {
  const auto residual = negated_fma(alpha, ap, SiteVector<S, Reals>::load(from, tile, n));
  residual.store(to, tile, n);
  return norm(residual);
}

// p <- r + beta p
template <class S, int Reals, class Access>
TRELLIS_INLINE void next_direction_of_site(const S& beta, const Access& r, const Access& p, int tile) {
  using Site = SiteVector<S, Reals>;
  fma(beta, Site::load(p, tile, 0), Site::load(r, tile, 0)).store(p, tile, 0);
}

// x <- x + alpha p, and the same
template <class S, int Reals, class Access, class Solution>
TRELLIS_INLINE void next_solution_of_site(const S& alpha, const S& beta, const Access& r, const Solution& x,
                                          const Access& p, int tile, int n) {
  using Site = SiteVector<S, Reals>;
  const Site step = Site::load(p, tile, n);
  fma(alpha, step, Site::load(x, tile, n)).store(x, tile, n);
  fma(beta, step, Site::load(r, tile, n)).store(p, tile, n);
}

// w - alpha v - beta u
template <class S, int Reals>
TRELLIS_INLINE SiteVector<S, Reals> lanczos_residual_of(const S& alpha, const SiteVector<S, Reals>& v, const S& beta,
                                                        const SiteVector<S, Reals>& u, const SiteVector<S, Reals>& w) {
  return negated_fma(beta, u, negated_fma(alpha, v, w));
}

// The deferred steps of shift i: step[j] belongs to residual r[j], j < slots.
template <class S, int Reals, class Access>
TRELLIS_INLINE void take_steps_of_site(const DeferredStep* step, int slots, const Access* r, const Access& x,
                                       const Access& p, int tile, int i) {
  using T = scalar_t<S>;
  using Site = SiteVector<S, Reals>;
  int taken = 0;  // all before the first that was not
  for (int j = 0; j < slots; ++j) taken += step[j].taken ? 1 : 0;
  if (taken == 0) return;
  Site xi = Site::load(x, tile, i), pi = Site::load(p, tile, i);
  TRELLIS_UNROLL_BY_4
  for (int j = 0; j < taken; ++j) {
    const T alpha = T(step[j].alpha);
    // What rounding takes from alpha adds up, since x is small at first and then grows along the same vectors.
    if constexpr (is_single<T>) xi = fma(S(T(step[j].alpha - double(alpha))), pi, xi);
    xi = fma(S(alpha), pi, xi);
    pi = fma(S(T(step[j].beta)), pi, S(T(step[j].zeta)) * Site::load(r[j], tile, 0));
  }
  xi.store(x, tile, i);
  pi.store(p, tile, i);
}

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The deferred vector work of multi-shift conjugate gradients: the steps
//   x_i <- x_i + alpha_i p_i,   p_i <- zeta_i r + beta_i p_i
// of shift i are local to a site, so the last few residuals r are kept and their steps taken together, in one pass that
// reads and writes x_i and p_i once. The bits are those of one step at a time.

#include <span>
#include <vector>

#include "trellis/lattice/parity_field.hpp"
#include "trellis/solver/multi_shift_state.hpp"

namespace trellis::solver {

// Takes the steps, for each shift at most as many as there are residuals; residuals[j] is r after step j. `live` is the
// number of shifts with steps, for the kernel's cost; the others are left alone. R 2 W 2 for each shift with steps, and
// each residual once.
template <class T, int Reals, int W>
void take_steps(const DeferredSteps& steps, int live,
                std::type_identity_t<std::span<const ParityField<T, Reals, W>>> residuals,
                const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& p);

// The base system's own step: r_new <- r - alpha (ap + s_0 p); |r_new|^2 goes into state.norms(). R 2 W 1, with s_0
// R 3 W 1.
template <class T, int Reals, int W>
void shifted_residual(const MultiShiftState& state, const ParityField<T, Reals, W>& p,
                      const ParityField<T, Reals, W>& ap, const ParityField<T, Reals, W>& r,
                      const ParityField<T, Reals, W>& r_new);

// p <- r + beta p, and the scalars after the iteration with the steps that belong to residual `slot`; with s_0 also
// |p|^2, into state.direction_norms(). R 2 W 1
template <class T, int Reals, int W>
void next_direction(const MultiShiftState& state, int slot, const ParityField<T, Reals, W>& r,
                    const ParityField<T, Reals, W>& p);

// to_n <- from for every n. R 1 W to.count()
template <class T, int Reals, int W>
void broadcast(const ParityField<T, Reals, W>& from, const ParityField<T, Reals, W>& to);

// |b - ax_n - s_n x_n|^2 for every n. R 1 + 2 x.count()
template <class T, int Reals, int W>
std::vector<double> shifted_residual_norms(std::span<const double> s, const ParityField<T, Reals, W>& b,
                                           const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& ax);

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Local currents J = qbar' Gamma q on a quark line, for three-point functions: a sequential propagator
//   S_J(x) = sum_y S'(x, y) Gamma exp(i q (y - x0)) S(y, x0),   y at the time tau after the source x0, or at all times,
// takes the place of S(x) in a two-point contraction, which then gives quark-line connected parts of
//   C(t, tau; p, q) = sum_xy exp(-i p (x - x0) + i q (y - x0)) <O(x) J(y) O^dagger(x0)>.
// In the place of a meson's antiquark it is the current gamma_5 Gamma^dagger gamma_5 with -q. The scalar current summed
// over all times is minus the derivative with respect to this quark's mass, on every configuration.

#include <optional>
#include <string>

#include "trellis/measure/full_fields.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::measure {

struct QuarkCurrent {
  int quark = 0;        // the number of q
  std::string channel;  // of Gamma: one of the sixteen of hadron_correlators.hpp
  Momentum momentum{0, 0, 0};
  std::optional<int> time = {};  // tau; nothing: all times
};

// b <- Gamma exp(i q (y - x0)) psi(y) at these times, zero elsewhere. InputError for an unknown channel.
template <int W>
void apply_current(const QuarkCurrent& current, const Coordinate& source, const FullSpinors<double, W>& psi,
                   const FullSpinors<double, W>& b);

}  // namespace trellis::measure

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Three-point functions by sequential sources through a fixed sink (G. Martinelli and C. Sachrajda, Nucl. Phys. B 316
// (1989) 355): where current.hpp fixes the current and has all sinks, here the hadron, time and momentum of the sink
// are fixed, and one more solution gives all local currents at all times,
//   C(tau; q) = sum_xy exp(-i p (x - x0) + i q (y - x0)) <O(x) J(y) O^dagger(x0)>,  x_t - x0_t = T, y_t - x0_t = tau,
// with J = qbar' Gamma q on one quark line, connected parts, and the correlators of correlators_of_quarks.hpp. Those
// are linear in this quark's propagator: C_2 = sum_x exp(-i p (x - x0)) tr K(x) S(x), where K contains the propagators
// of the other quarks. With M' the matrix of q',
//   M' X = delta(x_t - x0_t, T) exp(i p (x - x0)) gamma_5 K(x)^dagger,
//   C(tau; q) = sum_y exp(i q (y - x0)) tr[gamma_5 Gamma S(y) X(y)^dagger].
// For a baryon's sink behind the boundary its phase counts, as in two-point functions. Between boundaries in time
// nothing goes around: tau beyond the last slice means currents before the source. A smeared sink smears both the
// propagators in K and the source of X.
// Cost per site: up to 10^4 multiply-adds for each term of a baryon on the sink's slice, 576 for all currents.

#include <array>
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "trellis/core/base/named.hpp"
#include "trellis/measure/hadron_correlators.hpp"

namespace trellis::measure {

// P of tr P <N Nbar>: (1 + gamma_4)/2, and that times i gamma_5 gamma_k for a spin along k. For channels that end in
// `_negative` it begins with -(1 - gamma_4)/2.
enum class SinkProjector { unpolarised, polarised_x, polarised_y, polarised_z };
inline constexpr std::array<NamedValue<SinkProjector>, 4> sink_projectors{{
    {"unpolarised", SinkProjector::unpolarised},
    {"polarised_x", SinkProjector::polarised_x},
    {"polarised_y", SinkProjector::polarised_y},
    {"polarised_z", SinkProjector::polarised_z},
}};

struct FixedSink {
  std::string name;
  // Numbers of the hadron's quarks, as they leave the source; the current acts on the one at `place`, which is 0 in a
  // meson. The first two places of a proton mean both of its quarks.
  std::vector<int> quarks;
  int place = 0;
  int to = 0;                                            // the quark from the current to the sink, q'
  std::string channel;                                   // of the hadron
  SinkProjector projector = SinkProjector::unpolarised;  // of proton and lambda
  bool smeared = false;
  Momentum momentum{0, 0, 0};                // p
  int time = 0;                              // T
  std::vector<std::string> currents;         // some of the sixteen
  std::vector<Momentum> momenta{{0, 0, 0}};  // q
};

// b <- gamma_5 K^dagger ... as above, without the factors 2 kappa, from the propagators M^-1 of the quarks by number.
// InputError for an unknown channel; Error unless all have twelve columns.
template <int W>
void sequential_source(const FixedSink& sink, std::span<const FullSpinors<double, W>> propagators,
                       const SinkParameters& parameters, const FullSpinors<double, W>& b);

// C[current][momentum][tau], tau fastest; x is X, s the propagator S of the quark at `place`.
template <int W>
std::vector<std::complex<double>> current_insertions(const FixedSink& sink, const FullSpinors<double, W>& x,
                                                     const FullSpinors<double, W>& s, const Coordinate& source);

}  // namespace trellis::measure

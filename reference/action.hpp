// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge actions of small loops and their derivative.
//
//   S = beta * sum over loops of [ c0 (1 - Re tr P / 3) + c1 (1 - Re tr R / 3) ],   c0 = 1 - 8 c1
//
// with 6 plaquettes and 12 rectangles per site. Wilson: c1 = 0. Tree-level Symanzik (Luscher-Weisz): c1 = -1/12.
// With parallelograms, three weights: S = sum over loops of [ weight (1 - Re tr loop / 3) ], 16 parallelograms per
// site. The derivative is dS/d omega_a at U -> exp(i omega_a T_a) U of one link. With the staple V that collects every
// appearance of the link in a loop, dS/d omega_a = (beta/3) Im tr(T_a U V). On an extent of 2 a link occurs twice in
// rectangles; V then contains the link too, and the product rule still counts each appearance once.

#include <array>
#include <vector>

#include "reference/loops.hpp"

namespace trellis::reference {

constexpr double wilson_c1 = 0.0;
constexpr double symanzik_c1 = -1.0 / 12.0;

struct LoopWeights {
  double plaquette = 0, rectangle = 0, parallelogram = 0;
};
LoopWeights loop_weights(double beta, double c1);

// The one-loop Symanzik action with tadpole improvement (M. Luescher and P. Weisz, Phys. Lett. B 158 (1985) 250;
// M. Alford et al., Phys. Lett. B 361 (1995) 87), with the loops of N_f flavours of HISQ quarks (A. Hart, G. M. von
// Hippel, R. R. Horgan, Phys. Rev. D 79 (2009) 074008), in numbers of alpha_s = -4 ln(u0) / 3.0684.
LoopWeights one_loop_symanzik(double beta, double u0, int flavours);

double gauge_action(const GaugeConfiguration& u, const LoopWeights& weights);
double gauge_action(const GaugeConfiguration& u, double beta, double c1);

// Paths from x + mu back to x that close a plaquette (6), a 2x1 rectangle (18) or a parallelogram (24) with the link
// U_mu(x).
std::vector<Path> plaquette_staples(int mu);
std::vector<Path> rectangle_staples(int mu);
std::vector<Path> parallelogram_staples(int mu);

// V = weighted sum of staples: the loops through the link sum to Re tr(U_mu(x) V).
Matrix staple(const GaugeConfiguration& u, const Site& x, int mu, const LoopWeights& weights);

// dS/d omega_a of one link, a = 0..7.
std::array<double, 8> gauge_derivative(const GaugeConfiguration& u, const Site& x, int mu, const LoopWeights& weights);
std::array<double, 8> gauge_derivative(const GaugeConfiguration& u, const Site& x, int mu, double beta, double c1);

// For every link (indexed as u.links) the Hermitian traceless matrix sum_a T_a dS/d omega_a.
std::vector<Matrix> gauge_derivative(const GaugeConfiguration& u, const LoopWeights& weights);
std::vector<Matrix> gauge_derivative(const GaugeConfiguration& u, double beta, double c1);

}  // namespace trellis::reference

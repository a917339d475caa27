// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plaquette-and-rectangle gauge actions and their derivative.
//
//   S = beta * sum over loops of [ c0 (1 - Re tr P / 3) + c1 (1 - Re tr R / 3) ],   c0 = 1 - 8 c1
//
// with 6 plaquettes and 12 rectangles per site. Wilson: c1 = 0. Tree-level Symanzik (Luscher-Weisz): c1 = -1/12.
// The derivative is dS/d omega_a at U -> exp(i omega_a T_a) U of one link. With the staple V that collects every
// appearance of the link in a loop, dS/d omega_a = (beta/3) Im tr(T_a U V). On an extent of 2 a link occurs twice in
// rectangles; V then contains the link too, and the product rule still counts each appearance once.

#include <array>
#include <vector>

#include "reference/loops.hpp"

namespace trellis::reference {

constexpr double wilson_c1 = 0.0;
constexpr double symanzik_c1 = -1.0 / 12.0;

double gauge_action(const GaugeConfiguration& u, double beta, double c1);

// Paths from x + mu back to x that close a plaquette (6) or a 2x1 rectangle (18) with the link U_mu(x).
std::vector<Path> plaquette_staples(int mu);
std::vector<Path> rectangle_staples(int mu);

// V = c0 sum of plaquette staples + c1 sum of rectangle staples: the loops through the link sum to Re tr(U_mu(x) V).
Matrix staple(const GaugeConfiguration& u, const Site& x, int mu, double c0, double c1);

// dS/d omega_a of one link, a = 0..7.
std::array<double, 8> gauge_derivative(const GaugeConfiguration& u, const Site& x, int mu, double beta, double c1);

// For every link (indexed as u.links) the Hermitian traceless matrix sum_a T_a dS/d omega_a.
std::vector<Matrix> gauge_derivative(const GaugeConfiguration& u, double beta, double c1);

}  // namespace trellis::reference

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge actions with a defect (M. Hasenbusch, Phys. Rev. D 96 (2017) 054504; C. Bonanno, C. Bonati and M. D'Elia, JHEP
// 03 (2021) 111): the links that lead across one boundary of the lattice, on a cube of it, have the weight c, all
// others the weight 1, and
//   S_c = - sum over loops of [ weight x (product of the weights of its links) x Re tr loop / 3 ].
// A link that a loop contains twice counts twice.

#include "reference/action.hpp"

namespace trellis::reference {

// The links U_direction(x) with x_direction = the last, and the other coordinates below length.
struct Defect {
  int direction = 0, length = 0;
};

double link_weight(const Defect& defect, double coupling, const Site& size, Site x, int mu);

double defect_action(const GaugeConfiguration& u, const LoopWeights& weights, const Defect& defect, double coupling);

// W = U_mu(x) V, with V the staples of the link by weight: the loops through the link sum to Re tr W, and exp(-S_c) has
//   <sum_a (dS_c/d omega_a)^2> = (4/9) <Re tr W>   for every link that no loop contains twice (schwinger_dyson.hpp).
Matrix defect_loops(const GaugeConfiguration& u, const Site& x, int mu, const LoopWeights& weights,
                    const Defect& defect, double coupling);

// dS_c/d omega_a of one link, a = 0..7.
std::array<double, 8> defect_derivative(const GaugeConfiguration& u, const Site& x, int mu, const LoopWeights& weights,
                                        const Defect& defect, double coupling);

}  // namespace trellis::reference

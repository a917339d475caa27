// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Hamiltonian that an integrator conserves in place of H = T + sum_k S_k (Omelyan, Mryglod and Folk, Comput. Phys.
// Commun. 151 (2003) 272; Kennedy, Clark and Silva, arXiv:0910.2950). A plan (integrator.hpp) is a palindrome of
// exponentials, whose logarithm is, by the formula of Baker, Campbell and Hausdorff up to fifth order in its steps,
//   tau (T + S + delta),   delta = sum_k hessian_k {T, {T, S_k}} + sum_jk gram_jk {S_j, {S_k, T}}
// with the Poisson brackets
//   {T, {T, S_k}} = d^2 S_k / dt^2 along a drift = -d(p F_k)/dt,    {S_j, {S_k, T}} = F_j F_k
// (sums over links and components of the algebra; poisson_brackets.hpp measures them). Hence, up to fourth order,
//   dH of a trajectory = delta(start) - delta(end)
// for every plan from the same few numbers. S_k is the sum of the terms on level k. A level whose coefficients are all
// zero is integrated to fourth order; its dH is beyond this formula.
// Cost: (operations of the plan) x (levels)^2.

#include <vector>

#include "trellis/hmc/integrator.hpp"

namespace trellis::hmc {

struct ShadowCoefficients {
  std::vector<double> hessian;            // by level
  std::vector<std::vector<double>> gram;  // by levels; symmetric
};

// Throws InputError if the plan, with the kicks between two drifts as one, is not a palindrome.
ShadowCoefficients shadow_coefficients(const Plan& plan, int levels);

}  // namespace trellis::hmc

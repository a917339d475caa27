// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Potentials of the topological charge, which is real for the clover: a term of the action that changes how often
// sectors and the barriers between them are visited (A. Laio, G. Martinelli and F. Sanfilippo, JHEP 07 (2016) 089; here
// the potential stays as it is). Averages without it are <O exp(V)> / <exp(V)>.
//   quadratic   V = strength Q^2
//   periodic    V = strength sin^2(pi Q / period); barriers between multiples of the period are lower by `strength` if
//               it is negative
//   table       V(Q) = V(-Q), from its values at 0, spacing, 2 spacing, ...: a cubic between two values, whose
//               slopes at these are those of the neighbours' differences, and zero at both ends, beyond which V is
//               constant

#include <array>
#include <vector>

#include "trellis/core/base/named.hpp"

namespace trellis::hmc {

enum class ChargePotentialForm { quadratic, periodic, table };

inline constexpr std::array charge_potential_forms{
    NamedValue<ChargePotentialForm>{"quadratic", ChargePotentialForm::quadratic},
    NamedValue<ChargePotentialForm>{"periodic", ChargePotentialForm::periodic},
    NamedValue<ChargePotentialForm>{"table", ChargePotentialForm::table}};

struct ChargePotential {
  ChargePotentialForm form = ChargePotentialForm::quadratic;
  double strength = 0, period = 1;
  double spacing = 1;
  std::vector<double> values = {};
};

// InputError for a table with fewer than two values, and for a period or spacing that is not positive.
void require_valid(const ChargePotential& potential);
double value(const ChargePotential& potential, double charge);
double slope(const ChargePotential& potential, double charge);  // dV/dQ

}  // namespace trellis::hmc

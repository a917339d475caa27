// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One step of a symplectic integrator as plain data: a palindrome of momentum kicks and drifts of the links.
//   kick           p <- p + c h F(U)                                F = -dS/dU
//   drift          U <- exp(i c h p) U
//   gradient_kick  p <- p + c h F(U'), U' = exp(i d h^2 F(U)) U     d: displacement
// with step length h. The gradient kick is the force-gradient term [S,[S,T]] up to O(h^5), with two force evaluations
// and no second derivative (Yin and Mawhinney, PoS LATTICE2011 (2011) 051).
//
//   leapfrog          second order, one force per step
//   minimum_norm_2    2MN (Omelyan, Mryglod and Folk, Comput. Phys. Commun. 151 (2003) 272), second order, two forces;
//                     lambda = 0.1931833275037836 minimises the error, 1/6 conserves best with unequal terms
//   minimum_norm_4    4MN5FV (same; Takaishi and de Forcrand, hep-lat/0505020), fourth order, five forces
//   force_gradient    fourth order, three forces (Omelyan et al.; Clark, Kennedy and Silva, arXiv:0811.2208)
// Forces are counted with the last kick of a step merged with the first one of the next.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::hmc {

struct Step {
  enum class Kind { kick, drift, gradient_kick };
  Kind kind;
  double coefficient;
  double displacement = 0;  // for a gradient_kick
};

struct Scheme {
  std::string name;
  std::vector<Step> steps;
};

inline constexpr double minimum_norm_lambda = 0.1931833275037836;

Scheme leapfrog();
Scheme minimum_norm_2(double lambda = minimum_norm_lambda);
Scheme minimum_norm_4();
Scheme force_gradient();

// An integrator with a name in the input.
struct Integrator {
  std::string_view name;
  int order;      // dH of a trajectory is O(h^order)
  double lambda;  // default of its parameter; 0 if it has none
  Scheme (*make)(double lambda);
  // e, if of an oscillator of frequency 1 it conserves p^2 + (1 + e_2 h^2 + e h^4) q^2; for
  // tuning/integrator_model.hpp, which learns what is wrong about it.
  double fourth_order = 5.5e-3;
};
std::span<const Integrator> integrators();
const Integrator& integrator_by_name(std::string_view name);  // InputError listing the known ones otherwise

// The largest w h for which steps of length h keep an oscillator of frequency w bounded: 2 for leapfrog. Up to 10.
double stability_limit(const Scheme& scheme);

// Throws InputError unless the steps form a palindrome (needed for detailed balance), and kicks and drifts each sum to
// 1.
void require_valid(const Scheme& scheme);

}  // namespace trellis::hmc

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Quarks in the action: rational hybrid Monte Carlo (Clark and Kennedy, Phys. Rev. Lett. 98 (2007) 051601) of staggered
// quarks on smeared links. With A = -D_eo D_oe of the smeared links, on even sites, a term is
//   det(A + m^2)^(n a)                         or, split by a heavier mass (Hasenbusch, hep-lat/0107019),
//   [det(A + m^2) / det(A + h^2)]^(n a),
// n pseudofermions of power a each: S = sum_j phi_j^dagger f(A + m^2) phi_j, f(y) = y^-a, or y^-a (y + h^2 - m^2)^a.
// N_t tastes in total mean n a = N_t / 4: one rooted flavour has n a = 1/4.
//
// f and its inverse square root (heatbath: phi = f^-1/2 xi, xi normal) are rational approximations on the interval
// [m^2, m^2 + largest_eigenvalue]. The interval is fixed during a chain, so that molecular dynamics stays reversible;
// the largest eigenvalue is measured at the start and the end of every trajectory; OutsideSpectrum is thrown if it is
// outside. It never exceeds 16 with links in SU(3); with improved links it does if their tadpole factor makes them
// large enough (dirac/staggered/staggered.hpp has the bound). Memory: for each order k of a function, k even vectors
// and, if used for forces, k odd ones; shared by all terms.

#include "trellis/dirac/staggered/link_phases.hpp"
#include "trellis/dirac/stencil/hop_settings.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/hmc/rational.hpp"
#include "trellis/hmc/solver_precision.hpp"
#include "trellis/hmc/term.hpp"

namespace trellis::hmc {

// Approximations of f^-1/2 (heatbath_function), and of f (action_function) with two different errors.
struct QuarkFunctions {
  RationalApproximation heatbath, molecular_dynamics, metropolis;
};

struct QuarkTerm {
  std::string name;
  double mass = 0;          // > 0
  double heavier_mass = 0;  // h > m; 0: no splitting
  double power = 0.25;      // a, in (0, 1]
  int pseudofermions = 1;   // n, 1 to 1000
  dirac::LinkPhases phases = {};
  double naik_epsilon = 0;                               // of links that have a Naik term
  std::shared_ptr<const QuarkFunctions> functions = {};  // those of quark_functions(), if already computed
};

struct QuarkAction {
  gauge::SmearingParameters smearing;
  // Largest relative errors of the rational approximations
  double heatbath_error = 1e-12, molecular_dynamics_error = 1e-7, metropolis_error = 1e-12;
  double largest_eigenvalue = 16;  // of A
  // Relative residuals of the solves
  double heatbath_residual = 1e-11, molecular_dynamics_residual = 1e-7, metropolis_residual = 1e-11;
  SolverPrecision heatbath_precision = SolverPrecision::double_,
                  molecular_dynamics_precision = SolverPrecision::double_,
                  metropolis_precision = SolverPrecision::double_;
  int max_iterations = 50000;
  // How the operator is run, and the site order for single precision: neither changes a bit.
  dirac::HopSettings settings = dirac::staggered_settings, single_settings = dirac::staggered_settings;
  LatticeShape single_shape = {};
};

// f(y)
std::vector<PowerFactor> action_function(const QuarkTerm& term);
// f(y)^(-1/2) for a split term; else f(y)^(-1/2) / y, because a sum of poles keeps many more digits for a decreasing
// function. Applying the operator once more restores the factor y.
std::vector<PowerFactor> heatbath_function(const QuarkTerm& term);

// The heatbath of a quark that is not split is in double precision in any case: A + m^2, which is applied to the sum of
// its poles, amplifies what rounding leaves there, and dH would see it in proportion to the volume.
SolverPrecision heatbath_precision(const QuarkAction& action, const QuarkTerm& term);

// Computes them, which takes a tenth of a second or more. Throws InputError if an error is out of reach.
QuarkFunctions quark_functions(const QuarkAction& action, const QuarkTerm& term);

// The name of a solve, in errors and for the iteration counts of a dry run (core/runtime/dry_run.hpp): "the heatbath of
// term 'l'". purpose: "heatbath", "molecular dynamics", "Metropolis".
std::string solve_name(std::string_view purpose, std::string_view term);

// Makes the terms of the action, in this order, which also numbers their random numbers. Computes the functions of
// terms that come without. Throws InputError for masses, powers or counts that make no sense, and for errors out of
// reach.
template <int W>
Terms<double, W> make_quark_terms(const QuarkAction& action, const std::vector<QuarkTerm>& terms,
                                  const Lattice& lattice);

// The forces of the same terms in single precision, for molecular dynamics (dynamics/single_precision.hpp): they have
// no energy, and Term::sources() is to be filled with what the terms in double precision have drawn. Also throws
// InputError if the smearing is not there in single precision.
template <int W>
Terms<float, W> make_quark_forces(const QuarkAction& action, const std::vector<QuarkTerm>& terms,
                                  const Lattice& lattice);

}  // namespace trellis::hmc

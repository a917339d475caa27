// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `trellis verify` allows: from the rounding of double precision, and from the accuracies that the input asks for
// times the factor by which the algorithm amplifies them. An input whose accuracies allow more than a check can bear,
// because the check could then no longer fail, does not pass it: the line says which key is too loose, and what would
// do.

#include <span>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/verify/verify_report.hpp"
#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/hmc/quark_action.hpp"

namespace trellis::app {

// Relative, of one operation in double precision.
inline constexpr double operation_rounding = 2.3e-16;

// A number of the input, and by how much more it changes what is checked.
struct Inaccuracy {
  std::string key;
  double value = 0;
  double amplification = 1;
  std::string precision = {};  // the value of a key that names one, whose rounding this is
};

// found <= rest + sum of value times amplification. Fails, whatever was found, if that is more than `most`: the note
// names the key with the largest share, and a value with which the line could be checked. If more is found than is
// allowed, and `others`, accuracies that the limit leaves no room for, can be the reason, the note names the one of
// them with the largest share.
Outcome at_most(double found, double rest, std::span<const Inaccuracy> from, double most,
                std::span<const Inaccuracy> others = {});

// Of a numerical derivative of S along one direction p with |p|^2 = 8, as the largest slope's part. With differences of
// fourth order and step h the truncation is h^4 k^4 / 30 for a motion of frequency k. The eigenvalues of p_a T_a are at
// most 1.7; links occur in powers through smearing and inverses, so k = 4 (found: below 3). The rounding of S, in units
// of its `size`, is divided by h.
double derivative_limit(double step, double size, double slope);

// A force F = x^dagger dA x / dU of the solutions x has the relative error 2 |dx| / |x|; with the residual r, dx is r
// times the amplification of the modes in which it lies, of 1 to 2 on average as found from m = 0.2 to 0.002. 20 r is
// allowed. The error e of the rational approximation of y^-p on a range of ln(y) oscillates 2 n + 1 times, n = ln(4 /
// e) range / pi^2, so that the relative error of its derivative, which makes the force, is (2 ln(4 / e) / pi + pi /
// range) e / p; twice that is allowed. The force of a ratio of masses is what two forces leave that cancel in all modes
// but the lowest: four times as much. At most two percent.
Outcome check_force_accuracy(double found, const RunInput& input, const hmc::QuarkTerm& term);

// phi^dagger f phi - |xi|^2 relative to |xi|^2 for each pseudofermion: twice the error of the heatbath's approximation,
// once that of the energy's, and, by Schwarz's inequality, their residuals. (Those of conjugate gradients enter in
// second order, so much less is found.) At most 1e-4, and 0.1 in dH on this lattice.
Outcome check_heatbath_energy(double found, const RunInput& input, const hmc::QuarkTerm& term, double volume);

// Deviations after integrating there and back. Rounding of every innermost step, times a growth of 1000 along unstable
// directions; in single precision, where it is found to add up at random, times 100 and the root of the steps.
// Solutions follow a change of the links only to their residual r: r in a link, and as much for each site, at
// random, in the energy. Before the trajectory the energy is that of the heatbath's noise, so that errors of the
// heatbath and the energy show as well. No more than 1e-3 in a link and 0.1 in the energy is reversible. An unstable
// integration, whose dH is large, amplifies all this; then the note says so.
Outcome check_reversibility_of_links(double found, const RunInput& input, double dH);
Outcome check_reversibility_of_energy(double found, const RunInput& input, double volume, double dH);

// Of one element of a link after `levels` of stout smearing: 100 operations for the staples, their projection and the
// exponential, and an earlier level's error grows by at most 6 rho. At most 1e-12. Other smearings: 1e-12.
double smearing_limit(const gauge::SmearingParameters& smearing);
// Of one number of D psi with |psi| < sqrt(2): 48 products, and the error of the links.
double staggered_limit(const gauge::SmearingParameters& smearing);

// Of one number of M psi with |psi| < sqrt(2), M = A - kappa D on links smeared like this: 48 products of the hops, 12
// of the clover term with leaves of 50 operations, and the error of the links.
double wilson_limit(const dirac::WilsonParameters& quark, const gauge::SmearingParameters& smearing);
// Of a correlator, in units of the sum over its time slice of |S|^2 (mesons) or |S|^3 (baryons): the products of one
// site have some 300 operations that add up, those of smeared sinks 20 more for each step.
double correlator_limit(int smearing_steps);
// Of one element of a link after a step of the flow: three stages like levels of smearing.
double flow_limit(double c1, double step);

// Of plaquettes, and of rectangles and parallelograms, in [0, 1]: products of four or six matrices, 12 operations for
// each number.
inline constexpr double plaquette_limit = 50 * operation_rounding, rectangle_limit = 75 * operation_rounding;
// Of a mean of `count` naive numbers up to 1, added up in order; it grows like the root of their number.
double naive_sum_rounding(double count);
// Those that loops at boundaries in time may have, if they are larger than those of others.
gauge::LoopWeights largest_weights(gauge::LoopWeights weights, const gauge::Boundary& boundary);
// Of S relative to itself: rounding of all loops over what is left when their sum is subtracted from their number.
double action_limit(const gauge::LoopWeights& weights, double volume, double action);
// Of the root mean square of a force, `size` itself: rounding of the staples that are added up for one link.
double force_size_limit(const gauge::LoopWeights& weights, double size);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The checks of `trellis verify`, on the user's machine, of the algorithm that the user's input asks for. Each function
// adds its lines to the report. Nothing is written except in a temporary folder, which is removed.
//
// The oracle of these checks is not reference/, which no program includes, but what must hold for any action: a force
// is the derivative of its energy, an integrator has its order, a gauge transformation changes nothing. Operators,
// smearing, flow and contractions are compared with separate loops (naive_*.hpp). What is allowed: verify_limits.hpp.

#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/verify/verify_report.hpp"
#include "trellis/hmc/rational.hpp"
#include "trellis/hmc/term.hpp"

namespace trellis::app {

template <int W>
struct VerifyCase {
  RunInput input;
  RunInput accurate;        // the same, but molecular dynamics as accurate as energies, in double precision
  GaugeField<double, W> u;  // the links to check on; no check changes them
  hmc::Terms<double, W> terms, accurate_terms;  // none for an input that only measures
};

// smearing.force_filter of the input; 0: none.
double force_filter(const RunInput& input);

// The input on a lattice of another size: a Schroedinger functional ends as many slices before its last one.
// InputError if it does not fit.
RunInput resized(RunInput input, const Coordinate& size);

// Random links after ten heatbath sweeps of the input's action, with its boundary.
template <int W>
GaugeField<double, W> verify_links(const RunInput& input, const Lattice& lattice);

// The links of the input's file if there is one and its lattice fits; otherwise random links after ten heatbath sweeps,
// so that no force is tiny. `read_file`: whether to read the file; `has_chain`: whether the input is that of a run.
template <int W>
VerifyCase<W> verify_case(const RunInput& input, bool read_file, const comm::ProcessGrid& grid = {},
                          bool has_chain = true);

// A term's force F compared with its energy S, along random directions: one random link each, among them one that
// leaves the last time slice, or some at the boundaries in time, and one direction of all links that are variables. d S
// / d t at exp(i t H) U is compared with -sum_a p_a F_a; what is found is the largest difference over the largest
// derivative. S by fourth-order differences.
template <int W>
Outcome check_force(hmc::Term<double, W>& term, const GaugeField<double, W>& u, std::uint64_t seed,
                    const gauge::Boundary& boundary = {});

// The largest number of a term's force on links that the boundary takes from the variables, after what hybrid Monte
// Carlo does with it; none is allowed.
template <int W>
Outcome check_fixed_links(hmc::Term<double, W>& term, const GaugeField<double, W>& u, std::uint64_t seed,
                          const gauge::Boundary& boundary);

// Every term's force, and how far the forces of the input's own molecular dynamics are from the exact ones.
template <int W>
void check_forces(const VerifyCase<W>& c, VerifyReport& report);

// The largest relative error of r on a grid: at most what r claims and what was requested, and rounding.
Outcome check_approximation(const hmc::RationalApproximation& r, const std::vector<hmc::PowerFactor>& f,
                            double requested);

// Orders, claimed errors, and errors found on a grid, for all approximations; the spectrum; energies after the
// heatbath.
template <int W>
void check_rational_approximations(const VerifyCase<W>& c, VerifyReport& report);

// Averages of loops, energy and charge by slices and the action itself with naive loops.
template <int W>
void check_loops(const VerifyCase<W>& c, VerifyReport& report);

// The gauge action with the defect of [tempering], if there is one: S with naive loops, and its force. Nothing of
// swaps.
template <int W>
void check_defect(const VerifyCase<W>& c, VerifyReport& report);

// Smearing and the staggered operator compared with naive loops; gauge covariance of both and of the action.
template <int W>
void check_operators(const VerifyCase<W>& c, VerifyReport& report);

// What [measure] asks for, if it does: gradient flow; the operator of Wilson quarks, propagators and hadrons; traces of
// staggered quarks and their hadrons, with dense matrices on a tiny lattice with links of its own.
template <int W>
void check_flow(const VerifyCase<W>& c, VerifyReport& report);
template <int W>
void check_hadrons(const VerifyCase<W>& c, VerifyReport& report);
void check_quarks(const RunInput& whole, int most_lanes, VerifyReport& report);

// The order in the step size of each integrator in use, from |dH| with accurate forces. It may be higher than the
// integrator's, since the leading coefficient is small for some links. A wrong integrator or force gives a lower order.
template <int W>
void check_integrators(const VerifyCase<W>& c, VerifyReport& report);

// Two trajectories: reversibility, restart from a checkpoint, one thread, other lanes; a configuration file.
template <int W>
void check_bits(const VerifyCase<W>& c, VerifyReport& report);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `trellis verify` checks, on the user's machine, of the algorithm that the user's input asks for. Each function
// adds its lines to the report. Nothing is written but in a temporary folder, which is removed.
//
// The oracle of these checks is not reference/, which no program includes, but what must hold of any action: a force is
// the derivative of its energy, an integrator has its order, a gauge transformation changes nothing. Only the operator
// and the smearing are compared with loops of their own (naive_links.hpp).

#include "trellis/app/input/input.hpp"
#include "trellis/app/verify/verify_report.hpp"
#include "trellis/hmc/term.hpp"

namespace trellis::app {

template <int W>
struct VerifyCase {
  RunInput input;
  RunInput accurate;        // the same with molecular dynamics as exact as energies, in double precision
  GaugeField<double, W> u;  // links to check on; no check changes them
  hmc::Terms<double, W> terms, accurate_terms;
};

// Links: those of the input's file if there is one and the lattice is its; else random ones after ten sweeps of
// heatbath, so that no force is tiny. `read_file`: whether to take the file's.
template <int W>
VerifyCase<W> verify_case(const RunInput& input, bool read_file, const comm::ProcessGrid& grid = {});

// A term's force F against its energy S, along random directions: one random link each, one that leaves the last time
// slice among them, and one direction of all links together. d S / d t at exp(i t H) U is compared with -sum_a p_a F_a;
// the largest difference over the largest derivative is at most 1e-7. S by fourth-order differences.
template <int W>
Outcome check_force(hmc::Term<double, W>& term, const GaugeField<double, W>& u, std::uint64_t seed);

// Every term's force, and how far the forces of the input's own molecular dynamics are from exact ones.
template <int W>
void check_forces(const VerifyCase<W>& c, VerifyReport& report);

// Orders, claimed errors, and errors found on a grid, of all approximations; the spectrum; energies after the heatbath.
template <int W>
void check_rational_approximations(const VerifyCase<W>& c, VerifyReport& report);

// Smearing and the staggered operator against naive loops; gauge covariance of them and of the action.
template <int W>
void check_operators(const VerifyCase<W>& c, VerifyReport& report);

// Order in the step size of each integrator in use, by |dH| of exact forces. It may be higher than the integrator's:
// the leading coefficient is small for some links. A wrong integrator or force has a lower one.
template <int W>
void check_integrators(const VerifyCase<W>& c, VerifyReport& report);

// Two trajectories: reversibility, restart from a checkpoint, one thread, other lanes; a configuration's file.
template <int W>
void check_bits(const VerifyCase<W>& c, VerifyReport& report);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The inputs' quark sections as plain data: the Dirac operator, the flavours of the action, and how accurately their
// determinants are approximated and their equations solved.
//
// A flavour of mass m and N_t tastes enters the action as det(m^2 - D_eo D_oe)^(N_t/4), D with the links, phases and
// signs of docs/design.md. With n pseudofermions each of them has the exponent N_t/(4 n), which must be at most 1.
// Splitting masses m < m_1 < ... < m_k (Hasenbusch, hep-lat/0107019) write the determinant as
//   det(m)/det(m_1) * det(m_1)/det(m_2) * ... * det(m_k):
// k + 1 terms, name_1 (the lightest) to name_{k+1}. Without splitting, the single term has the flavour's name. The last
// factor may join another flavour of mass m_k that sees the same phases: the exponents add up, and there is one term
// less.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::app {

// [background]: a uniform electromagnetic field in flux quanta, ex, ey, ez, bx, by, bz in this order. A quark of charge
// q (in units of e/3) sees the phase exp(2 pi i q flux / (L_i L_j)) in each plaquette of the (i, j) plane, and q flux
// is an integer. Electric fields are Euclidean.
struct BackgroundInput {
  static constexpr std::array<const char*, 6> names{"ex", "ey", "ez", "bx", "by", "bz"};
  static constexpr std::array<std::array<int, 2>, 6> planes{{{0, 3}, {1, 3}, {2, 3}, {1, 2}, {2, 0}, {0, 1}}};
  std::array<double, 6> flux{};
  std::array<std::int64_t, 6> quanta(double charge) const;  // charge * flux
};

enum class TimeBoundary { antiperiodic, periodic };

struct FlavourInput {               // [[flavours]]
  std::string name;                 // [a-z0-9_]+
  double mass = 0;                  // required; a m
  std::int64_t tastes = 1;          // from 1
  std::int64_t pseudofermions = 1;  // 1 to 16
  double charge = 0;                // in units of e/3
  double imaginary_mu = 0;          // mu_I / (pi T)
  double naik_epsilon = 0;          // of the Naik term (gauge/smearing/smearing.hpp), on links that have one
  std::array<double, 3> space_angles_over_pi{};  // a quark gets exp(i pi angle) on its way around the lattice
  std::vector<double> split_masses;
  std::string joins;  // the flavour that takes the last factor; empty: none
  std::vector<std::string> terms() const;
  // Both have the same operator but for their masses.
  bool sees_links_of(const FlavourInput& other) const {
    return charge == other.charge && imaginary_mu == other.imaginary_mu && naik_epsilon == other.naik_epsilon &&
           space_angles_over_pi == other.space_angles_over_pi;
  }
};

struct QuarkInput {
  gauge::SmearingParameters smearing;     // [smearing] of the links that quarks see, complete
  gauge::Boundary lattice_boundary = {};  // in time, of the links: [lattice] boundary, or of measured files
  BackgroundInput background;
  TimeBoundary boundary = TimeBoundary::antiperiodic;              // [boundary] time; only of periodic links
  std::vector<FlavourInput> flavours;                              // empty: no quarks; the rest is then meaningless
  std::vector<std::string> terms() const;                          // of all flavours, in order
  std::vector<double> naik_epsilons() const;                       // likewise
  std::int64_t tastes_of_term(const FlavourInput& flavour) const;  // with those of flavours that join it
};

struct RationalInput {  // [rational]: relative errors of the approximations over the whole spectrum
  double heatbath_error = 1e-12;
  double molecular_dynamics_error = 1e-7;
  double metropolis_error = 1e-12;
  double largest_eigenvalue = 16;  // of -D_eo D_oe; on links in SU(3) at most 16
};

struct SolverInput {  // [solver]: relative residuals |r|/|b|
  double heatbath_residual = 1e-11;
  double molecular_dynamics_residual = 1e-7;
  double metropolis_residual = 1e-11;
  // Of hmc::solver_precisions
  std::string heatbath_precision = "double", molecular_dynamics_precision = "double", metropolis_precision = "double";
  std::int64_t max_iterations = 50000;
};

struct QuarkMeasureInput {               // [measure.quarks], if present
  std::int64_t every = 0;                // run only; default: as [measure]; a multiple of it
  std::vector<std::string> observables;  // from measure::quark_observables; default "condensate"
  std::string noise = "random";          // or "exact": all unit vectors
  std::int64_t noise_vectors = 4;
  double residual = 1e-10;
  std::vector<std::string> flavours;  // names; all flavours if the key is missing or empty
};

struct EigenvalueInput {              // [measure.eigenvalues] of `trellis measure`, if present
  std::int64_t count = 10;            // 1 to solver::most_eigenvalues
  double tolerance = 1e-10;           // |A v - lambda v|, A = -D_eo D_oe
  std::vector<std::string> flavours;  // as in [measure.quarks]
};

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Solves, or checks solutions of, the equation of staggered quarks on links from a file, which may be any matrices,
// with sources from a file (io/fields/field_file.hpp), for `trellis solve`:
//   M x = b  or  M^dagger M x = b,
// with M and the signs of links in one of two conventions (dirac/staggered/phase_conventions.hpp): that of MILC,
// M = 2 m + D with signs in the links, or ours, M = m + D / 2 with signs that the operator applies. Residuals are those
// of the links in the files, in double precision, whatever the solver's operator makes of them.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/io/file_precision.hpp"
#include "trellis/measure/staggered_inverse.hpp"

namespace trellis::app {

enum class LinkConvention { milc, trellis };

struct SolveInput {
  std::filesystem::path fat, long_links;  // long_links may be empty: no hops of three steps
  std::filesystem::path source;           // or:
  std::optional<Coordinate> point;        // three sources, one for each colour, on this site
  std::filesystem::path solution;         // written; empty: none
  std::filesystem::path check;            // a solution to check instead of solving; empty: none
  double mass = 0;
  measure::StaggeredMatrix matrix = measure::StaggeredMatrix::m;
  LinkConvention convention = LinkConvention::milc;
  bool antiperiodic_time = true;  // in our convention; in MILC's the links know
  measure::InverseParameters inverse;
  Precision precision = Precision::double_;  // of the solution's file
  std::string provenance;                    // for the solution's file
  MachineInput machine;                      // ranks
};

struct SolvedVector {
  double residual = 0;       // |A x - b| / |b|
  int iterations = 0;        // 0 if only checked
  double fitting_mass = 0;   // for M: the mass for which |M x - b| is smallest
  double from_rounding = 0;  // |A e| / |b|, where e is what a checked file's single precision may have changed in x
};

struct Solved {
  Coordinate size{};
  std::vector<SolvedVector> vectors;  // of all fields of the source, in order
  double seconds = 0;                 // in solvers
  std::vector<std::string> kernels;   // how they ran (app/run/input_kernels.hpp)
};

// All ranks must call it. Warns of what records of the links contradict (link_records.hpp). InputError for files that
// are not what is expected, of different lattices or numbers of vectors, for odd extents and masses that are not
// positive; Error if a residual is not reached or a file cannot be written: the solution's file is then as it was.
Solved solve_fields(const SolveInput& input);

}  // namespace trellis::app

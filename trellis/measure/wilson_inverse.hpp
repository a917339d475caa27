// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// x = M^-1 b on all sites for Wilson quarks with or without clover, M = A - kappa D (dirac/wilson/wilson_operator.hpp),
// through the even/odd preconditioned system on even sites: its residual is that of the complete equation, whose odd
// part is solved to rounding. Several columns of b are solved for together, so that links are read once for all of
// them.
//   cg         conjugate gradients on the normal equations: robust, but squares the condition number
//   bicgstab   usually the fastest
//   gcr        minimises the residual in the span of some directions; needs more memory
// A new solver is a line in the table below, and one in each function of wilson_even_solver.hpp.
// Precisions are those of the iterations: `mixed` iterates in single precision, `fixed16` in 16-bit integers with
// single arithmetic, both with reliable updates in double precision; the solution is always within `residual`.

#include <array>
#include <functional>
#include <string_view>

#include "trellis/core/base/named.hpp"
#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/measure/full_fields.hpp"
#include "trellis/measure/propagators/kept_propagators.hpp"
#include "trellis/solver/report.hpp"
#include "trellis/solver/solver_precision.hpp"

namespace trellis::measure {

enum class WilsonSolver { cg, bicgstab, gcr };
using solver::SolverPrecision;

inline constexpr std::array<NamedValue<WilsonSolver>, 3> wilson_solvers{{
    {"cg", WilsonSolver::cg},
    {"bicgstab", WilsonSolver::bicgstab},
    {"gcr", WilsonSolver::gcr},
}};

inline constexpr std::array<NamedValue<SolverPrecision>, 3> solver_precisions{{
    {"double", SolverPrecision::double_},
    {"mixed", SolverPrecision::mixed},
    {"16-bit", SolverPrecision::fixed16},
}};

struct WilsonInverseParameters {
  WilsonSolver solver = WilsonSolver::bicgstab;
  SolverPrecision precision = SolverPrecision::double_;
  double residual = 1e-10;     // |b - M x| / |b| of each column
  int max_iterations = 10000;  // of each column
  // How the operators are run, and the site order for iterations in lower precision: neither changes a bit.
  dirac::HopSettings settings = {}, inner_settings = {};
  LatticeShape inner_shape = {};
  // Columns that are solved for together, 0: all of them. It changes no bit. On a CPU the vectors around a site must
  // stay in its caches, and four take less time each than twelve; a GPU has its threads side by side.
  int together = fields_on_host ? 4 : 0;
  KeptPropagators kept = {};  // solutions that are in files are read, others are written there
};

// Solves Mhat x = b on even sites to these residuals.
template <int W>
using EvenSolver = std::function<solver::SolverReport(const SpinorField<double, W>& b, const SpinorField<double, W>& x,
                                                      const solver::Tolerance& tolerance)>;

template <int W>
class WilsonInverse {
 public:
  // InputError for invalid parameters of the operator, a residual that is not positive, fewer than one iteration or a
  // negative number of columns;
  // Error if a clover block is singular.
  WilsonInverse(const GaugeField<double, W>& u, const dirac::WilsonParameters& quark,
                const WilsonInverseParameters& parameters);

  // Bits of x do not depend on whether it is kept. x starts from zero, or is read (WilsonInverseParameters::kept),
  // after no iterations, if it solves M x = b to the residual; if not, InputError naming the file. The report has the
  // true residuals |b - M x| / |b| of each column. Error (solver::require_converged) naming `what` if one is not
  // reached.
  solver::SolverReport operator()(const FullSpinors<double, W>& b, const FullSpinors<double, W>& x,
                                  std::string_view what) const;

  const dirac::WilsonOperator<double, W>& matrix() const { return m_; }

 private:
  // Of a file; false if there is none.
  bool has_read(const std::filesystem::path& file, const FullSpinors<double, W>& b, const FullSpinors<double, W>& x,
                solver::SolverReport& report) const;
  // All columns together. The report says whether they converged.
  solver::SolverReport solve(const FullSpinors<double, W>& b, const FullSpinors<double, W>& x) const;

  WilsonInverseParameters parameters_;
  dirac::WilsonOperator<double, W> m_;
  EvenSolver<W> solve_even_;
};

}  // namespace trellis::measure

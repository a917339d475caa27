// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Multi-shift conjugate gradients in single precision, followed by mixed_precision_cg on A + s_i for each pole that is
// not yet within its tolerance, all of them as one batch so that A reads its data once for all; those that converge
// leave the batch. Solutions and residuals are in double precision.
//
// Worthwhile if single precision nearly reaches the tolerance, which it does down to about 1e-7 (561 iterations for
// nine poles on 16^4 at a mass of 0.00179, and 688 applications in all). The remaining poles no longer share a Krylov
// space: with twelve of them on 16^4 at 1e-9 it took a quarter longer than multi_shift_cg in double precision.
//
// Contract and errors as in multi_shift_cg. Memory besides x and the work space in single precision: one vector per
// pole in double precision, and for each remaining pole three more and six in single precision.

#include <cmath>
#include <numeric>

#include "trellis/core/stopwatch.hpp"
#include "trellis/solver/mixed_precision_cg.hpp"
#include "trellis/solver/multi_shift_cg.hpp"

namespace trellis::solver {

struct MixedMultiShiftParameters {
  Tolerance tolerance = 1e-9;      // for all shifts, or one for each
  int max_iterations = 20000;      // for each shift, in single precision
  int deferred = 8;                // as in MultiShiftParameters
  double single_tolerance = 1e-7;  // at which the iterations for all shifts end at the latest
  double fall = 0.1;               // as in MixedParameters
  std::vector<double> turns = {};  // as in MultiShiftParameters, total for both precisions
};

namespace detail {

// The fraction of a dry run's iterations that is for all shifts at once, if the logarithm of the residual falls
// linearly.
inline double part_together(const MixedMultiShiftParameters& parameters) {
  const double goal = parameters.tolerance[0];
  return std::log(2 / std::max(goal, parameters.single_tolerance)) / std::log(2 / goal);
}

}  // namespace detail

template <int Reals, int WD, int WS, HermitianOperator<ParityField<double, Reals, WD>> A,
          HermitianOperator<ParityField<float, Reals, WS>> ASingle>
SolverReport mixed_multi_shift_cg(const A& a, const ASingle& a_single, const PrecisionMaps<WD, WS>& maps,
                                  std::span<const double> shifts, const ParityField<double, Reals, WD>& b,
                                  const ParityField<double, Reals, WD>& x,
                                  const MixedMultiShiftParameters& parameters) {
  using Double = ParityField<double, Reals, WD>;
  using Single = ParityField<float, Reals, WS>;
  const Stopwatch watch;
  const int count = static_cast<int>(shifts.size());
  require_like(b, x, count, "mixed multi-shift conjugate gradient");
  parameters.tolerance.require_valid(count);

  SolverReport report;
  const bool dry = in_dry_run();
  std::vector<double> turns = dry && parameters.turns.empty() ? std::vector<double>(count, 1.0) : parameters.turns;
  const double all_turns = std::accumulate(turns.begin(), turns.end(), 0.0), part = detail::part_together(parameters);
  for (double& of_shift : turns) of_shift *= part;
  {
    std::vector<double> tolerances;
    for (int i = 0; i < count; ++i)
      tolerances.push_back(std::max(parameters.tolerance[i], parameters.single_tolerance));
    const Single b_single(maps.single_lattice(), b.parity(), 1, "source");
    const Single x_single(maps.single_lattice(), b.parity(), count, "poles");
    maps.convert(b, b_single);
    report = multi_shift_cg(a_single, shifts, b_single, x_single,
                            {tolerances, parameters.max_iterations, parameters.deferred, false, turns});
    maps.convert(x_single, x);
  }

  report.tolerance = parameters.tolerance;
  detail::report_residuals(a, shifts, b, x, x.like("A x"), norms2(b)[0], report);
  int max_iterations = parameters.max_iterations;
  if (dry) {  // the rest, the same number for each shift
    report.residuals.assign(std::size_t(count), part < 1 ? 1 : 0);
    max_iterations = std::max(1, int((1 - part) * all_turns / count));
    report.iterations_of.assign(std::size_t(count), 0);
  }
  const std::vector<double> all(shifts.begin(), shifts.end());
  const Shifted<A> poles(a, all);
  const Shifted<ASingle> poles_single(a_single, all);
  detail::finish_poles(b, x, max_iterations, report,
                       [&](auto& places, const Double& sources, const Double& solutions, const Tolerance& tolerance) {
                         return mixed_precision_cg(poles.part(places), poles_single.part(places), maps, sources,
                                                   solutions, {tolerance, max_iterations, parameters.fall});
                       });
  report.conclude();
  report.seconds = watch.seconds();
  return report;
}

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The outer loop of solvers, whatever the precision: compute the true residual, hand it to the iterations of a cycle,
// and so on until all right-hand sides are within their tolerances, have no iterations left, or stagnate: three cycles
// in a row whose true residual disagrees with the recursive one and is no better than before.
//
// Iterations in another precision find a correction to the double-precision solution ("reliable updates": Sleijpen and
// van der Vorst, Computing 56 (1996) 141; Clark et al., arXiv:0911.3191): correct().

#include <algorithm>
#include <utility>

#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/lattice/site_map.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"
#include "trellis/solver/operator.hpp"
#include "trellis/solver/progress.hpp"
#include "trellis/solver/source_norms.hpp"

namespace trellis::solver {

// The maps between the site orders of two precisions, in both directions, and so between double precision and the lower
// precision on the other lattice (float, Fixed16).
template <int WDouble, int WSingle>
struct PrecisionMaps {
  SiteMap to_single, to_double;

  PrecisionMaps(const Lattice& double_lattice, const Lattice& single_lattice)
      : to_single(double_lattice, single_lattice), to_double(single_lattice, double_lattice) {}
  const Lattice& single_lattice() const { return to_single.to(); }

  template <class T, int Reals>
    requires(!std::is_same_v<T, double>)
  void convert(const ParityField<double, Reals, WDouble>& from, const ParityField<T, Reals, WSingle>& to) const {
    convert_vectors(to_single, from, to);
  }
  template <class T, int Reals>
    requires(!std::is_same_v<T, double>)
  void convert(const ParityField<T, Reals, WSingle>& from, const ParityField<double, Reals, WDouble>& to) const {
    convert_vectors(to_double, from, to);
  }
};

struct MixedParameters {
  Tolerance tolerance = 1e-9;
  int max_iterations = 20000;  // for each right-hand side, in the lower precision
  double fall = 0.1;           // factor by which the residual falls between two updates
};

namespace detail {

// r <- b - A x; returns |r_n|^2. A (apply(in, out)) is skipped where x = 0; `applied` counts the vectors.
template <class V, class Apply>
std::vector<double> true_residual(const Apply& apply, const V& b, const V& x, const V& r, int& applied) {
  const std::vector<double> xx = norms2(x);
  if (std::all_of(xx.begin(), xx.end(), [](double norm2) { return norm2 == 0; }) && !in_dry_run()) {
    r.copy_from(b);
    return norms2(r);
  }
  apply_without_products(apply, x, r);
  applied += x.count();
  return subtract_from(b, r);
}

// The same, and starts the progress of each with its norm.
template <class V, class Apply>
std::vector<double> start_from_residual(const Apply& apply, const V& b, const V& x, const V& r,
                                        std::vector<Progress>& progress, int& applied) {
  const std::vector<double> rr = true_residual(apply, b, x, r, applied);
  for (int n = 0; n < b.count(); ++n) progress[n].start(rr[n]);
  return rr;
}

// residual(progress, applied): computes the starting point of a cycle and starts the progress of each with its norm;
// returns the true |b_n - A x_n|^2. If the cycle monitors a different norm it also sets the target.
// cycle(keep, progress) -> number of vectors that operators were applied to: updates x; keep_n is 1 if the state of the
// last cycle can be continued, 0 if the cycle must restart.
template <class V, class Residual, class Cycle>
SolverReport refine(const V& b, const V& x, const MixedParameters& parameters, const char* method,
                    const Residual& residual, const Cycle& cycle) {
  const Stopwatch watch;
  const int count = b.count();
  require_like(b, x, count, method);
  SolverReport report{.tolerance = parameters.tolerance, .method = method};
  const std::vector<double> bb = source_norms2(b, parameters.tolerance, method);
  std::vector<Progress> progress = start_progress(bb, parameters.tolerance, parameters.max_iterations);
  for (int n = 0; n < count; ++n) {
    if (bb[n] == 0) clear(x, n);
    progress[n].fall = parameters.fall * parameters.fall;
  }
  const std::vector<Progress> goal = progress;
  std::vector<UpdateHistory> history(count);
  std::vector<double> keep(count);
  bool dry = in_dry_run();  // which does one cycle
  for (;;) {
    const std::vector<Progress> before = progress;
    const std::vector<double> rr = residual(progress, report.operator_applications);
    if (std::exchange(dry, false)) {
      for (Progress& one : progress) one.start(1);  // all are active
      cycle(keep, progress);
      continue;
    }
    for (int n = 0; n < count; ++n) {
      if (rr[n] <= goal[n].target) progress[n].iterations_left = 0;
      if (progress[n].iterations_left <= 0) continue;
      if (!history[n].update(progress[n].rr, before[n])) {
        report.stagnated = true;
        progress[n].iterations_left = 0;
      }
      keep[n] = progress[n].iterations > 0 && history[n].failures == 0 && !before[n].broken ? 1 : 0;
    }
    if (moving(progress).empty()) {
      for (int n = 0; n < count; ++n) progress[n].rr = rr[n];
      conclude(report, bb, progress);
      break;
    }
    report.operator_applications += cycle(keep, progress);
  }
  report.seconds = watch.seconds();
  return report;
}

// A cycle in another precision: fresh <- r, y <- 0, iterate() computes a correction y, which is added to those x that
// were active; r is overwritten.
template <class Maps, class V, class Inner, class Y, class Iterate>
int correct(const Maps& maps, const std::vector<Progress>& progress, const V& r, const Inner& fresh, const Y& y,
            const V& x, const Iterate& iterate) {
  const std::vector<double> moved = moving_flags(progress);
  maps.convert(r, fresh);
  y.set_zero();
  const int applied = iterate();
  maps.convert(y, r);
  add_scaled(moved, r, x);
  return applied;
}

}  // namespace detail

}  // namespace trellis::solver

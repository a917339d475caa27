// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Conjugate gradients that iterate in single precision towards a solution in double precision, with reliable updates
// (Sleijpen and van der Vorst, Computing 56 (1996) 141; Clark et al., arXiv:0911.3191): once |r| has fallen to `fall`
// of the largest since the last update, what was found is added to x in double precision, and r = b - A x computed
// there. The search direction is kept across an update, less its part along the new r, so that <r, p> = |r|^2 as
// conjugate gradients assume; where an update did not gain it starts again from r.
// (Starting again at every update takes a tenth more iterations at a condition number of 1e2, a third at 1e5.)
//
// x holds the starting guess and then the solution, for all right-hand sides of a field at once. Within a cycle each
// waits until all have fallen, so that its bits do not depend on the others. Errors and reports as conjugate_gradient.
// Cost: iterations as there, in single precision, and an application in double precision an update. Memory: one vector
// in double and five in single precision a right-hand side.

#include "trellis/core/stopwatch.hpp"
#include "trellis/lattice/site_map.hpp"
#include "trellis/solver/conjugate_gradient.hpp"

namespace trellis::solver {

// The two ways between the site orders of the two precisions.
template <int WDouble, int WSingle>
struct PrecisionMaps {
  SiteMap to_single, to_double;

  PrecisionMaps(const Lattice& double_lattice, const Lattice& single_lattice)
      : to_single(double_lattice, single_lattice), to_double(single_lattice, double_lattice) {}
  const Lattice& single_lattice() const { return to_single.to(); }

  template <int Reals>
  void convert(const ParityField<double, Reals, WDouble>& from, const ParityField<float, Reals, WSingle>& to) const {
    convert_vectors(to_single, from, to);
  }
  template <int Reals>
  void convert(const ParityField<float, Reals, WSingle>& from, const ParityField<double, Reals, WDouble>& to) const {
    convert_vectors(to_double, from, to);
  }
};

struct MixedParameters {
  Tolerance tolerance = 1e-9;
  int max_iterations = 20000;  // in single precision, for each right-hand side
  double fall = 0.1;           // of the residual between two updates
};

template <int Reals, int WD, int WS, HermitianOperator<ParityField<double, Reals, WD>> A,
          HermitianOperator<ParityField<float, Reals, WS>> ASingle>
SolverReport mixed_precision_cg(const A& a, const ASingle& a_single, const PrecisionMaps<WD, WS>& maps,
                                const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                const MixedParameters& parameters);

namespace detail {

// What an update knows of one right-hand side besides its Progress.
struct UpdateHistory {
  double best = std::numeric_limits<double>::infinity();  // smallest |r|^2 so far
  int failures = 0;                                       // in a row: r is twice what it was thought to be, and no best
  static constexpr int most_failures = 3;

  // False once it has stagnated.
  bool update(double rr, double thought);
};

// r <- fresh, p <- fresh + q - fresh <fresh, q> / |fresh|^2 with q = keep_n (p - r).
template <class V>
void renew(const V& fresh, const std::vector<double>& keep, const V& r, const V& p) {
  const std::vector<double> overlap = subtract_and_project(fresh, r, p);
  const std::vector<double> norms = norms2(fresh);
  std::vector<double> along(keep.size());
  for (std::size_t n = 0; n < keep.size(); ++n) along[n] = norms[n] > 0 ? 1 - keep[n] * overlap[n] / norms[n] : 1;
  scale_and_add(keep, along, fresh, p);
  r.copy_from(fresh);
}

}  // namespace detail

template <int Reals, int WD, int WS, HermitianOperator<ParityField<double, Reals, WD>> A,
          HermitianOperator<ParityField<float, Reals, WS>> ASingle>
SolverReport mixed_precision_cg(const A& a, const ASingle& a_single, const PrecisionMaps<WD, WS>& maps,
                                const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                const MixedParameters& parameters) {
  const Stopwatch watch;
  const int count = b.count();
  require_like(b, x, count, "mixed-precision conjugate gradient");
  SolverReport report{.tolerance = parameters.tolerance};
  const std::vector<double> bb = norms2(b);
  std::vector<Progress> progress = detail::start_progress(bb, parameters.tolerance, parameters.max_iterations);
  for (int n = 0; n < count; ++n) {
    if (bb[n] == 0) clear(x, n);
    progress[n].fall = parameters.fall * parameters.fall;
  }

  const auto r = b.like("residual");
  const Workspace<ParityField<float, Reals, WS>> work(maps.single_lattice(), b.parity(), count);
  const ParityField<float, Reals, WS> y(maps.single_lattice(), b.parity(), count, "correction");
  std::vector<detail::UpdateHistory> history(count);
  std::vector<double> keep(count), moved(count);
  for (;;) {
    const std::vector<double> rr = detail::true_residual(a, b, x, r, report.operator_applications);
    for (int n = 0; n < count; ++n) {
      const double thought = progress[n].rr;
      progress[n].start(rr[n]);
      if (progress[n].done()) continue;
      if (!history[n].update(rr[n], thought)) {
        report.stagnated = true;
        progress[n].iterations_left = 0;
      }
      keep[n] = progress[n].iterations > 0 && history[n].failures == 0 ? 1 : 0;
    }
    const std::vector<int> moving = detail::moving(progress);
    if (moving.empty()) break;
    std::fill(moved.begin(), moved.end(), 0.0);
    for (const int n : moving) moved[n] = 1;

    maps.convert(r, work.ap);
    detail::renew(work.ap, keep, work.r, work.p);
    y.set_zero();
    report.operator_applications += iterate(a_single, work, y, progress);
    maps.convert(y, r);
    add_scaled(moved, r, x);
  }

  detail::conclude(report, bb, progress);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace trellis::solver

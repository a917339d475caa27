// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Conjugate gradients (Hestenes and Stiefel, J. Res. NBS 49, 409 (1952)): A x_n = b_n for Hermitian positive A and all
// right-hand sides of a field at once, each with its own coefficients. x contains the starting guess and then the
// solution; where b = 0, x = 0.
//
// A right-hand side that has converged becomes inactive; when half of them are, the others move to a smaller field. The
// bits of a solution do not depend on the other right-hand sides. When the recursive residual is small enough the true
// one is computed, and if that is too large the iterations restart from it; if this fails three times in a row to halve
// the best so far, the solver reports stagnation.
//
// Throws Error if <p, A p> is not positive (A is not positive) or NaN, InputError for b that double precision is too
// narrow for (source_norms.hpp). Cost per iteration: A, and 5 vectors read and 3
// written. Memory: 3 vectors per right-hand side.

#include <algorithm>
#include <type_traits>

#include "trellis/core/device/graph.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/solver/conjugate_gradient_update.hpp"
#include "trellis/solver/dry_parts.hpp"
#include "trellis/solver/refinement.hpp"
#include "trellis/solver/resident_steps.hpp"
#include "trellis/solver/source_norms.hpp"

namespace trellis::solver {

// Work space of the iterations, besides the solution.
template <class V>
struct Workspace {
  V r, p, ap;
  Workspace(const Lattice& lattice, int parity, int count)
      : r(lattice, parity, count, "residual"),  // zero: the first cycle of refinements reads it
        p(lattice, parity, count, "direction"),
        ap(uninitialized, lattice, parity, count, "A p") {}
};

// Textbook iterations from residual r and direction p until all are inactive. Returns the number of vectors A was
// applied to. x may have a higher precision than V (update_solution).
template <class V, class X, HermitianOperator<V> A>
int iterate(const A& a, const Workspace<V>& work, const X& x, std::vector<Progress>& progress);

template <class V, HermitianOperator<V> A>
SolverReport conjugate_gradient(const A& a, const V& b, const V& x, const SolverParameters& parameters);

namespace detail {

// The same on a smaller field.
template <class V, class X, class A>
int iterate_part(const A& a, const std::vector<int>& places, const Workspace<V>& work, const X& x,
                 std::vector<Progress>& progress) {
  const int count = static_cast<int>(places.size());
  const Workspace<V> small(x.lattice(), x.parity(), count);
  const X small_x(x.lattice(), x.parity(), count, "solutions");
  std::vector<Progress> small_progress;
  for (const int n : places) small_progress.push_back(progress[n]);
  gather(work.r, places, small.r);
  gather(work.p, places, small.p);
  gather(x, places, small_x);
  const int applied = iterate(part_of(a, places), small, small_x, small_progress);
  scatter(small.r, places, work.r);
  scatter(small.p, places, work.p);
  scatter(small_x, places, x);
  for (int n = 0; n < count; ++n) progress[places[n]] = small_progress[n];
  return applied;
}

}  // namespace detail

template <class V, class X, HermitianOperator<V> A>
int iterate(const A& a, const Workspace<V>& work, const X& x, std::vector<Progress>& progress) {
  const V &r = work.r, &p = work.p, &ap = work.ap;
  const std::vector<Progress> before = progress;
  const auto applied = [&] {
    int steps = 0;
    for (std::size_t n = 0; n < before.size(); ++n) steps += progress[n].iterations - before[n].iterations;
    return steps;
  };
  StepState state(progress);
  const auto step = [&] {
    apply_with_products(a, p, ap, state.curvatures());
    update_residual(state, ap, r);
    update_solution(state, r, x, p);
    state.turn();
  };
  if (in_dry_run()) {  // at most max_iterations
    const DryLoop turns(before.front().iterations_left);
    step();
    const DryLoop not_counted(0);
    if (const auto part = detail::next_dry_part(progress); !part.empty())
      detail::iterate_part(a, part, work, x, progress);
    return 0;
  }
  const int together = LeavesProducts<A, V> ? iterations_together(r) : 1;
  const bool in_graphs = together > 1 && shorter_than_launches(r);
  const auto steps = capture(
      FieldSpace{},
      [&] {
        for (int k = 0; k < together; ++k) step();
      },
      "CG steps");
  const auto in_one_launch = [&] {
    if constexpr (std::is_same_v<V, X>)
      return in_graphs && x.count() == 1 && run_steps(a, CgSteps<V>{r, p, ap, x, state, resident_turns});
    else
      return false;
  };
  for (;;) {
    const std::vector<int> moving = detail::moving(progress);
    if (moving.empty()) return applied();
    if (2 * static_cast<int>(moving.size()) <= x.count()) {
      if (state.settle(progress)) continue;
      const int here = applied();
      return here + detail::iterate_part(a, moving, work, x, progress);
    }
    if (!in_one_launch()) {
      if (in_graphs)
        steps.run();
      else
        for (int k = 0; k < together; ++k) step();
    }
    state.advance(progress);
  }
}

template <class V, HermitianOperator<V> A>
SolverReport conjugate_gradient(const A& a, const V& b, const V& x, const SolverParameters& parameters) {
  const Stopwatch watch;
  const int count = b.count();
  require_like(b, x, count, "conjugate gradient");
  const Workspace<V> work(b.lattice(), b.parity(), count);
  const std::vector<double> bb = source_norms2(b, parameters.tolerance, "conjugate gradient");
  std::vector<Progress> progress = detail::start_progress(bb, parameters.tolerance, parameters.max_iterations);
  for (int n = 0; n < count; ++n)
    if (bb[n] == 0) clear(x, n);

  SolverReport report{.tolerance = parameters.tolerance};
  std::vector<detail::UpdateHistory> history(count);
  for (;;) {
    const std::vector<double> rr = detail::true_residual(a, b, x, work.r, report.operator_applications);
    for (int n = 0; n < count; ++n) {
      const Progress before = progress[n];
      progress[n].start(rr[n]);
      if (progress[n].done() || history[n].update(rr[n], before)) continue;
      report.stagnated = true;
      progress[n].iterations_left = 0;
    }
    if (detail::moving(progress).empty()) break;
    work.p.copy_from(work.r);
    report.operator_applications += iterate(a, work, x, progress);
  }

  detail::conclude(report, bb, progress);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace trellis::solver

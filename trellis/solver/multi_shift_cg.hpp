// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Multi-shift conjugate gradients: (A + s_i) x_i = b for shifts 0 <= s_0 < s_1 < ... and one b, with one application of
// A per iteration (Jegerlehner, hep-lat/9612014). The base system is A + s_0; the residual of shift i is zeta_i r, with
//   zeta_i' / zeta_i = 1 / (1 + alpha (s_i - s_0) + alpha beta_old / alpha_old (1 - zeta_i / zeta_i_old)).
// A shift whose residual zeta_i |r| is within its tolerance is dropped; the vector work of the others is deferred for a
// few iterations (multi_shift_update.hpp). At the end the true residuals are computed, and poles that are not within
// their tolerance are continued by conjugate_gradient, unless `finish` is false.
//
// x has one vector per shift, and need not be set; b = 0 gives x = 0. Errors as in conjugate_gradient.
// Cost per iteration with n active shifts and K = `deferred`: A, R 4 W 2 for the base, (R 2 n + K, W 2 n) / K for the
// shifts; R 2 more for s_0 > 0, so include s_0 in A if that is free. Memory: 2 + K + n vectors besides x.

#include <utility>

#include "trellis/core/profile/profile.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/solver/conjugate_gradient.hpp"
#include "trellis/solver/multi_shift_update.hpp"
#include "trellis/solver/resident_steps.hpp"
#include "trellis/solver/shifted.hpp"
#include "trellis/solver/source_norms.hpp"

namespace trellis::solver {

struct MultiShiftParameters {
  Tolerance tolerance = 1e-9;  // for all shifts, or one for each
  int max_iterations = 20000;
  int deferred = 8;    // iterations whose vector work is done together, 1 to 16; does not change a bit
  bool finish = true;  // continue single poles whose true residual is too large
  // For a dry run (core/runtime/dry_run.hpp): the iterations of each shift, non-increasing. Empty: one for each.
  std::vector<double> turns = {};
};

template <class V, HermitianOperator<V> A>
SolverReport multi_shift_cg(const A& a, std::span<const double> shifts, const V& b, const V& x,
                            const MultiShiftParameters& parameters);

namespace detail {

// Throws Error unless shifts are non-negative and ascending and the parameters are valid.
void require_valid_shifts(std::span<const double> shifts, const MultiShiftParameters& parameters);

// Stores the poles' true residuals in the report; `work` is overwritten.
template <class V, HermitianOperator<V> A>
void report_residuals(const A& a, std::span<const double> shifts, const V& b, const V& x, const V& work, double bb,
                      SolverReport& report) {
  if (bb == 0 && !in_dry_run()) {
    report.residuals.assign(shifts.size(), 0.0);
    return;
  }
  apply_without_products(a, x, work);
  report.operator_applications += x.count();
  report.residuals = shifted_residual_norms(shifts, b, x, work);
  for (double& residual : report.residuals) residual = bb == 0 ? 0 : std::sqrt(residual / bb);
}

// The iterations of a dry run: iteration(slot) for all shifts, and take(slots, live) for those that have not converged.
template <class Iteration, class Take>
void go_round(const std::vector<double>& turns, int deferred, const Iteration& iteration, const Take& take) {
  {
    const DryLoop loop(turns.front());
    iteration(0);
  }
  double done = 0;
  for (int live = int(turns.size()); live > 0; --live) {
    const DryLoop loop((turns[std::size_t(live - 1)] - done) / deferred);
    take(deferred, live);
    done = turns[std::size_t(live - 1)];
  }
}

// Continues the poles that are above their tolerance: solve(places, sources, poles, tolerance) returns its report.
template <class V, class Solve>
void finish_poles(const V& b, const V& x, int max_iterations, SolverReport& report, const Solve& solve) {
  std::vector<int> places;
  for (int i = 0; i < x.count(); ++i)
    if (!(report.residuals[i] <= report.tolerance[i]) && report.iterations_of[i] < max_iterations) places.push_back(i);
  report.stagnated = false;
  if (places.empty()) return;
  const V sources(x.lattice(), x.parity(), static_cast<int>(places.size()), "sources"), poles = sources.like("poles");
  broadcast(b, sources);
  gather(x, places, poles);
  const SolverReport rest = solve(places, sources, poles, report.tolerance.part(places));
  scatter(poles, places, x);
  for (std::size_t n = 0; n < places.size(); ++n) {
    report.residuals[places[n]] = rest.residuals[n];
    report.iterations_of[places[n]] += rest.iterations_of[n];
  }
  report.operator_applications += rest.operator_applications;
  report.stagnated = rest.stagnated;
}

}  // namespace detail

template <class V, HermitianOperator<V> A>
SolverReport multi_shift_cg(const A& a, std::span<const double> shifts, const V& b, const V& x,
                            const MultiShiftParameters& parameters) {
  const Stopwatch watch;
  const int count = static_cast<int>(shifts.size()), deferred = parameters.deferred;
  detail::require_valid_shifts(shifts, parameters);
  require_like(b, x, count, "multi-shift conjugate gradient");
  double smallest = parameters.tolerance[0];
  for (int i = 1; i < count; ++i) smallest = std::min(smallest, parameters.tolerance[i]);
  const double bb = source_norms2(b, smallest, "multi-shift conjugate gradient")[0];
  std::vector<ShiftProgress> start;
  for (int i = 0; i < count; ++i) {
    const double tolerance = parameters.tolerance[i];
    start.push_back({.sigma = shifts[i] - shifts[0], .target = tolerance * tolerance * bb, .live = bb != 0});
  }

  const V p = b.clone(), ap = b.like(uninitialized, "A p"), directions = x.like(uninitialized, "directions");
  std::vector<V> r;
  for (int j = 0; j < deferred; ++j) r.push_back(b.like(uninitialized, "residual"));
  r.back().copy_from(b);
  broadcast(b, directions);
  x.set_zero();

  MultiShiftState state(std::move(start), shifts[0], bb, is_single<typename V::scalar>);
  const auto iteration = [&](int slot) {
    apply_with_products(a, p, ap, state.curvatures());
    shifted_residual(state, p, ap, r[(slot + deferred - 1) % deferred], r[slot]);
    next_direction(state, slot, r[slot], p);
    state.turn();
  };
  const auto take = [&](int slots, int live) {
    take_steps(state.steps(), live, std::span<const V>(r).first(std::size_t(slots)), x, directions);
  };
  const bool together = LeavesProducts<A, V> && deferred % 2 == 0 && shorter_than_launches(b);
  const int before_asking = together || !LeavesProducts<A, V> ? 1 : iterations_together(b);
  const auto all_slots = capture(
      FieldSpace{},
      [&] {
        for (int slot = 0; slot < deferred; ++slot) iteration(slot);
        take(deferred, state.live());
      },
      "multi-shift steps");
  std::vector<double> turns = parameters.turns;
  if (in_dry_run()) {
    if (turns.empty()) turns.assign(std::size_t(count), 1);
    detail::go_round(turns, deferred, iteration, take);
  }
  const MultiShiftSteps<V> in_one_launch{p, ap, r, x, directions, state, resident_turns};
  const bool fits = together && shifts[0] == 0 && resident_turns % deferred == 0;
  int waiting = 0, k = 0;
  while (state.live() > 0 && k < parameters.max_iterations) {
    if (fits && k + resident_turns <= parameters.max_iterations && run_steps(a, in_one_launch)) {
      k += resident_turns;
    } else if (together && k + deferred <= parameters.max_iterations) {
      all_slots.run();
      k += deferred;
    } else {
      iteration(waiting);
      if (++waiting == deferred) take(std::exchange(waiting, 0), state.live());
      ++k;
    }
    if (k % before_asking == 0 || k == parameters.max_iterations) state.advance();
  }
  if (waiting > 0) take(waiting, state.live());
  state.settle();

  SolverReport report{.tolerance = parameters.tolerance};
  const std::vector<ShiftProgress>& progress = state.shifts();
  for (const ShiftProgress& shift : progress)
    report.operator_applications = std::max(report.operator_applications, shift.iterations);
  detail::report_residuals(a, shifts, b, x, directions, bb, report);
  for (int i = 0; i < count; ++i) {
    report.iterations_of.push_back(turns.empty() ? progress[i].iterations : int(turns[i]));
    report.stagnated = report.stagnated || (!progress[i].live && !(report.residuals[i] <= report.tolerance[i]));
  }
  if (parameters.finish) {
    const Shifted<A> poles(a, {shifts.begin(), shifts.end()});
    detail::finish_poles(b, x, parameters.max_iterations, report,
                         [&](auto& places, const V& sources, const V& solutions, const Tolerance& tolerance) {
                           return conjugate_gradient(poles.part(places), sources, solutions,
                                                     {tolerance, parameters.max_iterations});
                         });
  }
  report.conclude();
  report.seconds = watch.seconds();
  return report;
}

}  // namespace trellis::solver

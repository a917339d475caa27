// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step of conjugate gradients, in two passes over the vectors after the operator:
//   r_n <- r_n - alpha_n ap_n,   x_n <- x_n + alpha_n p_n,   p_n <- r_n + beta_n p_n,
//   alpha = |r|^2 / <p, A p>, beta = |r'|^2 / |r|^2.
// The scalars are where the vectors do, and kernels take alpha and beta from them: on a GPU the host gives kernel
// after kernel, and learns a step later how far they came. A vector at rest (Progress) is neither read nor written, so
// the step that was given too much changes nothing.

#include "trellis/core/device/readback.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/parity_field.hpp"
#include "trellis/solver/progress.hpp"

namespace trellis::solver {

// Of one right-hand side.
struct StepScalars : Progress {
  double curvature = 0;  // <p, A p> of the last step
  bool refused = false;  // it was not positive, or something was not finite

  TRELLIS_FUNCTION bool possible(double product) const {
    constexpr double most = std::numeric_limits<double>::max();
    return product > 0 && product <= most && rr <= most;
  }
  // alpha; 0 at rest.
  TRELLIS_FUNCTION double step_length(double product) const {
    return at_rest() || !possible(product) ? 0 : rr / product;
  }
  // What they are after the step.
  TRELLIS_FUNCTION StepScalars after(double product, double norm2) const {
    StepScalars next = *this;
    if (at_rest()) return next;
    next.curvature = product;
    if (possible(product))
      next.step(norm2);
    else
      next.refused = next.broken = true;
    return next;
  }
};

// Of all right-hand sides, before and after a step.
class StepState {
 public:
  explicit StepState(const std::vector<Progress>& progress);

  int count() const { return curvatures_.count(); }
  // Right-hand sides that move, by what the host knows.
  int moving() const { return moving_; }
  // <p, A p>, for the operator; |r'|^2.
  const FieldSums& curvatures() const { return curvatures_; }
  const FieldSums& norms() const { return norms_; }
  // For kernels.
  const StepScalars* now() const { return scalars_[turn_].data(); }
  StepScalars* next() const { return scalars_[1 - turn_].data(); }

  // The kernels of a step were given: next() becomes now().
  void turn() { turn_ = 1 - turn_; }
  // Takes what is known of the progress, after the steps that were given on a host, and after those given at the last
  // call on a GPU. Throws Error where A was found not to be positive.
  void advance(std::vector<Progress>& progress);
  // Waits for the steps that were given. False if the progress was known.
  bool settle(std::vector<Progress>& progress);

 private:
  void take(int which, std::vector<Progress>& progress);

  FieldView<StepScalars*> scalars_[2];
  Readback<StepScalars, FieldSpace> seen_[2];
  FieldSums curvatures_, norms_;
  int turn_ = 0, asked_ = 0, moving_;
  bool under_way_ = false;  // steps whose progress is not known
};

// Iterations that are given to a GPU as one (core/device/graph.hpp), an even number: vectors so small are done before
// the host has given the kernels of the next. 1: none, nor where kernels wait for other ranks.
int iterations_together(double bytes_of_vectors);
template <class V>
int iterations_together(const V& x) {
  using T = typename V::scalar;
  if (x.lattice().has_ghosts()) return 1;
  return iterations_together(double(x.lattice().local_volume()) / 2 * x.count() * site_bytes<T>(V::reals));
}

// The first pass, with |r'_n|^2 into state.norms(). R 2 W 1
template <class T, int Reals, int W>
void update_residual(const StepState& state, const ParityField<T, Reals, W>& ap, const ParityField<T, Reals, W>& r);

// The second, which makes state.next(). R 3 W 2. X is T, or float where T is Fixed16.
template <class T, class X, int Reals, int W>
void update_solution(const StepState& state, const ParityField<T, Reals, W>& r, const ParityField<X, Reals, W>& x,
                     const ParityField<T, Reals, W>& p);

}  // namespace trellis::solver

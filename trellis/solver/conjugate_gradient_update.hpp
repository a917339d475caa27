// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step of conjugate gradients, in two passes over the vectors after the operator:
//   r_n <- r_n - alpha_n ap_n,   x_n <- x_n + alpha_n p_n,   p_n <- r_n + beta_n p_n,
//   alpha = |r|^2 / <p, A p>, beta = |r'|^2 / |r|^2.
// The scalars are in the same memory as the vectors, and kernels read alpha and beta from them: on a GPU the host
// launches kernel after kernel, and learns one step later how far they got. An inactive vector (Progress) is neither
// read nor written, so the surplus step changes nothing.

#include "trellis/core/device/readback.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/parity_field.hpp"
#include "trellis/solver/progress.hpp"

namespace trellis::solver {

// For one right-hand side.
struct StepScalars : Progress {
  double curvature = 0;  // <p, A p> of the last step
  bool refused = false;  // curvature was not positive, or something was not finite

  TRELLIS_FUNCTION bool possible(double product) const {
    constexpr double most = std::numeric_limits<double>::max();
    return product > 0 && product <= most && rr <= most;
  }
  // alpha; 0 if inactive.
  TRELLIS_FUNCTION double step_length(double product) const {
    return at_rest() || !possible(product) ? 0 : rr / product;
  }
  // The scalars after the step.
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

// For all right-hand sides, before and after a step.
class StepState {
 public:
  explicit StepState(const std::vector<Progress>& progress);

  int count() const { return curvatures_.count(); }
  // The number of active right-hand sides, as far as the host knows.
  int moving() const { return moving_; }
  // <p, A p>, set by the operator; |r'|^2.
  const FieldSums& curvatures() const { return curvatures_; }
  const FieldSums& norms() const { return norms_; }
  // For kernels.
  const StepScalars* now() const { return scalars_[turn_].data(); }
  StepScalars* current() const { return scalars_[turn_].data(); }
  StepScalars* next() const { return scalars_[1 - turn_].data(); }

  // The kernels of a step have been launched: next() becomes now().
  void turn() { turn_ = 1 - turn_; }
  // Takes what is known of the progress: on a host, after all steps launched; on a GPU, after those launched before the
  // last call. Throws Error if A was found not to be positive.
  void advance(std::vector<Progress>& progress);
  // Waits for the steps that were launched. False if the progress was already known.
  bool settle(std::vector<Progress>& progress);

 private:
  void take(int which, std::vector<Progress>& progress);

  FieldView<StepScalars*> scalars_[2];
  Readback<StepScalars, FieldSpace> seen_[2];
  FieldSums curvatures_, norms_;
  int turn_ = 0, asked_ = 0, moving_;
  bool under_way_ = false;  // there are steps whose progress is unknown
};

template <class V>
double bytes_of_vectors(const V& x) {
  return double(x.lattice().local_volume()) / 2 * x.count() * site_bytes<typename V::scalar>(V::reals);
}

// On a GPU: whether an iteration with such vectors is done before the host has launched the kernels of the next, so
// that several are launched as one graph (core/device/graph.hpp). Never if kernels wait for other ranks.
bool shorter_than_launches(double bytes_of_vectors);
template <class V>
bool shorter_than_launches(const V& x) {
  return !x.lattice().has_ghosts() && shorter_than_launches(bytes_of_vectors(x));
}

// Iterations that are launched on a GPU before the host asks how far they got, which interrupts the stream for some
// microseconds; an even number or 1. Fewer if they take longer, because up to twice as many are launched in vain after
// convergence. 1 if kernels wait for other ranks.
int iterations_together(double bytes_of_vectors);
template <class V>
int iterations_together(const V& x) {
  return x.lattice().has_ghosts() ? 1 : iterations_together(bytes_of_vectors(x));
}

// The first pass; |r'_n|^2 goes into state.norms(). R 2 W 1
template <class T, int Reals, int W>
void update_residual(const StepState& state, const ParityField<T, Reals, W>& ap, const ParityField<T, Reals, W>& r);

// The second pass, which also computes state.next(). R 3 W 2. X is T, or float if T is Fixed16.
template <class T, class X, int Reals, int W>
void update_solution(const StepState& state, const ParityField<T, Reals, W>& r, const ParityField<X, Reals, W>& x,
                     const ParityField<T, Reals, W>& p);

}  // namespace trellis::solver

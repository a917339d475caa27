// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scalars of multi-shift conjugate gradients, which are in the same memory as the vectors: kernels read those they
// need and compute the next ones, and the host learns an iteration later how far they got
// (conjugate_gradient_update.hpp).

#include "trellis/core/device/readback.hpp"
#include "trellis/core/error.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::solver {

inline constexpr int maximum_deferred = 16;

// <p, A p> is not positive, or something is not finite: A, or its rounding, is not what the solver can work with.
class NotPositive : public Error {
 public:
  using Error::Error;
};

// A deferred step of one shift (multi_shift_update.hpp).
struct DeferredStep {
  double alpha = 0, zeta = 0, beta = 0;
  bool taken = false;  // false if the shift had converged
};

// The steps of all shifts: step j of shift i belongs to residual j.
class DeferredSteps {
 public:
  explicit DeferredSteps(int shifts);
  // At most maximum_deferred steps for each shift.
  explicit DeferredSteps(const std::vector<std::vector<DeferredStep>>& steps);

  int shifts() const { return static_cast<int>(table_.extent(0)) / maximum_deferred; }
  // [shift][maximum_deferred], for kernels.
  DeferredStep* data() const { return table_.data(); }

 private:
  FieldView<DeferredStep*> table_;
};

// State of one shift.
struct ShiftProgress {
  double sigma;   // s_i - s_0
  double target;  // for |zeta r|^2
  double zeta = 1, ratio = 1;
  int iterations = 0;
  bool live = true;

  // The next step: `coupling` is alpha beta_old / alpha_old.
  TRELLIS_FUNCTION DeferredStep step(double alpha, double coupling, double beta, double rr) {
    if (!live) return {};
    ratio = 1 / (1 + alpha * sigma + coupling * (1 - ratio));
    zeta *= ratio;
    ++iterations;
    live = !(zeta * zeta * rr <= target);
    return {alpha * ratio, zeta, beta * ratio * ratio, true};
  }
};

// The base system, A + s_0.
struct BaseScalars {
  double rr;
  bool single = false;  // whether the vectors are in single precision
  double alpha_old = 1, beta_old = 0;
  double curvature = 0;  // <p, (A + s_0) p> of the last step
  int iterations = 0;
  bool refused = false;  // curvature was not positive, or something was not finite

  TRELLIS_FUNCTION bool possible(double product) const {
    constexpr double most = std::numeric_limits<double>::max();
    return !refused && product > 0 && product <= most && rr <= most;
  }
  // Vectors get factors in their own precision. The recursions of the shifts hold for any alpha and beta, provided
  // that they are given those of the vectors. Otherwise each shift has an error along what it has built, not at
  // random, which energies of pseudofermions see to first order (docs/performance.md).
  TRELLIS_FUNCTION double rounded(double factor) const { return single ? double(float(factor)) : factor; }
  // alpha and beta
  TRELLIS_FUNCTION double step_length(double product) const { return possible(product) ? rounded(rr / product) : 0; }
  TRELLIS_FUNCTION double direction_factor(double norm2) const { return rounded(norm2 / rr); }
  // The scalars after a step with this <p, (A + s_0) p> and |r'|^2.
  TRELLIS_FUNCTION BaseScalars after(double product, double norm2) const {
    BaseScalars next = *this;
    if (refused) return next;
    next.curvature = product;
    next.refused = !possible(product);
    if (next.refused) return next;
    next.alpha_old = step_length(product);
    next.beta_old = direction_factor(norm2);
    next.rr = norm2;
    ++next.iterations;
    return next;
  }
};

class MultiShiftState {
 public:
  // The initial state of the shifts; first: s_0; bb: |b|^2; single: whether the vectors are in single precision.
  MultiShiftState(std::vector<ShiftProgress> shifts, double first, double bb, bool single);

  double first() const { return first_; }
  // As far as the host knows.
  const std::vector<ShiftProgress>& shifts() const { return shifts_; }
  int live() const;

  // <p, A p>, set by the operator; |r'|^2; |p|^2, if s_0 is not 0.
  const FieldSums& curvatures() const { return curvatures_; }
  const FieldSums& norms() const { return norms_; }
  const FieldSums& direction_norms() const { return direction_norms_; }
  const DeferredSteps& steps() const { return steps_; }

  // For kernels: the scalars before a step, and the functions that compute those after it.
  struct Access {
    BaseScalars *now, *next;
    ShiftProgress* shifts;
    DeferredStep* steps;
    const double *curvature, *norm, *direction_norm;
    double first;
    int count;

    TRELLIS_FUNCTION double product() const { return first == 0 ? *curvature : *curvature + first * *direction_norm; }
    TRELLIS_FUNCTION double alpha() const { return now->step_length(product()); }
    TRELLIS_FUNCTION double beta() const { return now->direction_factor(*norm); }
    TRELLIS_FUNCTION void make_next() const { *next = now->after(product(), *norm); }
    // Computes shift i's step, which belongs to residual `slot`.
    TRELLIS_FUNCTION void make_step(int i, int slot) const { make_step(*now, product(), *norm, i, slot); }
    TRELLIS_FUNCTION void make_step(const BaseScalars& base, double its_product, double norm2, int i, int slot) const {
      DeferredStep& step = steps[i * maximum_deferred + slot];
      if (!base.possible(its_product)) {
        step = {};
        return;
      }
      const double a = base.step_length(its_product);
      step = shifts[i].step(a, a * base.beta_old / base.alpha_old, base.direction_factor(norm2), norm2);
    }
    TRELLIS_FUNCTION bool any_live() const {
      bool live = false;
      for (int i = 0; i < count; ++i) live = live || shifts[i].live;
      return live;
    }
  };
  Access access() const;

  // The kernels of an iteration have been launched.
  void turn() { turn_ = 1 - turn_; }
  // Takes what is known: on a host, after all iterations launched; on a GPU, after those launched before the last call.
  // Throws NotPositive if A was found not to be positive.
  void advance();
  // Waits for the iterations that were launched.
  void settle();

 private:
  void take(int which);

  double first_;
  std::vector<ShiftProgress> shifts_;
  FieldView<BaseScalars*> base_;
  FieldView<ShiftProgress*> there_;
  Readback<BaseScalars, FieldSpace> seen_base_[2];
  Readback<ShiftProgress, FieldSpace> seen_[2];
  DeferredSteps steps_;
  FieldSums curvatures_, norms_, direction_norms_;
  int turn_ = 0, asked_ = 0;
  bool under_way_ = false;  // there are iterations whose outcome is unknown
};

}  // namespace trellis::solver

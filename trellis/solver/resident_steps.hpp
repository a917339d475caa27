// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Iterations that an operator runs together with its own hops in one launch (core/device/resident.hpp), because it
// alone knows how its hops are computed:
//   static constexpr bool A::steps_in_one_launch = true
//   bool A::run_steps(const CgSteps<V>&) const, the same for MultiShiftSteps<V> and LanczosSteps<V>
// False if it cannot, or if it would not pay: nothing was done then, and kernels are launched one by one. The bits are
// the same. For one right-hand side; resident_bodies.hpp has what such a launch runs.

#include <concepts>
#include <span>

#include "trellis/solver/conjugate_gradient_update.hpp"
#include "trellis/solver/multi_shift_state.hpp"

namespace trellis::solver {

// How many iterations are launched at once; a launch takes as long as one of them. Those after convergence are left
// out, but a profile counts them. Lanczos' are fewer, because the host looks at them before it launches more.
inline constexpr int resident_turns = 32, resident_lanczos_turns = 16;

template <class V>
struct CgSteps {
  const V &r, &p, &ap, &x;
  const StepState& state;
  int turns;
};

// Begins with residual 0, which follows the last one.
template <class V>
struct MultiShiftSteps {
  const V &p, &ap;
  std::span<const V> r;
  const V &x, &directions;
  const MultiShiftState& state;
  int turns;  // a multiple of r.size()
};

// Of Lanczos' iteration (largest_eigenvalue.hpp): steps first ... first + turns - 1, with p = v of the first of them.
// <v, A v> and |w|^2 of each go where kernels write, and from where the step before the first is read.
template <class V>
struct LanczosSteps {
  const V &p, &ap, &previous;
  double *products, *norms2;
  int first, turns;
};

template <class A, class Steps>
concept RunsSteps = A::steps_in_one_launch && requires(const A& a, const Steps& steps) {
  { a.run_steps(steps) } -> std::same_as<bool>;
};

template <class A, class Steps>
bool run_steps(const A& a, const Steps& steps) {
  if constexpr (RunsSteps<A, Steps>)
    return a.run_steps(steps);
  else
    return (static_cast<void>(a), static_cast<void>(steps), false);
}

}  // namespace trellis::solver

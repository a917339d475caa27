// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Conjugate gradients on the normal equations (Hestenes and Stiefel 1952, section 10): A^dagger A x_n = A^dagger b_n
// for any A and all right-hand sides of a field at once; where b = 0, x = 0. Iterations are those of
// conjugate_gradient.hpp, in mixed precision those of mixed_precision_cg.hpp. They monitor |A^dagger (b - A x)|, but
// the tolerance and the report refer to the true residual |b - A x| / |b|: whenever the former has fallen by the factor
// that the latter still needs, x is tested, and if that was not enough the iterations continue with the same direction.
//
// Robust where others stagnate, and slow if the condition number is large, since it is squared. If an operator has a
// call operator (A^dagger A with its norm computed on the way, operator.hpp) it is used. Cost per iteration: A and
// A^dagger, and R 5 W 3; without a call operator R 6. Memory: 4 vectors per right-hand side, and one for A in; in mixed
// precision two in double and five in the lower precision. Errors as in conjugate_gradient.

#include "trellis/solver/mixed_precision_cg.hpp"

namespace trellis::solver {

// A^dagger A, which is Hermitian. Refers to A, which must outlive it.
template <class A>
class NormalOperator {
  static_assert(!ActsByPlace<A>, "the operator must treat all vectors alike");

 public:
  explicit NormalOperator(const A& a) : a_(&a) {}

  template <class V>
    requires GeneralOperator<A, V>
  std::vector<double> operator()(const V& in, const V& out) const {
    if constexpr (HermitianOperator<A, V>) {
      return (*a_)(in, out);
    } else {
      const V image = in.like("A in");
      a_->apply(in, image);
      a_->apply_adjoint(image, out);
      return norms2(image);
    }
  }
  template <class V>
    requires LeavesProducts<A, V>
  void operator()(const V& in, const V& out, const FieldSums& norms) const {
    (*a_)(in, out, norms);
  }

 private:
  const A* a_;
};

template <class V, GeneralOperator<V> A>
SolverReport normal_equations_cg(const A& a, const V& b, const V& x, const SolverParameters& parameters);

template <class Inner = float, int Reals, int WD, int WS, GeneralOperator<ParityField<double, Reals, WD>> A,
          GeneralOperator<ParityField<Inner, Reals, WS>> AInner>
SolverReport mixed_normal_equations_cg(const A& a, const AInner& a_inner, const PrecisionMaps<WD, WS>& maps,
                                       const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                       const MixedParameters& parameters);

namespace detail {

// r <- A^dagger (b - A x), image <- b - A x; starts the progress with |r|^2, which must fall by the same factor as
// |b - A x|^2. Returns the latter.
template <class V, class A>
std::vector<double> start_from_normal_residual(const A& a, const V& b, const V& x, const V& image, const V& r,
                                               const std::vector<double>& goal, std::vector<Progress>& progress,
                                               int& applied) {
  constexpr double margin = 0.25;
  const std::vector<double> rr =
      true_residual([&a](const V& in, const V& out) { a.apply(in, out); }, b, x, image, applied);
  a.apply_adjoint(image, r);
  applied += b.count();
  const std::vector<double> ss = norms2(r);
  for (int n = 0; n < b.count(); ++n) {
    progress[n].start(ss[n]);
    progress[n].target = rr[n] > 0 ? margin * ss[n] * (goal[n] / rr[n]) : 0;
  }
  return rr;
}

// The |b - A x|^2 that must be reached.
std::vector<double> residual_goals(const std::vector<double>& bb, const Tolerance& tolerance);

}  // namespace detail

template <class V, GeneralOperator<V> A>
SolverReport normal_equations_cg(const A& a, const V& b, const V& x, const SolverParameters& parameters) {
  const NormalOperator<A> normal(a);
  const Workspace<V> work(b.lattice(), b.parity(), b.count());
  const V r = b.like("normal residual");
  const std::vector<double> goal = detail::residual_goals(norms2(b), parameters.tolerance);
  return detail::refine(
      b, x, {parameters.tolerance, parameters.max_iterations, 0}, "CG on the normal equations",
      [&](auto& progress, int& applied) {
        return detail::start_from_normal_residual(a, b, x, work.ap, r, goal, progress, applied);
      },
      [&](const auto& keep, auto& progress) {
        detail::renew(r, keep, work.r, work.p);
        return 2 * iterate(normal, work, x, progress);
      });
}

template <class Inner, int Reals, int WD, int WS, GeneralOperator<ParityField<double, Reals, WD>> A,
          GeneralOperator<ParityField<Inner, Reals, WS>> AInner>
SolverReport mixed_normal_equations_cg(const A& a, const AInner& a_inner, const PrecisionMaps<WD, WS>& maps,
                                       const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                       const MixedParameters& parameters) {
  const NormalOperator<AInner> normal(a_inner);
  const auto r = b.like("normal residual"), image = b.like("residual");
  const detail::MixedCycle<Inner, Reals, WD, WS, NormalOperator<AInner>> cycle(normal, maps, b);
  const std::vector<double> goal = detail::residual_goals(norms2(b), parameters.tolerance);
  return detail::refine(
      b, x, parameters, "CG on the normal equations",
      [&](auto& progress, int& applied) {
        return detail::start_from_normal_residual(a, b, x, image, r, goal, progress, applied);
      },
      [&](const auto& keep, auto& progress) { return 2 * cycle(r, x, keep, progress); });
}

}  // namespace trellis::solver

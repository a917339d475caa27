// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Conjugate gradients that iterate in single precision, or on vectors in 16 bits, towards a solution in double
// precision, with reliable updates (Sleijpen and van der Vorst, Computing 56 (1996) 141; Clark et al.,
// arXiv:0911.3191): once |r| has fallen to `fall` times its maximum since the last update, the correction is added to x
// in double precision, and r = b - A x is computed there. The search direction is kept across an update, minus its
// component along the new r, so that <r, p> = |r|^2 as conjugate gradients assume; if an update did not improve the
// residual, it restarts from r. (Restarting at every update takes a tenth more iterations at a condition number of 1e2,
// a third at 1e5.)
//
// x contains the starting guess and then the solution, for all right-hand sides of a field at once. Within a cycle each
// waits until all have fallen, so that its bits do not depend on the others. Errors and reports as in
// conjugate_gradient. Inner is float, or Fixed16, whose correction is still accumulated in single precision.
// Cost: iterations as there, in the lower precision, and an application in double precision per update. Memory: one
// vector in double and five in the lower precision per right-hand side.

#include "trellis/solver/conjugate_gradient.hpp"

namespace trellis::solver {

template <class Inner = float, int Reals, int WD, int WS, HermitianOperator<ParityField<double, Reals, WD>> A,
          HermitianOperator<ParityField<Inner, Reals, WS>> AInner>
SolverReport mixed_precision_cg(const A& a, const AInner& a_inner, const PrecisionMaps<WD, WS>& maps,
                                const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                const MixedParameters& parameters);

namespace detail {

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

// Conjugate gradients in Inner that correct vectors in double precision.
template <class Inner, int Reals, int WD, int WS, class AInner>
class MixedCycle {
 public:
  using V = ParityField<double, Reals, WD>;

  MixedCycle(const AInner& a, const PrecisionMaps<WD, WS>& maps, const V& like)
      : a_(a),
        maps_(maps),
        work_(maps.single_lattice(), like.parity(), like.count()),
        y_(maps.single_lattice(), like.parity(), like.count(), "correction") {}

  // Starts from this residual, which is overwritten; updates x.
  int operator()(const V& r, const V& x, const std::vector<double>& keep, std::vector<Progress>& progress) const {
    return correct(maps_, progress, r, work_.ap, y_, x, [&] {
      renew(work_.ap, keep, work_.r, work_.p);
      return iterate(a_, work_, y_, progress);
    });
  }

 private:
  const AInner& a_;
  const PrecisionMaps<WD, WS>& maps_;
  Workspace<ParityField<Inner, Reals, WS>> work_;
  ParityField<float, Reals, WS> y_;
};

}  // namespace detail

template <class Inner, int Reals, int WD, int WS, HermitianOperator<ParityField<double, Reals, WD>> A,
          HermitianOperator<ParityField<Inner, Reals, WS>> AInner>
SolverReport mixed_precision_cg(const A& a, const AInner& a_inner, const PrecisionMaps<WD, WS>& maps,
                                const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                const MixedParameters& parameters) {
  const auto r = b.like("residual");
  const detail::MixedCycle<Inner, Reals, WD, WS, AInner> cycle(a_inner, maps, b);
  return detail::refine(
      b, x, parameters, "CG",
      [&](auto& progress, int& applied) { return detail::start_from_residual(a, b, x, r, progress, applied); },
      [&](const auto& keep, auto& progress) { return cycle(r, x, keep, progress); });
}

}  // namespace trellis::solver

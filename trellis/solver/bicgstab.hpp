// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// BiCGStab (van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631): A x_n = b_n for any A and all right-hand sides of
// a field at once, each with its own coefficients; mixed_precision_bicgstab iterates in float or Fixed16 with reliable
// updates (refinement.hpp): r is replaced by the true residual, while the shadow residual and the search direction are
// kept. x contains the starting guess and then the solution; where b = 0, x = 0.
//
// Converged right-hand sides are treated as in conjugate_gradient.hpp, and the bits of a solution do not depend on the
// other right-hand sides. If the recurrences break down (an inner product in a denominator is negligible compared with
// the norms of its vectors) a right-hand side is restarted from its true residual; if that fails to help three times in
// a row the report says that it has stagnated.
//
// Throws Error for numbers that are not finite. Cost per iteration: A twice, and R 12 W 4. Memory: 5 vectors per
// right-hand side, in mixed precision plus one each in double and single precision.

#include "trellis/solver/bicgstab_update.hpp"
#include "trellis/solver/dry_parts.hpp"
#include "trellis/solver/refinement.hpp"

namespace trellis::solver {

template <class V, GeneralOperator<V> A>
SolverReport bicgstab(const A& a, const V& b, const V& x, const SolverParameters& parameters);

template <class Inner = float, int Reals, int WD, int WS, GeneralOperator<ParityField<double, Reals, WD>> A,
          GeneralOperator<ParityField<Inner, Reals, WS>> AInner>
SolverReport mixed_precision_bicgstab(const A& a, const AInner& a_inner, const PrecisionMaps<WD, WS>& maps,
                                      const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                      const MixedParameters& parameters);

namespace detail {

// r, p, q as in bicgstab_update.hpp; s is stored in r.
template <class V>
struct BiCGStabWorkspace {
  V r, p, q, v, t;
  BiCGStabWorkspace(const Lattice& lattice, int parity, int count)
      : r(uninitialized, lattice, parity, count, "residual"),
        p(uninitialized, lattice, parity, count, "direction"),
        q(uninitialized, lattice, parity, count, "shadow residual"),
        v(uninitialized, lattice, parity, count, "A p"),
        t(uninitialized, lattice, parity, count, "A s") {}
};

// Coefficients of one right-hand side. An inner product vanishes if it is below `epsilon` times the norms of its
// vectors.
struct BiCGStabCoefficients {
  Complex rho = 0;  // <q, r>
  double qq = 0;    // |q|^2
  double epsilon = 0;
  Complex alpha = 0, omega = 0, beta = 0;

  // Starts from residuals with this <q, r>, and this |r|^2, which is |q|^2 unless q has been kept.
  void start(Complex product, double rr, bool kept);
  // alpha, from <q, A p> and |A p|^2. False (and alpha = 0) if the recurrence breaks down.
  bool first_half(Complex qv, double vv, int iteration);
  // omega, beta and the next rho. False if this step is valid but the next would not be.
  bool second_half(Complex ts, Complex qt, Complex qs, double tt, double ss, int iteration);
};

template <class V, class X, class A>
int iterate_bicgstab(const A& a, const BiCGStabWorkspace<V>& work, const X& x, std::vector<Progress>& progress,
                     std::vector<BiCGStabCoefficients>& coefficients);

template <class V, class X, class A>
int iterate_bicgstab_part(const A& a, const std::vector<int>& places, const BiCGStabWorkspace<V>& work, const X& x,
                          std::vector<Progress>& progress, std::vector<BiCGStabCoefficients>& coefficients) {
  const int count = static_cast<int>(places.size());
  const BiCGStabWorkspace<V> small(x.lattice(), x.parity(), count);
  const X small_x(uninitialized, x.lattice(), x.parity(), count, "solutions");
  std::vector<Progress> small_progress;
  std::vector<BiCGStabCoefficients> small_coefficients;
  for (const int n : places) {
    small_progress.push_back(progress[n]);
    small_coefficients.push_back(coefficients[n]);
  }
  gather(work.r, places, small.r);
  gather(work.p, places, small.p);
  gather(work.q, places, small.q);
  gather(x, places, small_x);
  const int applied = iterate_bicgstab(part_of(a, places), small, small_x, small_progress, small_coefficients);
  scatter(small.r, places, work.r);
  scatter(small.p, places, work.p);
  scatter(small.q, places, work.q);
  scatter(small_x, places, x);
  for (int n = 0; n < count; ++n) {
    progress[places[n]] = small_progress[n];
    coefficients[places[n]] = small_coefficients[n];
  }
  return applied;
}

// Iterates until all are inactive. Returns the number of vectors A was applied to.
template <class V, class X, class A>
int iterate_bicgstab(const A& a, const BiCGStabWorkspace<V>& work, const X& x, std::vector<Progress>& progress,
                     std::vector<BiCGStabCoefficients>& coefficients) {
  const auto& [r, p, q, v, t] = work;
  const int count = x.count();
  StabilisedStep step;
  int applied = 0;
  for (;;) {
    const std::vector<int> moving = detail::moving(progress);
    if (in_dry_run() && applied > 0) {  // after one step
      const auto part = next_dry_part(progress);
      if (!part.empty()) iterate_bicgstab_part(a, part, work, x, progress, coefficients);
      return applied;
    }
    if (moving.empty()) return applied;
    if (2 * static_cast<int>(moving.size()) <= count)
      return applied + iterate_bicgstab_part(a, moving, work, x, progress, coefficients);
    step = {std::vector<Complex>(count), std::vector<Complex>(count), std::vector<Complex>(count)};

    a.apply(p, v);
    const ShadowProducts first = shadow_products(moving_flags(progress), q, v);
    for (const int n : moving) {
      progress[n].broken = !coefficients[n].first_half(first.qv[n], first.vv[n], progress[n].iterations);
      step.alpha[n] = coefficients[n].alpha;
    }
    const std::vector<double> ss = update_residual(step.alpha, v, r);

    a.apply(r, t);
    applied += 2 * count;
    const StabilisingProducts second = stabilising_products(moving_flags(progress), t, r, q);
    for (const int n : moving) {
      if (progress[n].broken) continue;
      progress[n].broken = !coefficients[n].second_half(second.ts[n], second.qt[n], second.qs[n], second.tt[n], ss[n],
                                                        progress[n].iterations);
      step.omega[n] = coefficients[n].omega;
      step.beta[n] = coefficients[n].beta;
    }
    const std::vector<double> rr = stabilised_update(step, t, v, x, r, p);
    for (const int n : moving)
      if (step.alpha[n] != 0.0) progress[n].step(rr[n]);
  }
}

// The iterations as cycles of refine(): work.t contains the residual that they start from.
template <class V>
class BiCGStabCycle {
 public:
  BiCGStabCycle(const Lattice& lattice, int parity, int count) : work_(lattice, parity, count), coefficients_(count) {
    using Number = arithmetic_t<typename V::scalar>;
    for (auto& one : coefficients_) one.epsilon = 4 * double(std::numeric_limits<Number>::epsilon());
  }
  const V& residual() const { return work_.t; }

  template <class A, class X>
  int operator()(const A& a, const X& x, const std::vector<double>& keep, std::vector<Progress>& progress) {
    // p - r is beta (p - omega v), and beta is linear in <q, r>, which has changed.
    const std::vector<Complex> products = complex_dots(work_.q, work_.t);
    std::vector<Complex> kept(keep.size());
    for (std::size_t n = 0; n < keep.size(); ++n)
      if (keep[n] != 0 && coefficients_[n].rho != 0.0) kept[n] = quotient(products[n], coefficients_[n].rho);
    const std::vector<Complex> rho = replace_residual(kept, work_.t, work_.r, work_.p, work_.q);
    for (int n = 0; n < x.count(); ++n) coefficients_[n].start(rho[n], progress[n].rr, kept[n] != 0.0);
    return iterate_bicgstab(a, work_, x, progress, coefficients_);
  }

 private:
  BiCGStabWorkspace<V> work_;
  std::vector<BiCGStabCoefficients> coefficients_;
};

}  // namespace detail

template <class V, GeneralOperator<V> A>
SolverReport bicgstab(const A& a, const V& b, const V& x, const SolverParameters& parameters) {
  detail::BiCGStabCycle<V> cycle(b.lattice(), b.parity(), b.count());
  return detail::refine(
      b, x, {parameters.tolerance, parameters.max_iterations, 0}, "BiCGStab",
      [&](auto& progress, int& applied) {
        return detail::start_from_residual([&a](const V& in, const V& out) { a.apply(in, out); }, b, x,
                                           cycle.residual(), progress, applied);
      },
      [&](const auto& keep, auto& progress) { return cycle(a, x, keep, progress); });
}

template <class Inner, int Reals, int WD, int WS, GeneralOperator<ParityField<double, Reals, WD>> A,
          GeneralOperator<ParityField<Inner, Reals, WS>> AInner>
SolverReport mixed_precision_bicgstab(const A& a, const AInner& a_inner, const PrecisionMaps<WD, WS>& maps,
                                      const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                      const MixedParameters& parameters) {
  using V = ParityField<double, Reals, WD>;
  const Lattice& inner = maps.single_lattice();
  detail::BiCGStabCycle<ParityField<Inner, Reals, WS>> cycle(inner, b.parity(), b.count());
  const V r = b.like(uninitialized, "residual");
  const ParityField<float, Reals, WS> y(uninitialized, inner, b.parity(), b.count(), "correction");
  return detail::refine(
      b, x, parameters, "BiCGStab",
      [&](auto& progress, int& applied) {
        return detail::start_from_residual([&a](const V& in, const V& out) { a.apply(in, out); }, b, x, r, progress,
                                           applied);
      },
      [&](const auto& keep, auto& progress) {
        return detail::correct(maps, progress, r, cycle.residual(), y, x,
                               [&] { return cycle(a_inner, y, keep, progress); });
      });
}

}  // namespace trellis::solver

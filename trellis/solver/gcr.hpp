// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// GCR(k) (Eisenstat, Elman and Schultz, SIAM J. Numer. Anal. 20 (1983) 345): A x_n = b_n for any A, minimising the
// residual in the span of k directions, then restarting from the true residual; for all right-hand sides of a field at
// once, each with its own coefficients. A direction is z = M r: M (the preconditioner, any callable m(in, out) on
// vectors of the iterations, which may itself be a solver) may differ from step to step; without it z = r. Images A z
// are orthogonalised by classical Gram-Schmidt, and x is assembled from the z at the end of a cycle, so that a
// direction is written only once.
//
// mixed_precision_gcr iterates in float or Fixed16: cycles also end once |r| has fallen to `fall`, and x is in double
// precision. x contains the starting guess and then the solution; where b = 0, x = 0. Within a cycle a right-hand side
// that has converged waits; once half of them have, the next cycle works on a smaller field. The bits of a solution do
// not depend on the others (if those of M do not).
//
// A direction whose image is within rounding of the span of the earlier ones ends the cycle for that right-hand side;
// three such cycles in a row without progress are reported as stagnation. Throws Error for numbers that are not finite.
// Cost of step j = 0, 1, ... k - 1: A, M, and R 2 j + 5 W 2; per cycle an additional A and R k + 3 W 2. Memory: 2 k
// vectors per right-hand side, one more with M.

#include "trellis/solver/algebra/complex_algebra.hpp"
#include "trellis/solver/refinement.hpp"

namespace trellis::solver {

struct GcrParameters {
  Tolerance tolerance = 1e-9;
  int max_iterations = 20000;  // for each right-hand side
  int directions = 16;         // k, at most most_vectors
};

struct MixedGcrParameters {
  Tolerance tolerance = 1e-9;
  int max_iterations = 20000;
  int directions = 16;
  double fall = 0.1;
};

struct NoPreconditioner {};

template <class V, GeneralOperator<V> A, class M = NoPreconditioner>
SolverReport gcr(const A& a, const V& b, const V& x, const GcrParameters& parameters, const M& m = {});

template <class Inner = float, int Reals, int WD, int WS, GeneralOperator<ParityField<double, Reals, WD>> A,
          GeneralOperator<ParityField<Inner, Reals, WS>> AInner, class M = NoPreconditioner>
SolverReport mixed_precision_gcr(const A& a, const AInner& a_inner, const PrecisionMaps<WD, WS>& maps,
                                 const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                 const MixedGcrParameters& parameters, const M& m = {});

namespace detail {

// What a cycle computes for one right-hand side.
class GcrCoefficients {
 public:
  explicit GcrCoefficients(double epsilon) : epsilon_(epsilon) {}

  // What must be subtracted from w_j, given the inner products <w_i, A z_j>, i < j.
  std::vector<Complex> orthogonalise(const std::vector<Complex>& products);
  // alpha_j = <w_j, r> / |w_j|^2; false if w_j vanishes compared with |A z_j|^2 = before, or leaves r unchanged.
  bool step(Complex product, double norm, double before, int iteration);
  Complex alpha() const { return alpha_.back(); }
  // y with A sum_j y_j z_j = sum_j alpha_j w_j.
  std::vector<Complex> combination() const;

 private:
  double epsilon_;
  std::vector<std::vector<Complex>> projections_;  // [j][i]
  std::vector<double> norms_;
  std::vector<Complex> alpha_;
};

void require_valid_directions(int directions);

// A cycle, starting from residual(), which is overwritten.
template <class V, class M>
class GcrCycle {
 public:
  static constexpr bool preconditioned = !std::is_same_v<M, NoPreconditioner>;

  GcrCycle(const Lattice& lattice, int parity, int count, int directions, const M& m) : m_(m) {
    require_valid_directions(directions);
    for (int j = 0; j < directions; ++j) {
      z_.emplace_back(lattice, parity, count, "direction");
      w_.emplace_back(lattice, parity, count, "image");
    }
    if (preconditioned) r_ = V(lattice, parity, count, "residual");
  }
  const V& residual() const { return preconditioned ? r_ : z_[0]; }

  // Returns the number of vectors A was applied to.
  template <class A, class X>
  int operator()(const A& a, const X& x, std::vector<Progress>& progress) const {
    const std::vector<int> places = moving(progress);
    if (2 * static_cast<int>(places.size()) <= x.count()) return on_part(a, places, x, progress);

    const int count = x.count(), directions = static_cast<int>(z_.size());
    std::vector<GcrCoefficients> coefficients(
        count, GcrCoefficients(4 * double(std::numeric_limits<arithmetic_t<typename V::scalar>>::epsilon())));
    int j = 0, applied = 0;
    for (; j < directions && !moving(progress).empty(); ++j) {
      if constexpr (preconditioned) m_(r_, z_[j]);
      a.apply(z_[j], w_[j]);
      applied += count;
      const std::vector<Complex> alpha = next_image(j, coefficients, progress);
      const std::vector<double> on = flags_of(alpha);
      const V& r = preconditioned ? r_ : z_[j];
      const V& next = preconditioned ? r_ : j + 1 < directions ? z_[j + 1] : w_[j];
      const std::vector<double> rr = next_residual(on, alpha, w_[j], r, next);
      for (int n = 0; n < count; ++n)
        if (on[n] != 0) progress[n].step(rr[n]);
    }
    combine(j, coefficients, x);
    if (in_dry_run() && count > 1) {  // the memory of a part, which is never divided again
      const GcrCycle small(x.lattice(), x.parity(), count / 2, directions, m_);
      const X small_x(x.lattice(), x.parity(), count / 2, "solutions");
    }
    return applied;
  }

 private:
  // Makes w_j orthogonal to the earlier ones. Returns alpha, 0 for inactive vectors.
  std::vector<Complex> next_image(int j, std::vector<GcrCoefficients>& coefficients,
                                  std::vector<Progress>& progress) const {
    const std::span<const V> earlier(w_.data(), j);
    const int count = static_cast<int>(progress.size());
    const std::vector<double> on = moving_flags(progress);
    const BlockProducts raw = block_products(on, earlier, w_[j]);
    std::vector<std::vector<Complex>> subtracted(j, std::vector<Complex>(count));
    std::vector<Complex> products(j), alpha(count);
    for (int n = 0; n < count; ++n) {
      if (on[n] == 0) continue;
      for (int i = 0; i < j; ++i) products[i] = raw.products[i][n];
      const std::vector<Complex> of_one = coefficients[n].orthogonalise(products);
      for (int i = 0; i < j; ++i) subtracted[i][n] = of_one[i];
    }
    const Projection w = subtract_block(on, subtracted, earlier, w_[j], preconditioned ? r_ : z_[j]);
    for (int n = 0; n < count; ++n) {
      if (on[n] == 0) continue;
      progress[n].broken = !coefficients[n].step(w.products[n], w.norms[n], raw.norms[n], progress[n].iterations);
      alpha[n] = coefficients[n].alpha();
    }
    return alpha;
  }

  template <class X>
  void combine(int steps, const std::vector<GcrCoefficients>& coefficients, const X& x) const {
    std::vector<std::vector<Complex>> y(steps, std::vector<Complex>(x.count()));
    for (int n = 0; n < x.count(); ++n) {
      const std::vector<Complex> of_one = coefficients[n].combination();
      for (std::size_t i = 0; i < of_one.size(); ++i) y[i][n] = of_one[i];
    }
    add_block(y, std::span<const V>(z_.data(), steps), x);
  }

  template <class A, class X>
  int on_part(const A& a, const std::vector<int>& places, const X& x, std::vector<Progress>& progress) const {
    const int count = static_cast<int>(places.size());
    const GcrCycle small(x.lattice(), x.parity(), count, static_cast<int>(z_.size()), m_);
    const X small_x(x.lattice(), x.parity(), count, "solutions");
    std::vector<Progress> small_progress;
    for (const int n : places) small_progress.push_back(progress[n]);
    gather(residual(), places, small.residual());
    gather(x, places, small_x);
    const int applied = small(part_of(a, places), small_x, small_progress);
    scatter(small_x, places, x);
    for (int n = 0; n < count; ++n) progress[places[n]] = small_progress[n];
    return applied;
  }

  const M& m_;
  std::vector<V> z_, w_;
  V r_;
};

}  // namespace detail

template <class V, GeneralOperator<V> A, class M>
SolverReport gcr(const A& a, const V& b, const V& x, const GcrParameters& parameters, const M& m) {
  const detail::GcrCycle<V, M> cycle(b.lattice(), b.parity(), b.count(), parameters.directions, m);
  return detail::refine(
      b, x, {parameters.tolerance, parameters.max_iterations, 0}, "GCR",
      [&](auto& progress, int& applied) {
        return detail::start_from_residual([&a](const V& in, const V& out) { a.apply(in, out); }, b, x,
                                           cycle.residual(), progress, applied);
      },
      [&](const auto&, auto& progress) { return cycle(a, x, progress); });
}

template <class Inner, int Reals, int WD, int WS, GeneralOperator<ParityField<double, Reals, WD>> A,
          GeneralOperator<ParityField<Inner, Reals, WS>> AInner, class M>
SolverReport mixed_precision_gcr(const A& a, const AInner& a_inner, const PrecisionMaps<WD, WS>& maps,
                                 const ParityField<double, Reals, WD>& b, const ParityField<double, Reals, WD>& x,
                                 const MixedGcrParameters& parameters, const M& m) {
  using V = ParityField<double, Reals, WD>;
  const Lattice& inner = maps.single_lattice();
  const detail::GcrCycle<ParityField<Inner, Reals, WS>, M> cycle(inner, b.parity(), b.count(), parameters.directions,
                                                                 m);
  const V r = b.like("residual");
  const ParityField<float, Reals, WS> y(inner, b.parity(), b.count(), "correction");
  return detail::refine(
      b, x, {parameters.tolerance, parameters.max_iterations, parameters.fall}, "GCR",
      [&](auto& progress, int& applied) {
        return detail::start_from_residual([&a](const V& in, const V& out) { a.apply(in, out); }, b, x, r, progress,
                                           applied);
      },
      [&](const auto&, auto& progress) {
        return detail::correct(maps, progress, r, cycle.residual(), y, x, [&] { return cycle(a_inner, y, progress); });
      });
}

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/conjugate_gradient_update.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/kernel_copy.hpp"
#include "trellis/solver/algebra/vector_algebra_kernel.hpp"
#include "trellis/solver/update_kernel.hpp"

namespace trellis::solver {

namespace {

FieldView<StepScalars*> scalars_of(const std::vector<Progress>& progress) {
  std::vector<StepScalars> scalars;
  for (const Progress& one : progress) scalars.push_back({one});
  return kernel_copy("step", scalars);
}

struct StepLength {
  const StepScalars* now;
  const double* curvatures;
  TRELLIS_INLINE double operator()(int n) const { return now[n].step_length(curvatures[n]); }
};
struct DirectionFactor {
  const StepScalars* now;
  const double* norms;
  TRELLIS_INLINE double operator()(int n) const { return norms[n] / now[n].rr; }
};

}  // namespace

StepState::StepState(const std::vector<Progress>& progress)
    : scalars_{scalars_of(progress), scalars_of(progress)},
      seen_{Readback<StepScalars, FieldSpace>(progress.size()), Readback<StepScalars, FieldSpace>(progress.size())},
      curvatures_(static_cast<int>(progress.size())),
      norms_(static_cast<int>(progress.size())),
      moving_(static_cast<int>(detail::moving(progress).size())) {}

void StepState::take(int which, std::vector<Progress>& progress) {
  const StepScalars* const seen = seen_[which].look();
  for (std::size_t n = 0; n < progress.size(); ++n) {
    if (seen[n].refused)
      fail("conjugate gradient: <p, A p> = {} and |r|^2 = {} in iteration {}; the operator must be positive",
           seen[n].curvature, seen[n].rr, seen[n].iterations + 1);
    progress[n] = seen[n];
  }
  moving_ = static_cast<int>(detail::moving(progress).size());
}

void StepState::advance(std::vector<Progress>& progress) {
  asked_ = 1 - asked_;
  seen_[asked_].ask(FieldSpace{}, now());
  if (fields_on_host) return take(asked_, progress);
  if (under_way_) take(1 - asked_, progress);
  under_way_ = true;
}

bool StepState::settle(std::vector<Progress>& progress) {
  if (!under_way_) return false;
  take(asked_, progress);
  under_way_ = false;
  return true;
}

bool shorter_than_launches(double bytes_of_vectors) {
  constexpr double few_bytes = 2 << 20;
  return !fields_on_host && bytes_of_vectors <= few_bytes;
}

int iterations_together(double bytes_of_vectors) {
  constexpr double mebi = 1 << 20;
  if (fields_on_host || bytes_of_vectors > 64 * mebi) return 1;
  if (shorter_than_launches(bytes_of_vectors)) return 8;
  return bytes_of_vectors <= 8 * mebi ? 4 : 2;
}

template <class T, int Reals, int W>
void update_residual(const StepState& state, const ParityField<T, Reals, W>& ap, const ParityField<T, Reals, W>& r) {
  using S = lanes_t<arithmetic_t<T>, W>;
  using Site = SiteVector<S, Reals>;
  const auto alpha = per_vector<T>(r.count(), StepLength{state.now(), state.curvatures().data()});
  const auto from = ap.access(), to = r.access();
  const Kernel kernel = vector_kernel("update residual", r, 3, 4, state.moving());
  sum_over_vectors<lanes_t<double, W>>(
      kernel, r.lattice(), r.count(),
      TRELLIS_KERNEL(int tile, int n)->Term<W> {
        const auto a = alpha[n];
        if (a == 0) return Term<W>(0.0);
        return next_residual_of_site(S(a), Site::load(from, tile, n), to, to, tile, n);
      },
      state.norms());
}

template <class T, class X, int Reals, int W>
void update_solution(const StepState& state, const ParityField<T, Reals, W>& r, const ParityField<X, Reals, W>& x,
                     const ParityField<T, Reals, W>& p) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const StepScalars* const now = state.now();
  StepScalars* const next = state.next();
  const double *const curvatures = state.curvatures().data(), *const norms = state.norms().data();
  const auto alpha = per_vector<T>(x.count(), StepLength{now, curvatures});
  const auto beta = per_vector<T>(x.count(), DirectionFactor{now, norms});
  const auto residual = r.access(), direction = p.access();
  const auto solution = x.access();
  for_each_vector(
      update_kernel("update solution", p, 3, x, 2, 4, state.moving()), x.lattice(), x.count(),
      TRELLIS_KERNEL(int tile, int n) {
        if (tile == 0) next[n] = now[n].after(curvatures[n], norms[n]);
        const auto a = alpha[n];
        if (a == 0) return;
        next_solution_of_site<S, Reals>(S(a), S(beta[n]), residual, solution, direction, tile, n);
      });
}

#define TRELLIS_INSTANTIATE_REALS(T, R, W)                                                                   \
  template void update_residual(const StepState&, const ParityField<T, R, W>&, const ParityField<T, R, W>&); \
  template void update_solution(const StepState&, const ParityField<T, R, W>&,                               \
                                const ParityField<arithmetic_t<T>, R, W>&, const ParityField<T, R, W>&);
#define TRELLIS_INSTANTIATE(T, W)    \
  TRELLIS_INSTANTIATE_REALS(T, 6, W) \
  TRELLIS_INSTANTIATE_REALS(T, 24, W)
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE_REALS
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::solver

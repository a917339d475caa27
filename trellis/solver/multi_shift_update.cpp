// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/multi_shift_update.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/vector_algebra_kernel.hpp"

namespace trellis::solver {

namespace {
struct StepLength {
  MultiShiftState::Access scalars;
  TRELLIS_INLINE double operator()(int) const { return scalars.alpha(); }
};
struct DirectionFactor {
  MultiShiftState::Access scalars;
  TRELLIS_INLINE double operator()(int) const { return scalars.beta(); }
};
}  // namespace

template <class T, int Reals, int W>
void take_steps(const DeferredSteps& steps, int live,
                std::type_identity_t<std::span<const ParityField<T, Reals, W>>> residuals,
                const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& p) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  const int slots = static_cast<int>(residuals.size());
  std::array<ParityAccess<T, Reals, W>, maximum_deferred> r{};
  for (std::size_t j = 0; j < residuals.size(); ++j) r.at(j) = residuals[j].access();
  const auto solution = x.access(), direction = p.access();
  const DeferredStep* const table = steps.data();
  const Kernel kernel = vector_kernel("multi-shift update", x, 4 * live + slots, 5.0 * live * slots, 1);
  for_each_vector(
      kernel, x.lattice(), steps.shifts(), TRELLIS_KERNEL(int tile, int i) {
        const DeferredStep* const step = table + i * maximum_deferred;
        if (slots == 0 || !step[0].taken) return;
        Site xi = Site::load(solution, tile, i), pi = Site::load(direction, tile, i);
        for (int j = 0; j < slots && step[j].taken; ++j) {
          const T alpha = T(step[j].alpha);
          // What rounding takes from alpha adds up, since x is small at first and then grows along the same vectors.
          if constexpr (is_single<T>) xi = fma(S(T(step[j].alpha - double(alpha))), pi, xi);
          xi = fma(S(alpha), pi, xi);
          pi = fma(S(T(step[j].beta)), pi, S(T(step[j].zeta)) * Site::load(r[j], tile, 0));
        }
        xi.store(solution, tile, i);
        pi.store(direction, tile, i);
      });
}

template <class T, int Reals, int W>
void shifted_residual(const MultiShiftState& state, const ParityField<T, Reals, W>& p,
                      const ParityField<T, Reals, W>& ap, const ParityField<T, Reals, W>& r,
                      const ParityField<T, Reals, W>& r_new) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  const auto direction = p.access(), image = ap.access(), from = r.access(), to = r_new.access();
  const auto scalars = state.access();
  const auto alpha = per_vector<T>(1, StepLength{scalars});
  const T s = T(state.first());
  const Kernel kernel = vector_kernel("shifted residual", r, s != 0 ? 4 : 3, s != 0 ? 6 : 4);
  sum_over_vectors<lanes_t<double, W>>(
      kernel, r.lattice(), 1,
      TRELLIS_KERNEL(int tile, int)->Term<W> {
        Site v = Site::load(image, tile, 0);
        if (s != 0) v = fma(S(s), Site::load(direction, tile, 0), v);
        v = negated_fma(S(alpha[0]), v, Site::load(from, tile, 0));
        v.store(to, tile, 0);
        return norm(v);
      },
      state.norms());
}

template <class T, int Reals, int W>
void next_direction(const MultiShiftState& state, int slot, const ParityField<T, Reals, W>& r,
                    const ParityField<T, Reals, W>& p) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  const auto residual = r.access(), direction = p.access();
  const auto scalars = state.access();
  const auto beta = per_vector<T>(1, DirectionFactor{scalars});
  const int tiles = p.tiles();
  for_each_half_tile(
      vector_kernel("next direction", r, 3, 2), r.lattice(), TRELLIS_KERNEL(int tile) {
        fma(S(beta[0]), Site::load(direction, tile, 0), Site::load(residual, tile, 0)).store(direction, tile, 0);
        for (const int l : own_lanes<S>()) {
          if (l != 0) continue;
          if (tile == 0) scalars.make_next();
          for (int i = tile; i < scalars.count; i += tiles) scalars.make_step(i, slot);
        }
      });
  if (state.first() == 0) return;
  sum_over_vectors<lanes_t<double, W>>(
      vector_kernel("norms", p, 1, 2), p.lattice(), 1,
      TRELLIS_KERNEL(int tile, int)->Term<W> { return norm(Site::load(direction, tile, 0)); }, state.direction_norms());
}

template <class T, int Reals, int W>
void broadcast(const ParityField<T, Reals, W>& from, const ParityField<T, Reals, W>& to) {
  const auto in = from.access(), out = to.access();
  for_each_vector(
      vector_kernel("broadcast", from, 1 + to.count(), 0), to.lattice(), to.count(),
      TRELLIS_KERNEL(int tile, int n) { SiteVector<lanes_t<T, W>, Reals>::load(in, tile, 0).store(out, tile, n); });
}

template <class T, int Reals, int W>
std::vector<double> shifted_residual_norms(std::span<const double> s, const ParityField<T, Reals, W>& b,
                                           const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& ax) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  const PerVector<T> shift(s);
  const auto source = b.access(), solution = x.access(), image = ax.access();
  const Kernel kernel = vector_kernel("residuals", b, 1 + 2 * x.count(), 5 * x.count());
  return sum_over_vectors<lanes_t<double, W>>(
      kernel, x.lattice(), x.count(), TRELLIS_KERNEL(int tile, int n)->Term<W> {
        const Site v = fma(S(shift[n]), Site::load(solution, tile, n), Site::load(image, tile, n));
        return norm(Site::load(source, tile, 0) - v);
      });
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                      \
  template void take_steps(const DeferredSteps&, int, std::span<const ParityField<T, 6, W>>,                           \
                           const ParityField<T, 6, W>&, const ParityField<T, 6, W>&);                                  \
  template void shifted_residual(const MultiShiftState&, const ParityField<T, 6, W>&, const ParityField<T, 6, W>&,     \
                                 const ParityField<T, 6, W>&, const ParityField<T, 6, W>&);                            \
  template void next_direction(const MultiShiftState&, int, const ParityField<T, 6, W>&, const ParityField<T, 6, W>&); \
  template void broadcast(const ParityField<T, 6, W>&, const ParityField<T, 6, W>&);                                   \
  template std::vector<double> shifted_residual_norms(std::span<const double>, const ParityField<T, 6, W>&,            \
                                                      const ParityField<T, 6, W>&, const ParityField<T, 6, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::solver

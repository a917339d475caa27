// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/multi_shift_update.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/vector_algebra_kernel.hpp"

namespace trellis::solver {

namespace {
// The steps of shifts first <= i < last as the kernel reads them, by value: those of shift i are step[begin[i - first]]
// to step[begin[i - first + 1]]. A GPU's kernel has 4 KiB for all it is given.
template <class T>
struct StepTable {
  struct Step {
    T alpha, zeta, beta;
  };
  static constexpr int most = sizeof(T) == 8 && !can_access<DefaultHostExecutionSpace, FieldMemory> ? 128 : 256;

  Step step[most];
  std::uint16_t begin[maximum_sums + 1];
  int first, last;

  // Of as many shifts as there is room for.
  StepTable(const DeferredSteps& deferred, int from) : begin{}, first(from), last(from) {
    int used = 0;
    for (; last < deferred.shifts() && last - first < maximum_sums && used + int(deferred.of(last).size()) <= most;
         ++last) {
      for (const auto& s : deferred.of(last)) step[used++] = {T(s.alpha), T(s.zeta), T(s.beta)};
      begin[last - first + 1] = static_cast<std::uint16_t>(used);
    }
  }
};

// x and p of each shift that steps are read and written, each residual is read once.
template <class T, int Reals, int W>
Kernel steps_kernel(const DeferredSteps& steps, int first, int last, const ParityField<T, Reals, W>& x) {
  double moving = 0, residuals = 0, count = 0;
  for (int i = first; i < last; ++i) {
    const auto n = double(steps.of(i).size());
    moving += n > 0 ? 1 : 0;
    residuals = std::max(residuals, n);
    count += n;
  }
  return vector_kernel("multi-shift update", x, 4 * moving + residuals, 5 * count, 1);
}

}  // namespace

template <class T, int Reals, int W>
void take_steps(const DeferredSteps& steps, std::type_identity_t<std::span<const ParityField<T, Reals, W>>> residuals,
                const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& p) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  std::array<ParityAccess<T, Reals, W>, maximum_deferred> r{};
  for (std::size_t j = 0; j < residuals.size(); ++j) r.at(j) = residuals[j].access();
  const auto solution = x.access(), direction = p.access();
  for (int first = 0; first < steps.shifts();) {
    const StepTable<T> table(steps, first);
    for_each_vector(
        steps_kernel(steps, first, table.last, x), x.lattice(), table.last - first, TRELLIS_KERNEL(int tile, int n) {
          const int i = table.first + n, begin = table.begin[n], count = table.begin[n + 1] - begin;
          if (count == 0) return;
          Site xi = Site::load(solution, tile, i), pi = Site::load(direction, tile, i);
          for (int j = 0; j < count; ++j) {
            const auto& s = table.step[begin + j];
            xi = fma(S(s.alpha), pi, xi);
            pi = fma(S(s.beta), pi, S(s.zeta) * Site::load(r[j], tile, 0));
          }
          xi.store(solution, tile, i);
          pi.store(direction, tile, i);
        });
    first = table.last;
  }
}

template <class T, int Reals, int W>
double shifted_residual(double alpha, double shift, const ParityField<T, Reals, W>& p,
                        const ParityField<T, Reals, W>& ap, const ParityField<T, Reals, W>& r,
                        const ParityField<T, Reals, W>& r_new) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  const auto direction = p.access(), image = ap.access(), from = r.access(), to = r_new.access();
  const T a = T(alpha), s = T(shift);
  const Kernel kernel = vector_kernel("shifted residual", r, s != 0 ? 4 : 3, s != 0 ? 6 : 4);
  return sum_over_vectors<lanes_t<double, W>>(
      kernel, r.lattice(), 1, TRELLIS_KERNEL(int tile, int, VectorSum<W>& sum) {
        Site v = Site::load(image, tile, 0);
        if (s != 0) v = fma(S(s), Site::load(direction, tile, 0), v);
        v = negated_fma(S(a), v, Site::load(from, tile, 0));
        v.store(to, tile, 0);
        sum.add(norm(v));
      })[0];
}

template <class T, int Reals, int W>
void next_direction(double beta, const ParityField<T, Reals, W>& r, const ParityField<T, Reals, W>& p) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  const auto residual = r.access(), direction = p.access();
  const T b = T(beta);
  for_each_half_tile(
      vector_kernel("next direction", r, 3, 2), r.lattice(), TRELLIS_KERNEL(int tile) {
        fma(S(b), Site::load(direction, tile, 0), Site::load(residual, tile, 0)).store(direction, tile, 0);
      });
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
      kernel, x.lattice(), x.count(), TRELLIS_KERNEL(int tile, int n, VectorSum<W>& sum) {
        const Site v = fma(S(shift[n]), Site::load(solution, tile, n), Site::load(image, tile, n));
        sum.add(norm(Site::load(source, tile, 0) - v));
      });
}

#define TRELLIS_INSTANTIATE_FOR(T, R, W)                                                                             \
  template void take_steps(const DeferredSteps&, std::span<const ParityField<T, R, W>>, const ParityField<T, R, W>&, \
                           const ParityField<T, R, W>&);                                                             \
  template double shifted_residual(double, double, const ParityField<T, R, W>&, const ParityField<T, R, W>&,         \
                                   const ParityField<T, R, W>&, const ParityField<T, R, W>&);                        \
  template void next_direction(double, const ParityField<T, R, W>&, const ParityField<T, R, W>&);                    \
  template void broadcast(const ParityField<T, R, W>&, const ParityField<T, R, W>&);                                 \
  template std::vector<double> shifted_residual_norms(std::span<const double>, const ParityField<T, R, W>&,          \
                                                      const ParityField<T, R, W>&, const ParityField<T, R, W>&);
#define TRELLIS_INSTANTIATE(W)          \
  TRELLIS_INSTANTIATE_FOR(float, 6, W)  \
  TRELLIS_INSTANTIATE_FOR(double, 6, W) \
  TRELLIS_INSTANTIATE_FOR(float, 24, W) \
  TRELLIS_INSTANTIATE_FOR(double, 24, W)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/bicgstab_update.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/complex_algebra_kernel.hpp"

namespace trellis::solver {

namespace {
template <class T, int Reals, int W>
using Site = SiteVector<lanes_t<arithmetic_t<T>, W>, Reals>;
}  // namespace

template <class T, int Reals, int W>
ShadowProducts shadow_products(std::span<const double> on, const ParityField<T, Reals, W>& q,
                               const ParityField<T, Reals, W>& v) {
  const auto shadow = q.access(), image = v.access();
  const auto sums = sums_of_vectors<3>(
      "shadow products", v, on, 2, 6, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        const auto at = Site<T, Reals, W>::load(image, tile, n);
        add_complex(out, complex_dot(Site<T, Reals, W>::load(shadow, tile, n), at));
        out[2].add(norm(at));
      });
  return {as_complex(sums[0], sums[1]), sums[2]};
}

template <class T, int Reals, int W>
StabilisingProducts stabilising_products(std::span<const double> on, const ParityField<T, Reals, W>& t,
                                         const ParityField<T, Reals, W>& s, const ParityField<T, Reals, W>& q) {
  const auto image = t.access(), residual = s.access(), shadow = q.access();
  const auto sums = sums_of_vectors<8>(
      "stabilising products", t, on, 3, 16, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        const auto ti = Site<T, Reals, W>::load(image, tile, n), si = Site<T, Reals, W>::load(residual, tile, n);
        const auto qi = Site<T, Reals, W>::load(shadow, tile, n);
        add_complex(out, complex_dot(ti, si));
        add_complex(out + 2, complex_dot(qi, ti));
        add_complex(out + 4, complex_dot(qi, si));
        out[6].add(norm(ti));
        out[7].add(norm(si));
      });
  return {as_complex(sums[0], sums[1]), as_complex(sums[2], sums[3]), as_complex(sums[4], sums[5]), sums[6], sums[7]};
}

template <class T, class X, int Reals, int W>
std::vector<double> stabilised_update(const StabilisedStep& step, const ParityField<T, Reals, W>& t,
                                      const ParityField<T, Reals, W>& v, const ParityField<X, Reals, W>& x,
                                      const ParityField<T, Reals, W>& r, const ParityField<T, Reals, W>& p) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const ComplexPerVector<T> alpha(step.alpha), omega(step.omega), beta(step.beta);
  const auto ts = t.access(), vs = v.access(), residual = r.access(), direction = p.access();
  const auto solution = x.access();
  const auto on = flags_of(step.alpha);
  return sums_of_vectors<1>(
      "stabilised update", r, on, 8, 18, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* sums) {
        const auto a = alpha.template get<S>(n), o = omega.template get<S>(n), b = beta.template get<S>(n);
        const auto pi = Site<T, Reals, W>::load(direction, tile, n), si = Site<T, Reals, W>::load(residual, tile, n);
        fma(o, si, fma(a, pi, Site<T, Reals, W>::load(solution, tile, n))).store(solution, tile, n);
        const auto ri = fma(-o, Site<T, Reals, W>::load(ts, tile, n), si);
        ri.store(residual, tile, n);
        sums[0].add(norm(ri));
        fma(b, fma(-o, Site<T, Reals, W>::load(vs, tile, n), pi), ri).store(direction, tile, n);
      })[0];
}

template <class T, int Reals, int W>
std::vector<Complex> replace_residual(std::span<const Complex> keep, const ParityField<T, Reals, W>& fresh,
                                      const ParityField<T, Reals, W>& r, const ParityField<T, Reals, W>& p,
                                      const ParityField<T, Reals, W>& q) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const ComplexPerVector<T> kept(keep);
  const auto from = fresh.access(), residual = r.access(), direction = p.access(), shadow = q.access();
  const std::vector<double> all(r.count(), 1.0);
  const auto sums = sums_of_vectors<2>(
      "replace residual", r, all, 7, 6, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        const auto fi = Site<T, Reals, W>::load(from, tile, n);
        if (!kept.rests(n)) {
          const auto before = Site<T, Reals, W>::load(direction, tile, n) - Site<T, Reals, W>::load(residual, tile, n);
          fma(kept.template get<S>(n), before, fi).store(direction, tile, n);
          add_complex(out, complex_dot(Site<T, Reals, W>::load(shadow, tile, n), fi));
        } else {
          fi.store(direction, tile, n);
          fi.store(shadow, tile, n);
          out[0].add(norm(fi));
        }
        fi.store(residual, tile, n);
      });
  return as_complex(sums[0], sums[1]);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                \
  template ShadowProducts shadow_products(std::span<const double>, const ParityField<T, 24, W>&,                 \
                                          const ParityField<T, 24, W>&);                                         \
  template StabilisingProducts stabilising_products(std::span<const double>, const ParityField<T, 24, W>&,       \
                                                    const ParityField<T, 24, W>&, const ParityField<T, 24, W>&); \
  template std::vector<Complex> replace_residual(std::span<const Complex>, const ParityField<T, 24, W>&,         \
                                                 const ParityField<T, 24, W>&, const ParityField<T, 24, W>&,     \
                                                 const ParityField<T, 24, W>&);                                  \
  template std::vector<double> stabilised_update(                                                                \
      const StabilisedStep&, const ParityField<T, 24, W>&, const ParityField<T, 24, W>&,                         \
      const ParityField<arithmetic_t<T>, 24, W>&, const ParityField<T, 24, W>&, const ParityField<T, 24, W>&);
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::solver

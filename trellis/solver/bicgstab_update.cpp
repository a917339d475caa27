// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/bicgstab_update.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/complex_algebra_kernel.hpp"
#include "trellis/solver/algebra/site_pairs.hpp"

namespace trellis::solver {

namespace {

template <class S>
TRELLIS_INLINE auto in_double(const complex<S>& z) {
  return complex<lanes_t<double, lane_count<S>>>{convert<double>(z.re), convert<double>(z.im)};
}
template <class D>
TRELLIS_INLINE void add_norm(D& sum, const complex<D>& z) {
  sum = fma(z.im, z.im, fma(z.re, z.re, sum));
}
template <int W>
TRELLIS_INLINE complex<Term<W>> zero() {
  return {Term<W>(0.0), Term<W>(0.0)};
}

}  // namespace

template <class T, int Reals, int W>
ShadowProducts shadow_products(std::span<const double> on, const ParityField<T, Reals, W>& q,
                               const ParityField<T, Reals, W>& v) {
  const auto shadow = q.access(), image = v.access();
  const auto sums = sums_of_vectors<3>(
      "shadow products", v, on, 2, 6, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        const SitePairs<T, Reals, W> qs(shadow, tile, n), vs(image, tile, n);
        auto qv = zero<W>();
        Term<W> vv(0.0);
        TRELLIS_UNROLL
        for (int k = 0; k < Reals / 2; ++k) {
          const auto vk = in_double(vs.pair(k));
          qv = fma_conj(in_double(qs.pair(k)), vk, qv);
          add_norm(vv, vk);
        }
        add_complex(out, qv);
        out[2].add(vv);
      });
  return {as_complex(sums[0], sums[1]), sums[2]};
}

template <class T, int Reals, int W>
StabilisingProducts stabilising_products(std::span<const double> on, const ParityField<T, Reals, W>& t,
                                         const ParityField<T, Reals, W>& s, const ParityField<T, Reals, W>& q) {
  const auto image = t.access(), residual = s.access(), shadow = q.access();
  const auto sums = sums_of_vectors<7>(
      "stabilising products", t, on, 3, 14, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        const SitePairs<T, Reals, W> of_t(image, tile, n), of_s(residual, tile, n), of_q(shadow, tile, n);
        auto ts = zero<W>(), qt = zero<W>(), qs = zero<W>();
        Term<W> tt(0.0);
        TRELLIS_UNROLL
        for (int k = 0; k < Reals / 2; ++k) {
          const auto tk = in_double(of_t.pair(k)), sk = in_double(of_s.pair(k)), qk = in_double(of_q.pair(k));
          ts = fma_conj(tk, sk, ts);
          qt = fma_conj(qk, tk, qt);
          qs = fma_conj(qk, sk, qs);
          add_norm(tt, tk);
        }
        add_complex(out, ts);
        add_complex(out + 2, qt);
        add_complex(out + 4, qs);
        out[6].add(tt);
      });
  return {as_complex(sums[0], sums[1]), as_complex(sums[2], sums[3]), as_complex(sums[4], sums[5]), sums[6]};
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
        const SitePairs<X, Reals, W> xs(solution, tile, n);
        const SitePairs<T, Reals, W> ss(residual, tile, n), ps(direction, tile, n), of_t(ts, tile, n),
            of_v(vs, tile, n);
        NewPairs<X, Reals, W> next_x(solution, tile, n);
        NewPairs<T, Reals, W> next_r(residual, tile, n), next_p(direction, tile, n);
        Term<W> rr(0.0);
        TRELLIS_UNROLL
        for (int k = 0; k < Reals / 2; ++k) {
          const complex<S> pk = ps.pair(k), sk = ss.pair(k);
          next_x.set(k, fma(o, sk, fma(a, pk, xs.pair(k))));
          const complex<S> rk = fma(-o, of_t.pair(k), sk);
          next_r.set(k, rk);
          add_norm(rr, in_double(rk));
          next_p.set(k, fma(b, fma(-o, of_v.pair(k), pk), rk));
        }
        sums[0].add(rr);
        next_x.done();
        next_r.done();
        next_p.done();
      })[0];
}

template <class T, int Reals, int W>
std::vector<Complex> replace_residual(std::span<const Complex> keep, const ParityField<T, Reals, W>& fresh,
                                      const ParityField<T, Reals, W>& r, const ParityField<T, Reals, W>& p,
                                      const ParityField<T, Reals, W>& q) {
  using S = lanes_t<arithmetic_t<T>, W>;
  using Site = SiteVector<S, Reals>;
  const ComplexPerVector<T> kept(keep);
  const auto from = fresh.access(), residual = r.access(), direction = p.access(), shadow = q.access();
  const std::vector<double> all(r.count(), 1.0);
  const auto sums = sums_of_vectors<2>(
      "replace residual", r, all, 7, 6, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        const auto fi = Site::load(from, tile, n);
        if (!kept.rests(n)) {
          const auto before = Site::load(direction, tile, n) - Site::load(residual, tile, n);
          fma(kept.template get<S>(n), before, fi).store(direction, tile, n);
          add_complex(out, complex_dot(Site::load(shadow, tile, n), fi));
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

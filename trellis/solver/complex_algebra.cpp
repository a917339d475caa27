// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/complex_algebra.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/complex_algebra_kernel.hpp"

namespace trellis::solver {

Complex quotient(Complex a, Complex b) {
  const double size = b.real() * b.real() + b.imag() * b.imag();
  return {(a.real() * b.real() + a.imag() * b.imag()) / size, (a.imag() * b.real() - a.real() * b.imag()) / size};
}

std::vector<double> flags_of(std::span<const Complex> alpha) {
  std::vector<double> flags;
  for (const Complex& a : alpha) flags.push_back(a == 0.0 ? 0.0 : 1.0);
  return flags;
}

namespace {

template <class T, int Reals, int W>
using Site = SiteVector<lanes_t<arithmetic_t<T>, W>, Reals>;

// What kernels see of several vectors of one kind.
template <class T, int Reals, int W>
struct Several {
  ParityAccess<T, Reals, W> vectors[most_vectors];
  int count;

  explicit Several(std::span<const ParityField<T, Reals, W>> fields)
      : vectors{}, count(static_cast<int>(fields.size())) {
    if (count > most_vectors) fail("complex algebra: {} vectors beside one; at most {}", count, most_vectors);
    for (int i = 0; i < count; ++i) vectors[i] = fields[i].access();
  }
  TRELLIS_INLINE Site<T, Reals, W> load(int i, int tile, int n) const {
    return Site<T, Reals, W>::load(vectors[i], tile, n);
  }
};

// Coefficients [i][n], in the precision of S.
template <class T>
struct Coefficients {
  std::vector<complex<arithmetic_t<T>>> table;
  int vectors;

  Coefficients(std::span<const std::vector<Complex>> c, int count) : vectors(count) {
    for (const auto& of_one : c)
      for (int n = 0; n < count; ++n)
        table.push_back({arithmetic_t<T>(of_one[n].real()), arithmetic_t<T>(of_one[n].imag())});
  }
};

template <class S>
TRELLIS_INLINE complex<S> spread(const complex<scalar_t<S>>& a) {
  return {S(a.re), S(a.im)};
}

}  // namespace

template <class T, int Reals, int W>
std::vector<Complex> complex_dots(const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& y) {
  const auto a = x.access(), b = y.access();
  const std::vector<double> on(x.count(), 1.0);
  const auto sums = sums_of_vectors("complex dots", x, on, 2, 2, 4, [=](int tile, int n, auto* out) {
    add_complex(out, complex_dot(Site<T, Reals, W>::load(a, tile, n), Site<T, Reals, W>::load(b, tile, n)));
  });
  return as_complex(sums[0], sums[1]);
}

template <class T, int Reals, int W>
void add_scaled(std::span<const Complex> alpha, const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& y) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const ComplexPerVector<T> a(alpha);
  const auto from = x.access(), to = y.access();
  const Kernel kernel = vector_kernel("add complex multiple", y, 3, 4, a.moving(y.count()));
  for_each_half_tile(kernel, y.lattice(), [=](int tile) {
    for (int n = 0; n < to.count; ++n) {
      if (a.rests(n)) continue;
      const auto step = Site<T, Reals, W>::load(from, tile, n);
      fma(a.template get<S>(n), step, Site<T, Reals, W>::load(to, tile, n)).store(to, tile, n);
    }
  });
}

namespace {
template <class T, int Reals, int W>
std::vector<double> residual_step(std::span<const double> on, std::span<const Complex> alpha,
                                  const ParityField<T, Reals, W>& v, const ParityField<T, Reals, W>& r,
                                  const ParityField<T, Reals, W>& to) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const ComplexPerVector<T> a(alpha);
  const auto image = v.access(), from = r.access(), out = to.access();
  return sums_of_vectors("complex residual", r, on, 1, 3, 6, [=](int tile, int n, auto* sums) {
    const auto residual =
        fma(-a.template get<S>(n), Site<T, Reals, W>::load(image, tile, n), Site<T, Reals, W>::load(from, tile, n));
    residual.store(out, tile, n);
    sums[0].add(norm(residual));
  })[0];
}
}  // namespace

template <class T, int Reals, int W>
std::vector<double> update_residual(std::span<const Complex> alpha, const ParityField<T, Reals, W>& v,
                                    const ParityField<T, Reals, W>& r) {
  return residual_step(flags_of(alpha), alpha, v, r, r);
}

template <class T, int Reals, int W>
std::vector<double> next_residual(std::span<const double> on, std::span<const Complex> alpha,
                                  const ParityField<T, Reals, W>& v, const ParityField<T, Reals, W>& r,
                                  const ParityField<T, Reals, W>& to) {
  return residual_step(on, alpha, v, r, to);
}

template <class T, int Reals, int W>
BlockProducts block_products(std::span<const double> on,
                             std::type_identity_t<std::span<const ParityField<T, Reals, W>>> several,
                             const ParityField<T, Reals, W>& w) {
  const Several<T, Reals, W> with(several);
  const auto one = w.access();
  const int count = with.count;
  const auto sums = sums_of_vectors("block products", w, on, 2 * count + 1, count + 1, 4 * count + 2,
                                    [=](int tile, int n, auto* out) {
                                      const auto v = Site<T, Reals, W>::load(one, tile, n);
                                      out[0].add(norm(v));
                                      for (int i = 0; i < count; ++i)
                                        add_complex(out + 1 + 2 * i, complex_dot(with.load(i, tile, n), v));
                                    });
  BlockProducts result{{}, sums[0]};
  for (int i = 0; i < count; ++i) result.products.push_back(as_complex(sums[1 + 2 * i], sums[2 + 2 * i]));
  return result;
}

template <class T, int Reals, int W>
Projection subtract_block(std::span<const double> on, std::span<const std::vector<Complex>> c,
                          std::type_identity_t<std::span<const ParityField<T, Reals, W>>> several,
                          const ParityField<T, Reals, W>& w, const ParityField<T, Reals, W>& r) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const Several<T, Reals, W> with(several);
  const Coefficients<T> coefficients(c, w.count());
  const auto* a = coefficients.table.data();
  const auto one = w.access(), residual = r.access();
  const int count = with.count, vectors = w.count();
  const auto sums =
      sums_of_vectors("subtract block", w, on, 3, count + 3, 4 * count + 6, [=](int tile, int n, auto* out) {
        auto v = Site<T, Reals, W>::load(one, tile, n);
        for (int i = 0; i < count; ++i) v = fma(-spread<S>(a[i * vectors + n]), with.load(i, tile, n), v);
        v.store(one, tile, n);
        out[0].add(norm(v));
        add_complex(out + 1, complex_dot(v, Site<T, Reals, W>::load(residual, tile, n)));
      });
  return {as_complex(sums[1], sums[2]), sums[0]};
}

template <class T, class X, int Reals, int W>
void add_block(std::span<const std::vector<Complex>> c, std::span<const ParityField<T, Reals, W>> several,
               const ParityField<X, Reals, W>& x) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const Several<T, Reals, W> with(several);
  const Coefficients<T> coefficients(c, x.count());
  const auto* a = coefficients.table.data();
  const auto to = x.access();
  const int count = with.count;
  double read = 0;
  for (const auto& of_one : c)
    for (const Complex& z : of_one) read += z == 0.0 ? 0 : 1;
  const Kernel kernel = update_kernel("add block", several[0], read / x.count(), x, 2, 4 * read / x.count(), x.count());
  for_each_half_tile(kernel, x.lattice(), [=](int tile) {
    for (int n = 0; n < to.count; ++n) {
      auto v = Site<T, Reals, W>::load(to, tile, n);
      for (int i = 0; i < count; ++i) {
        const auto& factor = a[i * to.count + n];
        if (factor.re == 0 && factor.im == 0) continue;
        v = fma(spread<S>(factor), with.load(i, tile, n), v);
      }
      v.store(to, tile, n);
    }
  });
}

#define TRELLIS_INSTANTIATE_FOR(T, R, W)                                                                        \
  template std::vector<Complex> complex_dots(const ParityField<T, R, W>&, const ParityField<T, R, W>&);         \
  template void add_scaled(std::span<const Complex>, const ParityField<T, R, W>&, const ParityField<T, R, W>&); \
  template std::vector<double> update_residual(std::span<const Complex>, const ParityField<T, R, W>&,           \
                                               const ParityField<T, R, W>&);                                    \
  template std::vector<double> next_residual(std::span<const double>, std::span<const Complex>,                 \
                                             const ParityField<T, R, W>&, const ParityField<T, R, W>&,          \
                                             const ParityField<T, R, W>&);                                      \
  template BlockProducts block_products(std::span<const double>, std::span<const ParityField<T, R, W>>,         \
                                        const ParityField<T, R, W>&);                                           \
  template Projection subtract_block(std::span<const double>, std::span<const std::vector<Complex>>,            \
                                     std::span<const ParityField<T, R, W>>, const ParityField<T, R, W>&,        \
                                     const ParityField<T, R, W>&);
#define TRELLIS_INSTANTIATE_WITH(T, X, R, W)                                                            \
  template void add_block(std::span<const std::vector<Complex>>, std::span<const ParityField<T, R, W>>, \
                          const ParityField<X, R, W>&);
#define TRELLIS_INSTANTIATE_REALS(R, W)            \
  TRELLIS_INSTANTIATE_FOR(float, R, W)             \
  TRELLIS_INSTANTIATE_FOR(double, R, W)            \
  TRELLIS_INSTANTIATE_FOR(Fixed16, R, W)           \
  TRELLIS_INSTANTIATE_WITH(float, float, R, W)     \
  TRELLIS_INSTANTIATE_WITH(double, double, R, W)   \
  TRELLIS_INSTANTIATE_WITH(Fixed16, Fixed16, R, W) \
  TRELLIS_INSTANTIATE_WITH(Fixed16, float, R, W)
#define TRELLIS_INSTANTIATE(W)    \
  TRELLIS_INSTANTIATE_REALS(6, W) \
  TRELLIS_INSTANTIATE_REALS(24, W)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::solver

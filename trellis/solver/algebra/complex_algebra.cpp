// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/algebra/complex_algebra.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/complex_algebra_kernel.hpp"

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

// What kernels need of several fields of one kind.
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

// Coefficients [i][n] of vectors first <= n < first + count, by value: as many as fit in the parameters of a GPU
// kernel.
template <class T>
class Coefficients {
 public:
  using Number = complex<arithmetic_t<T>>;

  static int vectors_at_once(std::size_t several) { return most / std::max(1, static_cast<int>(several)); }

  Coefficients(std::span<const std::vector<Complex>> c, int first, int count) : first_(first), count_(count) {
    Number* next = table_;
    for (const auto& of_one : c)
      for (int n = first; n < first + count; ++n)
        *next++ = {arithmetic_t<T>(of_one[n].real()), arithmetic_t<T>(of_one[n].imag())};
  }
  TRELLIS_INLINE const Number& operator()(int i, int n) const { return table_[i * count_ + n - first_]; }

 private:
  static constexpr int most = 3072 / sizeof(Number);
  static_assert(most >= most_vectors);

  Number table_[most];
  int first_, count_;
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
  const auto sums = sums_of_vectors<2>(
      "complex dots", x, on, 2, 4, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        add_complex(out, complex_dot(Site<T, Reals, W>::load(a, tile, n), Site<T, Reals, W>::load(b, tile, n)));
      });
  return as_complex(sums[0], sums[1]);
}

namespace {
template <class T, int Reals, int W>
std::vector<double> residual_step(std::span<const double> on, std::span<const Complex> alpha,
                                  const ParityField<T, Reals, W>& v, const ParityField<T, Reals, W>& r,
                                  const ParityField<T, Reals, W>& to) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const ComplexPerVector<T> a(alpha);
  const auto image = v.access(), from = r.access(), out = to.access();
  return sums_of_vectors<1>(
      "complex residual", r, on, 3, 6, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* sums) {
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

namespace {
// Inner products per kernel: as many as a GPU thread can accumulate in registers.
inline constexpr int products_at_once = thread_has_all_vectors ? most_vectors : 4;

// For several[first] and those after it, at most products_at_once: |w|^2, and two sums per inner product.
template <class T, int Reals, int W>
std::vector<std::vector<double>> product_sums(std::span<const double> on, const Several<T, Reals, W>& with, int first,
                                              const ParityField<T, Reals, W>& w) {
  const auto one = w.access();
  const int count = std::min(products_at_once, with.count - first);
  return sums_of_vectors<2 * products_at_once + 1>(
      "block products", w, on, count + 1, 4 * count + 2,
      TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        const auto v = Site<T, Reals, W>::load(one, tile, n);
        if (first == 0) out[0].add(norm(v));
        TRELLIS_UNROLL
        for (int i = 0; i < products_at_once && i < count; ++i)
          add_complex(out + 1 + 2 * i, complex_dot(with.load(first + i, tile, n), v));
      },
      2 * count + 1);
}
}  // namespace

template <class T, int Reals, int W>
BlockProducts block_products(std::span<const double> on,
                             std::type_identity_t<std::span<const ParityField<T, Reals, W>>> several,
                             const ParityField<T, Reals, W>& w) {
  const Several<T, Reals, W> with(several);
  BlockProducts result;
  int first = 0;
  do {
    const auto sums = product_sums(on, with, first, w);
    if (first == 0) result.norms = sums[0];
    for (int i = 0; i < products_at_once && first + i < with.count; ++i)
      result.products.push_back(as_complex(sums[1 + 2 * i], sums[2 + 2 * i]));
    first += products_at_once;
  } while (first < with.count);
  return result;
}

namespace {
template <class T, int Reals, int W>
std::vector<std::vector<double>> block_step(std::span<const double> on, const Coefficients<T>& c,
                                            const Several<T, Reals, W>& with, const ParityField<T, Reals, W>& w,
                                            const ParityField<T, Reals, W>& r) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const auto one = w.access(), residual = r.access();
  const int count = with.count;
  return sums_of_vectors<3>(
      "subtract block", w, on, count + 3, 4 * count + 6, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
        auto v = Site<T, Reals, W>::load(one, tile, n);
        for (int i = 0; i < count; ++i) v = fma(-spread<S>(c(i, n)), with.load(i, tile, n), v);
        v.store(one, tile, n);
        out[0].add(norm(v));
        add_complex(out + 1, complex_dot(v, Site<T, Reals, W>::load(residual, tile, n)));
      });
}
}  // namespace

template <class T, int Reals, int W>
Projection subtract_block(std::span<const double> on, std::span<const std::vector<Complex>> c,
                          std::type_identity_t<std::span<const ParityField<T, Reals, W>>> several,
                          const ParityField<T, Reals, W>& w, const ParityField<T, Reals, W>& r) {
  const Several<T, Reals, W> with(several);
  const int group = Coefficients<T>::vectors_at_once(several.size());
  Projection result;
  for (int first = 0; first < w.count(); first += group) {
    const int end = std::min(first + group, w.count());
    std::vector<double> on_here(on.size());
    std::copy(on.begin() + first, on.begin() + end, on_here.begin() + first);
    const auto sums = block_step(on_here, Coefficients<T>(c, first, end - first), with, w, r);
    const auto products = as_complex(sums[1], sums[2]);
    result.products.insert(result.products.end(), products.begin() + first, products.begin() + end);
    result.norms.insert(result.norms.end(), sums[0].begin() + first, sums[0].begin() + end);
  }
  return result;
}

template <class T, class X, int Reals, int W>
void add_block(std::span<const std::vector<Complex>> c, std::span<const ParityField<T, Reals, W>> several,
               const ParityField<X, Reals, W>& x) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const Several<T, Reals, W> with(several);
  const auto to = x.access();
  const int count = with.count, group = Coefficients<T>::vectors_at_once(several.size());
  for (int first = 0; first < x.count(); first += group) {
    const int vectors = std::min(group, x.count() - first);
    const Coefficients<T> a(c, first, vectors);
    double read = 0;
    for (const auto& of_one : c)
      for (int n = first; n < first + vectors; ++n) read += of_one[n] == 0.0 ? 0 : 1;
    const Kernel kernel = update_kernel("add block", several[0], read / vectors, x, 2, 4 * read / vectors, vectors);
    for_each_vector(
        kernel, x.lattice(), vectors, TRELLIS_KERNEL(int tile, int place) {
          const int n = first + place;
          auto v = Site<T, Reals, W>::load(to, tile, n);
          for (int i = 0; i < count; ++i) {
            const auto& factor = a(i, n);
            if (factor.re == 0 && factor.im == 0) continue;
            v = fma(spread<S>(factor), with.load(i, tile, n), v);
          }
          v.store(to, tile, n);
        });
  }
}

#define TRELLIS_INSTANTIATE(T, W)                                                                          \
  template std::vector<Complex> complex_dots(const ParityField<T, 24, W>&, const ParityField<T, 24, W>&);  \
  template std::vector<double> update_residual(std::span<const Complex>, const ParityField<T, 24, W>&,     \
                                               const ParityField<T, 24, W>&);                              \
  template std::vector<double> next_residual(std::span<const double>, std::span<const Complex>,            \
                                             const ParityField<T, 24, W>&, const ParityField<T, 24, W>&,   \
                                             const ParityField<T, 24, W>&);                                \
  template BlockProducts block_products(std::span<const double>, std::span<const ParityField<T, 24, W>>,   \
                                        const ParityField<T, 24, W>&);                                     \
  template Projection subtract_block(std::span<const double>, std::span<const std::vector<Complex>>,       \
                                     std::span<const ParityField<T, 24, W>>, const ParityField<T, 24, W>&, \
                                     const ParityField<T, 24, W>&);                                        \
  template void add_block(std::span<const std::vector<Complex>>, std::span<const ParityField<T, 24, W>>,   \
                          const ParityField<arithmetic_t<T>, 24, W>&);
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/algebra/block_algebra.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/complex_algebra_kernel.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"

namespace trellis::solver {

template <class T, int Reals, int W>
std::vector<std::complex<double>> inner_products(const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& y) {
  using Site = SiteVector<lanes_t<T, W>, Reals>;
  require_like(x, y, x.count(), "inner products");
  const auto from = x.access(), to = y.access();
  const auto count = std::size_t(x.count());
  std::vector<std::complex<double>> all(count * count);
  std::vector<double> on(count, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    const int row = int(i);
    const auto sums = sums_of_vectors<2>(
        "inner products", x, on, 1, 4, TRELLIS_KERNEL(int tile, int n, VectorSum<W>* out) {
          add_complex(out, complex_dot(Site::load(from, tile, row), Site::load(to, tile, n)));
        });
    for (std::size_t j = i; j < count; ++j) all[i * count + j] = {sums[0][j], sums[1][j]};
    on[i] = 0;
  }
  return all;
}

template <class T, int Reals, int W>
void combine(std::span<const std::complex<double>> c, const ParityField<T, Reals, W>& x,
             const ParityField<T, Reals, W>& to) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  require_like(x, to, x.count(), "linear combinations");
  const int count = x.count();
  if (c.size() != std::size_t(count) * std::size_t(count))
    fail("linear combinations: {} coefficients for {} vectors", c.size(), count);
  const HostView<complex<double>*> on_host("coefficients of vectors", Index(c.size()));
  for (std::size_t k = 0; k < c.size(); ++k) on_host(Index(k)) = {c[k].real(), c[k].imag()};
  const auto table = in_field_memory(on_host);
  const complex<double>* const numbers = table.data();
  const auto from = x.access(), out = to.access();
  for_each_vector(
      vector_kernel("linear combinations", x, 2, 4.0 * count), x.lattice(), count, TRELLIS_KERNEL(int tile, int n) {
        Site sum = Site::zero();
        for (int i = 0; i < count; ++i) {
          const complex<double> a = numbers[i * count + n];
          sum = fma(complex<S>{S(T(a.re)), S(T(a.im))}, Site::load(from, tile, i), sum);
        }
        sum.store(out, tile, n);
      });
  fence();  // the table is read until then
}

template <class T, int Reals, int W>
void three_term_step(double a, const ParityField<T, Reals, W>& image, double b, const ParityField<T, Reals, W>& x,
                     const ParityField<T, Reals, W>& y) {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  require_like(x, y, x.count(), "three-term step");
  require_like(x, image, x.count(), "three-term step");
  const auto from = image.access(), here = x.access(), out = y.access();
  for_each_vector(
      vector_kernel("three-term step", x, 4, 4), x.lattice(), x.count(), TRELLIS_KERNEL(int tile, int n) {
        const Site scaled = fma(S(T(b)), Site::load(here, tile, n), S(T(a)) * Site::load(from, tile, n));
        (scaled - Site::load(out, tile, n)).store(out, tile, n);
      });
}

#define TRELLIS_INSTANTIATE(W)                                                                                      \
  template std::vector<std::complex<double>> inner_products(const ParityField<double, 6, W>&,                       \
                                                            const ParityField<double, 6, W>&);                      \
  template void combine(std::span<const std::complex<double>>, const ParityField<double, 6, W>&,                    \
                        const ParityField<double, 6, W>&);                                                          \
  template void three_term_step(double, const ParityField<double, 6, W>&, double, const ParityField<double, 6, W>&, \
                                const ParityField<double, 6, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::solver

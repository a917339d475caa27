// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/full_vectors.hpp"

#include <numbers>

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/complex_algebra_kernel.hpp"

namespace trellis::measure {

template <class T, int W>
void apply_hops(const dirac::StaggeredLinks<T, W>& links, const dirac::HopTable<T, W>& coefficients,
                const FullVectors<T, W>& in, const FullVectors<T, W>& out) {
  for (const int parity : {0, 1}) dirac::apply_hops(links, coefficients, in.part[1 - parity], out.part[parity]);
}

template <class T, int W>
std::vector<std::complex<double>> products(const FullVectors<T, W>& a, const FullVectors<T, W>& b) {
  using D = lanes_t<double, W>;
  const std::vector<double> all(static_cast<std::size_t>(a.count()), 1.0);
  std::vector<std::complex<double>> totals(all.size());
  for (const int parity : {0, 1}) {
    const auto left = a.part[parity].access(), right = b.part[parity].access();
    const auto sums = solver::sums_of_vectors<2>(
        "complex products", a.part[parity], all, 2, 4, TRELLIS_KERNEL(int tile, int n, ExactAccumulator<D>* sum) {
          const auto x = left.vector(tile, n), y = right.vector(tile, n);
          D re(0.0), im(0.0);
          for (int i = 0; i < 3; ++i) {
            const D xr = convert<double>(x.e[i].re), xi = convert<double>(x.e[i].im);
            const D yr = convert<double>(y.e[i].re), yi = convert<double>(y.e[i].im);
            re = fma(xr, yr, fma(xi, yi, re));
            im = fma(xr, yi, negated_fma(xi, yr, im));
          }
          sum[0].add(re);
          sum[1].add(im);
        });
    for (std::size_t n = 0; n < totals.size(); ++n) totals[n] += std::complex(sums[0][n], sums[1][n]);
  }
  return totals;
}

template <class T, int W>
void draw_noise(const RandomStream& stream, std::uint32_t first_draw, const FullVectors<T, W>& out) {
  using S = lanes_t<T, W>;
  const auto sites = out.lattice().tile_sites();
  constexpr T half = T(std::numbers::sqrt2 / 2);
  for (const auto& field : out.part) {
    const auto to = field.access();
    const int first_tile = field.first_tile();
    for_each_vector(
        {"draw noise", bytes_of(field)}, out.lattice(), out.count(), TRELLIS_KERNEL(int tile, int n) {
          const LaneSites own = sites(first_tile + tile);
          S values[6];
          for (const int l : own_lanes<S>()) {
            const auto word = stream.words(std::uint64_t(own[l]), first_draw + std::uint32_t(n))[0];
            for (int k = 0; k < 6; ++k) set_lane(values[k], l, (word >> k & 1) != 0 ? half : -half);
          }
          to.store(tile, n, values);
        });
  }
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                      \
  template void apply_hops(const dirac::StaggeredLinks<T, W>&, const dirac::HopTable<T, W>&, const FullVectors<T, W>&, \
                           const FullVectors<T, W>&);                                                                  \
  template std::vector<std::complex<double>> products(const FullVectors<T, W>&, const FullVectors<T, W>&);             \
  template void draw_noise(const RandomStream&, std::uint32_t, const FullVectors<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure

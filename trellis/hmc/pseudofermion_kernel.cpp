// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/pseudofermion_kernel.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/vector_algebra_kernel.hpp"

namespace trellis::hmc {

template <int W>
void draw_pseudofermion(const RandomStream& stream, std::uint32_t first, const ColourVectorField<double, W>& x) {
  using S = lanes_t<double, W>;
  const auto to = x.access();
  const auto sites = x.lattice().tile_sites();
  const int origin = x.first_tile();
  for_each_half_tile(
      {"draw pseudofermions", bytes_of(x)}, x.lattice(), TRELLIS_KERNEL(int tile) {
        const LaneSites own = sites(origin + tile);
        const S half_variance = S(0.70710678118654752440);
        ColourVector<S> v;
        for (int c = 0; c < 3; ++c) {
          S re, im;
          normal_lanes(stream, own, 3 * first + std::uint32_t(c), re, im);
          v.e[c] = {half_variance * re, half_variance * im};
        }
        to.set_vector(tile, 0, v);
      });
}

template <int W>
void sum_poles(double constant, const ColourVectorField<double, W>& in, std::span<const double> weights,
               const ColourVectorField<double, W>& x, const ColourVectorField<double, W>& out) {
  using S = lanes_t<double, W>;
  const int count = int(weights.size());
  if (count > 0 && x.count() != count) fail("sum of poles: {} weights, {} vectors", count, x.count());
  const auto from = in.access(), poles = x.access(), to = out.access();
  const solver::PerVector<double> w(weights);
  const double bytes = (2.0 + count) * bytes_of(in),
               flops = (1 + 2.0 * count) * 3 * double(in.lattice().local_volume());
  for_each_half_tile(
      {"sum of poles", bytes, flops}, in.lattice(), TRELLIS_KERNEL(int tile) {
        ColourVector<S> sum = S(constant) * from.vector(tile, 0);
        for (int n = 0; n < count; ++n) sum = fma(S(w[n]), poles.vector(tile, n), sum);
        to.set_vector(tile, 0, sum);
      });
}

template <int W>
std::vector<double> shifted_overlaps(std::span<const double> s, const ColourVectorField<double, W>& b,
                                     const ColourVectorField<double, W>& x) {
  using S = lanes_t<double, W>;
  const auto from = b.access(), poles = x.access();
  const solver::PerVector<double> shifts(s);
  const double sites = double(b.lattice().local_volume()) / 2;
  const Kernel kernel{"overlaps with poles", bytes_of(b, x), 24 * x.count() * sites};
  return sum_over_vectors<S>(
      kernel, b.lattice(), x.count(), TRELLIS_KERNEL(int tile, int n)->S {
        const ColourVector<S> v = poles.vector(tile, n);
        return real_dot(v, fma(-S(shifts[n]), v, from.vector(tile, 0)));
      });
}

template <int W>
double pseudofermion_difference(const ColourVectorField<double, W>& phi, const ColourVectorField<double, W>& chi,
                                const ColourVectorField<double, W>& xi) {
  using S = lanes_t<double, W>;
  const auto a = phi.access(), b = chi.access(), c = xi.access();
  const Kernel kernel{"pseudofermion energy", bytes_of(phi, chi, xi), 25.0 / 2 * double(phi.lattice().local_volume())};
  return sum_over_vectors<S>(
      kernel, phi.lattice(), 1, TRELLIS_KERNEL(int tile, int)->S {
        const ColourVector<S> before = c.vector(tile, 0);
        return real_dot(a.vector(tile, 0), b.vector(tile, 0)) - real_dot(before, before);
      })[0];
}

#define TRELLIS_INSTANTIATE(W)                                                                                   \
  template void draw_pseudofermion<W>(const RandomStream&, std::uint32_t, const ColourVectorField<double, W>&);  \
  template void sum_poles<W>(double, const ColourVectorField<double, W>&, std::span<const double>,               \
                             const ColourVectorField<double, W>&, const ColourVectorField<double, W>&);          \
  template std::vector<double> shifted_overlaps<W>(std::span<const double>, const ColourVectorField<double, W>&, \
                                                   const ColourVectorField<double, W>&);                         \
  template double pseudofermion_difference<W>(                                                                   \
      const ColourVectorField<double, W>&, const ColourVectorField<double, W>&, const ColourVectorField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc

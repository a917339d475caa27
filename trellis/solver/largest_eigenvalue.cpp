// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/largest_eigenvalue.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/vector_algebra_kernel.hpp"
#include "trellis/solver/update_kernel.hpp"

namespace trellis::solver {

template <class T, int Reals, int W>
void fill_normal(const RandomStream& stream, const ParityField<T, Reals, W>& x) {
  static_assert(Reals % 2 == 0);
  using D = lanes_t<double, W>;
  const auto out = x.access();
  const auto sites = x.lattice().tile_sites();
  const int first = x.first_tile();
  for_each_half_tile(
      vector_kernel("normal vector", x, 1, 0, 1), x.lattice(), TRELLIS_KERNEL(int tile) {
        const LaneSites own = sites(first + tile);
        SiteVector<lanes_t<T, W>, Reals> v;
        for (int k = 0; k < Reals; k += 2) {
          D a = D(0.0), b = D(0.0);
          normal_lanes(stream, own, static_cast<std::uint32_t>(k / 2), a, b);
          v.e[k] = convert<T>(a);
          v.e[k + 1] = convert<T>(b);
        }
        v.store(out, tile, 0);
      });
}

template <class T, int Reals, int W>
void scale(double a, const ParityField<T, Reals, W>& x) {
  using S = lanes_t<T, W>;
  const auto out = x.access();
  for_each_vector(
      vector_kernel("scale", x, 2, 1), x.lattice(), x.count(),
      TRELLIS_KERNEL(int tile, int n) { (S(T(a)) * SiteVector<S, Reals>::load(out, tile, n)).store(out, tile, n); });
}

template <class T, int Reals, int W>
double lanczos_residual(double alpha, const ParityField<T, Reals, W>& v, double beta, const ParityField<T, Reals, W>& u,
                        const ParityField<T, Reals, W>& w) {
  using S = lanes_t<T, W>;
  const auto here = v.access(), before = u.access(), out = w.access();
  const Kernel kernel = vector_kernel("Lanczos residual", w, 4, 6);
  return sum_over_vectors<lanes_t<double, W>>(
      kernel, w.lattice(), 1, TRELLIS_KERNEL(int tile, int)->Term<W> {
        using Site = SiteVector<S, Reals>;
        const Site r = lanczos_residual_of(S(T(alpha)), Site::load(here, tile, 0), S(T(beta)),
                                           Site::load(before, tile, 0), Site::load(out, tile, 0));
        r.store(out, tile, 0);
        return norm(r);
      })[0];
}

#define TRELLIS_INSTANTIATE(T, W)                                                                            \
  template void fill_normal(const RandomStream&, const ParityField<T, 6, W>&);                               \
  template void scale(double, const ParityField<T, 6, W>&);                                                  \
  template double lanczos_residual(double, const ParityField<T, 6, W>&, double, const ParityField<T, 6, W>&, \
                                   const ParityField<T, 6, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/boundary/eta_derivative.hpp"

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_staple.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

template <class T, int W>
double eta_derivative(const Boundary& boundary, const GaugeField<T, W>& u) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  if (boundary.kind != BoundaryKind::schroedinger_functional)
    fail("the derivative by eta is that of a Schroedinger functional; the boundary is another");
  if (boundary.has_parallelograms) fail("the derivative by eta of actions with parallelograms is not known");
  const Lattice& lattice = u.lattice();
  if (boundary.c1 != 0) u.exchange(Reach::two_steps);
  double total = 0;
  for (const bool at_end : {false, true}) {
    const TimeSlice slice(lattice, at_end ? boundary.extent : 0);
    const auto links = u.access();
    const StapleSet set = at_end ? StapleSet::backward_in_time : StapleSet::forward_in_time;
    const BoundaryWeights weights = weights_at_boundary(Action{1, boundary.c1}, boundary);
    const auto sums = sum_over_tiles<D, 3>(
        "derivative by eta", lattice, TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
          const mask_t<S> here = slice.template lanes_of<S>(tile);
          if (!any(here)) return;
          for (int mu = 0; mu < 3; ++mu) {
            const Matrix<S> v = boundary_staple(links, tile, mu, set, weights);
            const Algebra<S> trace = imaginary_trace(multiply_adjoint(links.link(tile, mu), v));
            // diag(1, -1/2, -1/2) = 3/2 T_3 + sqrt(3)/2 T_8
            const S along = fma(S(T(1.5)), trace.p[2], S(T(0.8660254037844386)) * trace.p[7]);
            out[mu].add(convert<double>(select(here, along, S(T(0)))));
          }
        });
    // dS/d omega_a = 1/3 Im tr(T_a U V^dagger)
    for (int mu = 0; mu < 3; ++mu) total += (at_end ? -1 : 1) * sums[std::size_t(mu)] / (3 * lattice.size(mu));
  }
  return total;
}

#define TRELLIS_INSTANTIATE(W) template double eta_derivative<double, W>(const Boundary&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge

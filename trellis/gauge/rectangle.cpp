// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loop_kernel.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

template <class T, int W>
double rectangle(const GaugeField<T, W>& u) {
  using D = lanes_t<double, W>;
  u.exchange(Reach::two_steps);
  const auto links = u.access();
  const double flops = double(u.lattice().local_volume()) * 12 * (4 * product_flops + 35);
  const Kernel kernel{"rectangle", bytes_of(u), flops, is_single<T>};
  const auto sums = sum_over_tiles<D, 1>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        D sum = D(0.0);
        for (int mu = 0; mu < 4; ++mu)
          for (int nu = 0; nu < 4; ++nu)
            if (nu != mu) sum = sum + convert<double>(rectangle_trace(links, tile, mu, nu));
        out[0].add(sum);
      });
  return sums[0] / (36.0 * double(u.lattice().volume()));  // 12 loops, trace / 3
}

#define TRELLIS_INSTANTIATE(T, W) template double rectangle<T, W>(const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge

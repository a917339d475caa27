// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/parallelogram_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

template <class T, int W>
double parallelogram(const GaugeField<T, W>& u) {
  using D = lanes_t<double, W>;
  const auto links = u.access();
  const Kernel kernel{"parallelogram", bytes_of(u), double(u.lattice().local_volume()) * parallelogram_flops,
                      is_single<T>};
  const auto sums = sum_over_tiles<D, 1>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* out) {
        out[0].add(convert<double>(parallelogram_traces(links, tile)));
      });
  return sums[0] / (48.0 * double(u.lattice().volume()));  // 16 loops, trace / 3
}

#define TRELLIS_INSTANTIATE(T, W) template double parallelogram<T, W>(const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge

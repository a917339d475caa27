// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/propagators/openqcd_basis.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::measure {

template <int W>
void change_openqcd_basis(const FullSpinors<double, W>& x) {
  using S = lanes_t<double, W>;
  const int count = x.count(), colours = count % spin_components == 0 ? count / spin_components : 0;
  for (const auto& field : x.part) {
    const auto to = field.access();
    for_each_vector(
        {"basis of spins", 2 * bytes_of(field)}, x.lattice(), count, TRELLIS_KERNEL(int tile, int column) {
          // Its upper spins change places with the lower ones of the column of the other spin.
          const int spin = colours == 0 ? 0 : column / colours;
          const int other = colours == 0 ? column : openqcd_spin(spin) * colours + column % colours;
          for (int s = 0; s < spin_components / 2; ++s) {
            const S sign(double(openqcd_sign(s) * openqcd_sign(spin)));
            for (int k = 0; k < 6; ++k) {
              const int upper = 6 * s + k, lower = 6 * openqcd_spin(s) + k;
              const S a = to.load(tile, column, upper), b = to.load(tile, other, lower);
              to.store(tile, column, upper, sign * b);
              to.store(tile, other, lower, sign * a);
            }
          }
        });
  }
}

#define TRELLIS_INSTANTIATE(W) template void change_openqcd_basis(const FullSpinors<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/lanes.hpp"
#include "trellis/measure/wilson_even_solver.hpp"

namespace trellis::measure {

template <int W>
EvenSolver<W> mixed_solver(const dirac::WilsonOperator<double, W>& m, const GaugeField<double, W>& u,
                           const WilsonInverseParameters& parameters) {
  return wilson_inverse_detail::inner_solver<float>(m, u, parameters);
}

#define TRELLIS_INSTANTIATE(W)                                                                               \
  template EvenSolver<W> mixed_solver(const dirac::WilsonOperator<double, W>&, const GaugeField<double, W>&, \
                                      const WilsonInverseParameters&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure

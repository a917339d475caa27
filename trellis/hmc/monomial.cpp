// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/monomial.hpp"

#include "trellis/core/lanes.hpp"

namespace trellis::hmc {

template <class T, int W>
Monomial<T, W> gauge_monomial(const std::string& name, const gauge::LoopWeights& weights) {
  Monomial<T, W> term;
  term.name = name;
  term.difference = [weights](const GaugeField<T, W>& after, const GaugeField<T, W>& before) {
    return gauge::action_difference(weights, after, before);
  };
  term.add_force = [weights, rectangles = gauge::RectangleForce<T, W>()](const GaugeField<T, W>& u, double step,
                                                                         const AlgebraField<T, W>& p) mutable {
    gauge::add_force(weights, u, step, p, rectangles);
  };
  return term;
}

#define TRELLIS_INSTANTIATE(W)                                                                         \
  template Monomial<float, W> gauge_monomial<float, W>(const std::string&, const gauge::LoopWeights&); \
  template Monomial<double, W> gauge_monomial<double, W>(const std::string&, const gauge::LoopWeights&);
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::hmc

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
  term.loops = weights;
  term.add_loops = [rectangles = gauge::RectangleForce<T, W>()](const gauge::LoopWeights& of, const GaugeField<T, W>& u,
                                                                double step, const AlgebraField<T, W>& p) mutable {
    gauge::add_force(of, u, step, p, rectangles);
  };
  term.add_force = [weights, add = term.add_loops](const GaugeField<T, W>& u, double step,
                                                   const AlgebraField<T, W>& p) { add(weights, u, step, p); };
  return term;
}

#define TRELLIS_INSTANTIATE(W) \
  template Monomial<double, W> gauge_monomial<double, W>(const std::string&, const gauge::LoopWeights&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc

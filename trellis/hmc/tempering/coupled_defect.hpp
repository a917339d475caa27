// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The defect of a gauge action (gauge/defect) with a coupling that is set before each trajectory, so that replicas,
// which differ in it alone, share one algorithm and its work space. Coupling 1 gives the bits of the periodic lattice.

#include <memory>

#include "trellis/gauge/defect/defect_action.hpp"
#include "trellis/hmc/term.hpp"

namespace trellis::hmc {

template <int W>
struct CoupledDefect {
  gauge::DefectAction<W> action;
  double coupling = 1;
};

// For make_gauge_terms().
template <int W>
AddedToLoops<double, W> added_by(std::shared_ptr<const CoupledDefect<W>> defect) {
  return {
      [defect](const gauge::LoopWeights& weights, const GaugeField<double, W>& u) {
        return defect->action.energy(weights, defect->coupling, u);
      },
      [defect](const gauge::LoopWeights& weights, const GaugeField<double, W>& u, double step,
               const AlgebraField<double, W>& p) { defect->action.add_force(weights, defect->coupling, u, step, p); }};
}

}  // namespace trellis::hmc

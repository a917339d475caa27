// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a defect (defect.hpp) adds to a gauge action: S_c - S_1 and its force. The action itself and its force are those
// of the periodic lattice (action.hpp), which thereby need not know of defects.
//
// Multiplied by its weight, V_mu(x) = K_mu(x) U_mu(x), every link brings its weight to every loop that contains it. So
// S_c - S_1 is the difference of the same sum of loops for V and for U. Only loops near the defect differ, and only
// these are computed; all others would add exactly zero. Sums are exact: the bits depend on the links alone.
//
// Cost: a copy of the links, and near the defect the loops or staples of both. Parallelograms cost two of their forces.
// Memory: one field of links, kept between calls; copies share it.

#include <memory>

#include "trellis/gauge/action.hpp"
#include "trellis/gauge/defect/defect.hpp"

namespace trellis::gauge {

template <int W>
class DefectAction {
 public:
  // Throws InputError unless the defect fits the lattice.
  DefectAction(const Lattice& lattice, const Defect& defect);

  const Defect& defect() const { return defect_; }

  // S_c(u) - S_1(u)
  double energy(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u) const;

  // p_a(x, mu) += step * F_a(x, mu), F_a = -d(S_c - S_1)/dw_a as in action.hpp.
  void add_force(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u, double step,
                 const AlgebraField<double, W>& p) const;

  // V, with ghosts as those of links after an exchange: two steps with rectangles, else up to corners. Valid until the
  // next call of any of these functions.
  const GaugeField<double, W>& weighted(const LoopWeights& weights, double coupling,
                                        const GaugeField<double, W>& u) const;

 private:
  struct Work;
  Defect defect_;
  std::shared_ptr<Work> work_;
};

}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cooling (B. Berg, Phys. Lett. B 104 (1981) 475; M. Teper, Phys. Lett. B 162 (1985) 357): link by link the plaquette
// action is made as small as the other links allow, that is Re tr(U V^dagger), V the sum of the plaquette staples, as
// large as it gets on SU(3). Each link is multiplied in turn with the best element of three SU(2) subgroups (N. Cabibbo
// and E. Marinari, Phys. Lett. B 119 (1982) 387), `subgroup_rounds` times over: every one lowers the action, and the
// rounds together leave less than a percent of what the link could gain. Directions in order, in each the even sites
// before the odd ones; links have the same bits for any lanes and threads.
//
// The field's lattice must be in even/odd order (Error otherwise). Cost of a step: 52 matrix products and 2000 flops a
// site more.

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

inline constexpr int subgroup_rounds = 3;

// One step, in place: every link once.
template <class T, int W>
void cooling_step(const GaugeField<T, W>& u);

}  // namespace trellis::gauge

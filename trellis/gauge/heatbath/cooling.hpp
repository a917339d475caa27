// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cooling (B. Berg, Phys. Lett. B 104 (1981) 475; M. Teper, Phys. Lett. B 162 (1985) 357): link by link the plaquette
// action is minimised with respect to U, that is Re tr(U V^dagger), V the sum of the plaquette staples, is maximised on
// SU(3). Each link is multiplied by the best elements of three SU(2) subgroups in turn (N. Cabibbo and E. Marinari,
// Phys. Lett. B 119 (1982) 387), `subgroup_rounds` times: each lowers the action, and all rounds together leave less
// than a percent of the possible gain. Directions in order, for each the even sites before the odd ones; links have the
// same bits for any lanes and threads.
//
// With boundaries in time the action is theirs with c_G = 1, whatever that of the boundary: on the first and the last
// slice of an open one V is the sum of the staples in time and half of those in space. Links that are not variables
// stay as they are, bit for bit.
//
// The field's lattice must be in even/odd order (Error otherwise). Cost per step: 52 matrix products and 2000 flops per
// site.

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

inline constexpr int subgroup_rounds = 3;

// One step, in place: each link once.
template <class T, int W>
void cooling_step(const GaugeField<T, W>& u, Boundary boundary = {});

}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cooling (B. Berg, Phys. Lett. B 104 (1981) 475) with boundaries in time: link by link Re tr(U V) grows, V the sum of
// the plaquettes' other links by their weights (plaquette_staple of boundary.hpp). A link that is a variable is
// multiplied by the best elements of the SU(2) subgroups in rows and columns (0, 1), (0, 2) and (1, 2), three times
// each in turn. Directions in order, in each the even sites before the odd ones.

#include "reference/boundary.hpp"

namespace trellis::reference {

GaugeConfiguration cool(GaugeConfiguration u, const TimeBoundary& boundary);

}  // namespace trellis::reference

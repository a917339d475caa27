// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stout smearing (Morningstar and Peardon, hep-lat/0311018) with rho_{mu nu} = rho:
//   C = rho * (sum of the six plaquette staples from x to x + mu),   Omega = C U^+,
//   Q = (i/2) (Omega^+ - Omega) minus its trace / 3,   U' = exp(i Q) U,
// repeated `levels` times. All links of a level are computed from the previous level.
// The force through the smearing is numerical_derivative of f(stout(u)).

#include "reference/gauge.hpp"

namespace trellis::reference {

GaugeConfiguration stout(GaugeConfiguration u, double rho, int levels = 1);

}  // namespace trellis::reference

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Landau gauge (directions = 4) and Coulomb gauge (directions = 3: x, y, z) maximise, and how far from a maximum a
// configuration is, with the formulas as written by L. Giusti et al., Int. J. Mod. Phys. A 16 (2001) 3487, except that
// both are divided so that colours do not count.

#include <optional>
#include <vector>

#include "reference/boundary.hpp"

namespace trellis::reference {

// Re tr U_mu(x), averaged over sites and the first directions, / 3: 1 for unit links.
double gauge_functional(const GaugeConfiguration& u, int directions, const std::optional<TimeBoundary>& boundary = {});

// Delta(x) = sum over mu of A_mu(x) - A_mu(x - mu), at index(x); A_mu = (U_mu - U_mu^+) / (2 i) minus its trace / 3.
std::vector<Matrix> gauge_divergence(const GaugeConfiguration& u, int directions,
                                     const std::optional<TimeBoundary>& boundary = {});

// tr Delta(x) Delta(x)^+ averaged over sites, / 3.
double gauge_residual(const GaugeConfiguration& u, int directions, const std::optional<TimeBoundary>& boundary = {});

}  // namespace trellis::reference

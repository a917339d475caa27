// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Translation of a gauge field around the torus: U_mu(x) <- U_mu(x + steps).

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// `work` is a second field on the same lattice. Afterwards u refers to the memory with the result, and work to the
// other. Fills ghosts up to corners. Cost: a copy of the links, and an exchange, for each step, the shorter way round:
// on average a quarter of the sum of the extents.
template <int W>
void translate(const Coordinate& steps, GaugeField<double, W>& u, GaugeField<double, W>& work);

}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What [measure] asks for after a trajectory, for `trellis run` and for chains in Python.

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/observables.hpp"

namespace trellis::app {

// The measurements that are due on the links of a chain with this number of completed trajectories. The noise of
// quarks' sources depends on the seed and on that number.
template <int W>
Measurement measure_trajectory(const RunInput& input, const ObservableColumns& columns, std::uint32_t completed,
                               const GaugeField<double, W>& links);

// Whether quarks are measured then.
bool measures_quarks(const MeasureSection& section, std::uint32_t completed);

}  // namespace trellis::app

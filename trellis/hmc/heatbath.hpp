// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The heatbath as a chain's algorithm: a trajectory projects links back to SU(3) within rounding, then does one
// heatbath sweep and the overrelaxation sweeps of gauge/heatbath/heatbath.hpp. It is always accepted; dH is 0. Its time
// counts as `links`.

#include <memory>

#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/hmc/tempering/coupled_defect.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::hmc {

template <class T, int W>
Algorithm<T, W> heatbath(const gauge::HeatbathParameters& parameters);

// With the defect's coupling at the time of each trajectory.
template <int W>
Algorithm<double, W> heatbath(const gauge::HeatbathParameters& parameters,
                              std::shared_ptr<const CoupledDefect<W>> defect);

}  // namespace trellis::hmc

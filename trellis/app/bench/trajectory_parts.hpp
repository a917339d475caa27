// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a trajectory spends its time on, by the names of its kernels (core/profile/profile.hpp). Messages and sums over
// ranks are a part of their own, whoever waits for them.

#include <array>
#include <string_view>
#include <vector>

#include "trellis/core/profile/profile.hpp"

namespace trellis::app {

enum class TrajectoryPart {
  solvers,
  gauge_force,
  smearing,  // of links and of forces
  fermion_force,
  links,  // their update, or the sweeps of a heatbath
  messages,
  other_kernels,   // energies, momenta, copies
  outside_kernels  // what the host does between them
};
inline constexpr int trajectory_parts = 8;

std::string_view name_of(TrajectoryPart part);
// other_kernels for an unknown name.
TrajectoryPart part_of(std::string_view kernel);

// Seconds of each part; those outside kernels are what is left of `seconds`.
using PartSeconds = std::array<double, trajectory_parts>;
PartSeconds part_seconds(const std::vector<KernelTotals>& kernels, double seconds);

}  // namespace trellis::app

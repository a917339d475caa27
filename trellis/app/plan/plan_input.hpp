// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's input as plans see it.

#include "trellis/app/input/input.hpp"
#include "trellis/bench/trajectory_work.hpp"

namespace trellis::app {

bench::TrajectoryDescription trajectory_of(const RunInput& input);

}  // namespace trellis::app

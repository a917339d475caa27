// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether the algorithm that was chosen for a chain before it began fits the links that it has reached. Where links are
// far from equilibrium, as after a cold start, forces are smaller or larger than later, and steps that fit there may be
// too long for all that follows.

#include <optional>

#include "trellis/app/input/input.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

// Of the last half of thermalisation, where trajectories are accepted always, the average of min(1, exp(-dH)), if it is
// below this. Nothing unless `completed` is the end of thermalisation, and with fewer than 10 trajectories to judge by.
inline constexpr double too_rarely_accepted = 0.6;
std::optional<double> poor_acceptance(const RunInput& input, const io::CsvData& table, std::int64_t completed);

}  // namespace trellis::app

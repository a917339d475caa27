// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The end of a run by precision ([chain.stop_when]). The decision depends only on the table and the trajectory, so it
// is the same after any restart.

#include <optional>
#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

// "plaquette = 0.59371(12): its error is below 0.00015, from 64 independent measurements" if the input has a criterion
// that is fulfilled after `completed` trajectories; nothing where no checkpoint is due, or during
// thermalisation. The error is that of the Gamma method (analysis/statistics.hpp), of the mean after thermalisation; a
// column that has been constant so far has none. t0 and w0 end nothing while a flow has not reached 0.3
// (empty_cells, results/measured_column.hpp).
std::optional<std::string> precise_enough(const RunInput& input, const io::CsvData& table, std::int64_t completed);

}  // namespace trellis::app

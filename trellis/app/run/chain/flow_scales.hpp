// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// t0 and w0 in the table of a run: a cell is empty where t^2 E of the configuration did not reach 0.3 within the flow,
// so that the average of the others, which have smaller scales, is too low. `trellis analyse` takes them from the
// ensemble average of t^2 E instead.

#include <functional>
#include <string_view>

#include "trellis/app/input/input.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

// How many configurations, of trajectories that are kept, were flowed but have an empty cell in this column; 0 for
// other columns.
std::int64_t flows_without_scale(const RunInput& input, const io::CsvData& table, std::string_view column,
                                 const std::function<bool(double)>& keeps);

}  // namespace trellis::app

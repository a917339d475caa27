// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/stop_when.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/results/measured_column.hpp"

namespace trellis::app {

std::optional<std::string> precise_enough(const RunInput& input, const io::CsvData& table, std::int64_t completed) {
  const auto& stop = input.chain.stop_when;
  if (!stop || completed <= input.chain.thermalisation || completed % input.chain.checkpoint_every != 0) return {};
  const auto keeps = [&](double trajectory) {
    return trajectory > double(input.chain.thermalisation) && trajectory <= double(completed);
  };
  const auto kept = measured_column(table, "trajectory", stop->observable, keeps);
  if (kept.values.empty()) return {};
  const bool of_flow = input.measure.flow && (stop->observable == "t0" || stop->observable == "w0");
  if (of_flow && empty_cells(table, "trajectory", stop->observable, input.measure.flow->every, keeps) > 0) return {};
  const auto e = analysis::gamma_method(kept.values);
  const double independent = double(e.count) / std::max(2 * e.tau_int, 1.0);
  if (!(e.error > 0 && e.error < stop->error_below) || !(independent >= double(stop->independent_measurements)))
    return {};
  return fmt::format("{} = {}: its error is below {:g}, from {:.0f} independent measurements", stop->observable,
                     analysis::with_error(e.mean, e.error), stop->error_below, independent);
}

}  // namespace trellis::app

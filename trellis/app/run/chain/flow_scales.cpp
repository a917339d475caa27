// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/flow_scales.hpp"

#include <cmath>

namespace trellis::app {

std::int64_t flows_without_scale(const RunInput& input, const io::CsvData& table, std::string_view column,
                                 const std::function<bool(double)>& keeps) {
  if ((column != "t0" && column != "w0") || !input.measure.flow || !table.has(std::string(column))) return 0;
  const auto& numbers = table.column("trajectory");
  const auto& scales = table.column(std::string(column));
  std::int64_t count = 0;
  for (std::size_t row = 0; row < numbers.size(); ++row)
    if (keeps(numbers[row]) && std::llround(numbers[row]) % input.measure.flow->every == 0 && std::isnan(scales[row]))
      ++count;
  return count;
}

}  // namespace trellis::app

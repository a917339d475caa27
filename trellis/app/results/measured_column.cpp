// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/measured_column.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::app {

MeasuredColumn measured_column(const io::CsvData& table, std::string_view number, std::string_view column,
                               const std::function<bool(double)>& keeps) {
  MeasuredColumn kept;
  const auto &numbers = table.column(number), &values = table.column(column);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (keeps(numbers[i]) && !std::isnan(values[i])) {
      kept.values.push_back(values[i]);
      kept.numbers.push_back(numbers[i]);
    }
  return kept;
}

Spacing spacing_of(const std::vector<std::vector<double>>& numbers) {
  std::vector<double> gaps;
  for (const auto& chain : numbers)
    for (std::size_t i = 1; i < chain.size(); ++i) gaps.push_back(chain[i] - chain[i - 1]);
  if (gaps.empty()) return {};
  std::sort(gaps.begin(), gaps.end());
  return {gaps[gaps.size() / 2], gaps.front() == gaps.back()};
}

}  // namespace trellis::app

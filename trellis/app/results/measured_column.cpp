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

std::int64_t empty_cells(const io::CsvData& table, std::string_view number, std::string_view column, std::int64_t every,
                         const std::function<bool(double)>& keeps) {
  const auto &numbers = table.column(number), &values = table.column(column);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (keeps(numbers[i]) && std::llround(numbers[i]) % every == 0 && std::isnan(values[i])) ++count;
  return count;
}

std::optional<Coordinate> recorded_size(const io::CsvData& table, std::size_t row) {
  Coordinate size{};
  for (std::size_t mu = 0; mu < size.size(); ++mu) {
    if (!table.has(size_columns[mu])) return {};
    const double extent = table.column(size_columns[mu])[row];
    if (std::isnan(extent)) return {};
    size[mu] = static_cast<int>(extent);
  }
  return size;
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

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The measurements in one column of a results table, and when they were made.

#include <functional>
#include <string_view>

#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

struct MeasuredColumn {
  std::vector<double> values, numbers;  // numbers: the trajectories or rows that the values belong to
};

// The non-empty cells of `column`, from rows whose `number` is kept.
MeasuredColumn measured_column(const io::CsvData& table, std::string_view number, std::string_view column,
                               const std::function<bool(double)>& keeps);

// The distance between measurements: the median over all chains of the distances between neighbours.
struct Spacing {
  double typical = 1;
  bool even = true;  // all distances are the same
};
Spacing spacing_of(const std::vector<std::vector<double>>& numbers);

}  // namespace trellis::app

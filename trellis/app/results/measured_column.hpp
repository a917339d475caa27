// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What was measured of one column of a table of results, and when.

#include <functional>
#include <string_view>

#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

struct MeasuredColumn {
  std::vector<double> values, numbers;  // numbers: of the trajectories, or of the rows, that they belong to
};

// The cells of `column` that are not empty, in rows whose `number` is kept.
MeasuredColumn measured_column(const io::CsvData& table, std::string_view number, std::string_view column,
                               const std::function<bool(double)>& keeps);

// How far measurements are apart: the median of the distances between neighbours, in all chains together.
struct Spacing {
  double typical = 1;
  bool even = true;  // all distances are the same
};
Spacing spacing_of(const std::vector<std::vector<double>>& numbers);

}  // namespace trellis::app

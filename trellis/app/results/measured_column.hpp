// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The measurements in one column of a results table, and when they were made.

#include <array>
#include <functional>
#include <optional>
#include <string_view>

#include "trellis/comm/coordinate.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

struct MeasuredColumn {
  std::vector<double> values, numbers;  // numbers: the trajectories or rows that the values belong to
};

// The non-empty cells of `column`, from rows whose `number` is kept.
MeasuredColumn measured_column(const io::CsvData& table, std::string_view number, std::string_view column,
                               const std::function<bool(double)>& keeps);

// How many kept rows whose number is a multiple of `every` have an empty cell. Of t0 and w0: flows of configurations
// that do not reach 0.3, so that the average over the others, which have smaller scales, is too low.
std::int64_t empty_cells(const io::CsvData& table, std::string_view number, std::string_view column, std::int64_t every,
                         const std::function<bool(double)>& keeps);

// In a table of measured files: the extents of the lattice of each. Tables of earlier versions do not have them, or no
// numbers in them.
inline constexpr std::array<std::string_view, 4> size_columns{"size_x", "size_y", "size_z", "size_t"};
std::optional<Coordinate> recorded_size(const io::CsvData& table, std::size_t row);

// The distance between measurements: the median over all chains of the distances between neighbours.
struct Spacing {
  double typical = 1;
  bool even = true;  // all distances are the same
};
Spacing spacing_of(const std::vector<std::vector<double>>& numbers);

}  // namespace trellis::app

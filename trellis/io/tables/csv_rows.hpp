// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the text of a table (csv_table.hpp) row by row, verifying the checks.

#include "trellis/io/tables/csv_table.hpp"

namespace trellis::io {

inline constexpr std::string_view kCheck = "check";

// Throws Error if it cannot be read.
std::string read_table_text(const std::filesystem::path& file);
// The lines that are complete, without their line ends; `kept` becomes the number of bytes they take.
std::vector<std::string_view> whole_lines(std::string_view text, std::size_t& kept);
std::vector<std::string_view> cells_of(std::string_view line);

// `line` is a row, or the header, without its check and line end.
void add_line(CsvTable::Sums& sums, const std::vector<std::string>& columns, std::string_view line, bool is_row);

// Goes through a table's rows until one is damaged. Refers to its arguments.
class Rows {
 public:
  Rows(std::string_view text, const std::vector<std::string>& columns, const std::filesystem::path& file);

  // False at the end and at a damaged row; in the latter case damage() is not empty.
  bool next();

  const std::filesystem::path& file() const { return file_; }
  const std::string& damage() const { return damage_; }
  const CsvTable::Sums& sums() const { return sums_; }
  std::size_t end() const { return end_; }                           // bytes of the text up to the end of this row
  std::size_t following() const { return lines_.size() - at_ - 1; }  // rows, valid or not
  std::string_view cell(std::size_t column) const { return cells_of(lines_[at_])[column]; }
  std::string_view row() const { return lines_[at_].substr(0, lines_[at_].rfind(',')); }  // without its check
  std::size_t line() const { return at_ + 1; }

 private:
  std::size_t kept_ = 0;
  std::vector<std::string_view> lines_;
  const std::vector<std::string>& columns_;
  const std::filesystem::path& file_;
  CsvTable::Sums sums_;
  std::string damage_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace trellis::io

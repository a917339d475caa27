// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table that only grows: CSV with a header line, one row per append, each row on the disk before append() returns.
//
// Numbers are printed with the fewest digits that read back to the same bits; flags as 1 and 0; cells that do not apply
// to a row are empty. The last column, `check`, is the CRC-32 (decimal) of the table up to the end of that row, as it
// would be without this column: it reveals rows that are changed, missing or out of order. An existing table is
// continued if its header is the same, and refused otherwise; one of an earlier version, without checks, gets them. An
// incomplete last line, which a killed process may leave, is removed first. truncate_after() and go_back_to() drop the
// rows that a run will write again when it continues from a checkpoint. Removing rewrites the file under a temporary
// name and renames it.
//
// Throws trellis::Error, naming file and line. Cost: one fsync per row; opening reads the complete file once.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trellis/io/tables/checked_rows.hpp"

namespace trellis::io {

// Texts must not contain commas, quotes or line breaks.
using CsvCell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

class CsvTable {
 public:
  // Continues the table, or starts it. Column names, without `check`, must not contain commas, quotes or line breaks.
  CsvTable(std::filesystem::path file, std::vector<std::string> columns);
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;
  ~CsvTable();

  const std::filesystem::path& file() const { return file_; }
  const std::vector<std::string>& columns() const { return columns_; }

  // Writes one row, one cell per column, and syncs it. After an error (disk full) nothing of the row remains.
  void append(std::span<const CsvCell> row);
  // The same for several rows, with one sync.
  void append_rows(std::span<const std::vector<CsvCell>> rows);

  // The rows so far: every non-empty cell with its column's name, except for names that begin with "seconds". So
  // columns that were added later change nothing.
  const CheckedRows& rows() const { return sums_.rows; }

  // That column must contain integers that never decrease. Drops the rows starting with the first above `last`, and a
  // damaged last row. Returns how many were dropped. Throws for damage elsewhere.
  std::int64_t truncate_after(std::string_view column, std::int64_t last);
  // Throws unless the table begins with the rows that were saved, all undamaged.
  void require(const CheckedRows& saved) const;
  // The same, and drops the rows after them.
  void go_back_to(const CheckedRows& saved);

  // Computed from the text of the table so far.
  struct Sums {
    std::uint32_t check = 0;  // as in the last row
    CheckedRows rows;
  };

 private:
  void open();
  std::string line_of(std::span<const CsvCell> row) const;
  std::string checked(std::string_view line, Sums& sums) const;
  void append_text(std::string_view rest);
  void replace(std::string_view text);
  void keep(std::string_view text, std::size_t bytes, const Sums& sums);
  void keep_what_is_whole(std::string_view text);
  std::string with_checks(const std::vector<std::string_view>& lines) const;

  std::filesystem::path file_;
  std::vector<std::string> columns_;
  Sums sums_;
  std::string damage_;  // of the first damaged row; appending is refused until it and later rows are dropped
  int descriptor_ = -1;
};

// A complete table in memory, without the column `check`; an empty cell is NaN.
struct CsvData {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // values[column][row]

  std::size_t rows() const { return values.empty() ? 0 : values[0].size(); }
  bool has(std::string_view name) const;
  // One column; throws if there is none with that name.
  const std::vector<double>& column(std::string_view name) const;
};

// A complete table as it is written, without the column `check`.
struct CsvTexts {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // rows[row][column]
};

// Reads a table back; an incomplete last line is ignored. Throws for rows of the wrong length and for rows that do not
// match their check.
CsvTexts read_csv_texts(const std::filesystem::path& file);

// The same as numbers. Throws for cells that are not numbers, too. Columns named in `texts` are not parsed: NaN.
CsvData read_csv(const std::filesystem::path& file, const std::vector<std::string>& texts = {});

// What is left of a damaged table, for repairs: rows without their checks. `rows`: up to the first damaged one;
// `later`: rows beyond it that are valid by themselves.
struct CsvRemains {
  std::vector<std::string> rows, later;
  std::string damage;  // of the first damaged row, or of the header; empty if the table is undamaged
};
// Throws Error if it cannot be read.
CsvRemains look_at_csv(const std::filesystem::path& file, const std::vector<std::string>& columns);

// For the first `count` of such rows, or all if there are fewer.
CheckedRows checked_rows(const std::vector<std::string>& columns, const std::vector<std::string>& rows,
                         std::uint64_t count);
// Writes a table with these rows, replacing the existing one. Returns its state.
CheckedRows write_csv(const std::filesystem::path& file, const std::vector<std::string>& columns,
                      const std::vector<std::string>& rows);

// One column, as text.
std::vector<std::string> read_csv_texts(const std::filesystem::path& file, std::string_view column);

}  // namespace trellis::io

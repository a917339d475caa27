// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table that only grows: CSV with a header line, one row an append, each row on the disk before append() returns.
//
// Numbers are printed with the fewest digits that read back to the same bits; flags as 1 and 0; what does not apply to
// a row is left empty. The last column, `check`, is the CRC-32 (decimal) of the table up to the end of that row as it
// would be without this column: a row that is changed, missing or out of order shows. A table that exists is continued
// if its header is the same, and refused otherwise; one of an earlier version, without checks, gets them. What a killed
// process may leave, a last line without its end, is removed first. truncate_after() and go_back_to() drop the rows
// that a run will do again when it goes on from a checkpoint. Removing rewrites the file aside and renames it.
//
// Throws trellis::Error, naming file and line. Cost: one fsync a row; opening reads the whole file once.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trellis/io/tables/checked_rows.hpp"

namespace trellis::io {

// Texts hold no comma, quote or line end.
using CsvCell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

class CsvTable {
 public:
  // Continues the table, or starts it. Column names, without `check`, hold no comma, quote or line end.
  CsvTable(std::filesystem::path file, std::vector<std::string> columns);
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;
  ~CsvTable();

  const std::filesystem::path& file() const { return file_; }
  const std::vector<std::string>& columns() const { return columns_; }

  // Writes one row, a cell a column, and syncs it. After an error (disk full) nothing of the row remains.
  void append(std::span<const CsvCell> row);
  // The same for several rows, with one sync.
  void append_rows(std::span<const std::vector<CsvCell>> rows);

  // The rows so far: every cell that is not empty with its column's name, but for names that begin with "seconds". So
  // columns that were added later change nothing.
  const CheckedRows& rows() const { return sums_.rows; }

  // Entries of that column, integers, never fall. Drops the rows from the first above `last` on, and a last row that is
  // damaged. Returns how many were dropped. Throws for damage elsewhere.
  std::int64_t truncate_after(std::string_view column, std::int64_t last);
  // Throws unless the table begins with the rows that were saved, all sound.
  void require(const CheckedRows& saved) const;
  // The same, and drops what follows them.
  void go_back_to(const CheckedRows& saved);

  // Of the table so far, from its text.
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
  std::string damage_;  // of the first row that is not whole; until those from it on are dropped nothing is appended
  int descriptor_ = -1;
};

// A whole table in memory, without the column `check`; an empty cell is NaN.
struct CsvData {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // values[column][row]

  std::size_t rows() const { return values.empty() ? 0 : values[0].size(); }
  // One column; throws when there is none of that name.
  const std::vector<double>& column(std::string_view name) const;
};

// Reads a table back; a last line without its end is left out. Throws for rows of the wrong length, for what is not a
// number, and for rows that differ from their check. Columns named in `texts` are not looked into: NaN.
CsvData read_csv(const std::filesystem::path& file, const std::vector<std::string>& texts = {});

// What a damaged table still holds, for repairs: rows without their checks. `rows`: up to the first that is damaged;
// `later`: those beyond it that are whole by themselves.
struct CsvRemains {
  std::vector<std::string> rows, later;
  std::string damage;  // of the first row, or of the header; empty: the table is whole
};
// Throws Error for what cannot be read.
CsvRemains look_at_csv(const std::filesystem::path& file, const std::vector<std::string>& columns);

// Of the first `count` of such rows, or all if there are fewer.
CheckedRows checked_rows(const std::vector<std::string>& columns, const std::vector<std::string>& rows,
                         std::uint64_t count);
// Writes a table of such rows in place of what is there. Its state:
CheckedRows write_csv(const std::filesystem::path& file, const std::vector<std::string>& columns,
                      const std::vector<std::string>& rows);

// One column as it is in the file.
std::vector<std::string> read_csv_texts(const std::filesystem::path& file, std::string_view column);

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table that only grows: CSV with a header line, one row an append, each row on the disk before append() returns.
//
// Numbers are printed with the fewest digits that read back to the same bits; flags as 1 and 0; what does not apply to
// a row is left empty. A table that exists is continued if its header is the same, and refused otherwise. What a killed
// process may leave, a last line without its end, is removed first. truncate_after() drops the rows that a run will do
// again when it goes on from a checkpoint. Removing rewrites the file aside and renames it.
//
// Throws trellis::Error, naming file and line. Cost: one fsync a row; opening reads the whole file once.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trellis::io {

// Texts hold no comma, quote or line end.
using CsvCell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

class CsvTable {
 public:
  // Continues the table, or starts it. Column names hold no comma, quote or line end.
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

  // Drops every row whose entry in that column, an integer, is above `last`. Returns how many were dropped.
  std::int64_t truncate_after(std::string_view column, std::int64_t last);

 private:
  void open();
  std::string line_of(std::span<const CsvCell> row) const;
  void append_text(std::string_view rest);
  void replace(std::string_view text);

  std::filesystem::path file_;
  std::vector<std::string> columns_;
  int descriptor_ = -1;
};

// A whole table in memory; an empty cell is NaN.
struct CsvData {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // values[column][row]

  std::size_t rows() const { return values.empty() ? 0 : values[0].size(); }
  // One column; throws when there is none of that name.
  const std::vector<double>& column(std::string_view name) const;
};

// Reads a table back; a last line without its end is left out. Throws for rows of the wrong length and for what is not
// a number. Columns named in `texts` are not looked into: NaN.
CsvData read_csv(const std::filesystem::path& file, const std::vector<std::string>& texts = {});

// One column as it stands in the file.
std::vector<std::string> read_csv_texts(const std::filesystem::path& file, std::string_view column);

}  // namespace trellis::io

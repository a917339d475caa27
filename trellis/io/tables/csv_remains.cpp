// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/tables/csv_rows.hpp"

namespace trellis::io {

CsvRemains look_at_csv(const std::filesystem::path& file, const std::vector<std::string>& columns) {
  CsvRemains remains;
  const auto text = read_table_text(file);
  std::size_t kept = 0;
  const auto lines = whole_lines(text, kept);
  const auto header = joined(columns, ",");
  if (!lines.empty() && lines[0] == header) {  // from an earlier version: damage cannot be detected
    remains.rows.assign(lines.begin() + 1, lines.end());
    return remains;
  }
  Rows rows(text, columns, file);
  while (rows.next()) remains.rows.emplace_back(rows.row());
  remains.damage = rows.damage();
  if (lines.empty() || lines[0] != fmt::format("{},{}", header, kCheck))
    remains.damage = fmt::format("{}: its header is damaged", file.string());
  // The check of a row continues the one in the line before it.
  for (std::size_t i = rows.line() + 1; i < lines.size(); ++i) {
    const auto before = lines[i - 1].substr(lines[i - 1].rfind(',') + 1), line = lines[i];
    const auto comma = line.rfind(',');
    CsvTable::Sums sums;
    std::from_chars(before.data(), before.data() + before.size(), sums.check);
    if (comma == std::string_view::npos || cells_of(line).size() != columns.size() + 1) continue;
    add_line(sums, columns, line.substr(0, comma), true);
    if (fmt::format("{}", sums.check) == line.substr(comma + 1)) remains.later.emplace_back(line.substr(0, comma));
  }
  return remains;
}

CheckedRows checked_rows(const std::vector<std::string>& columns, const std::vector<std::string>& rows,
                         std::uint64_t count) {
  CsvTable::Sums sums;
  for (std::size_t i = 0; i < rows.size() && i < count; ++i) add_line(sums, columns, rows[i], true);
  return sums.rows;
}

CheckedRows write_csv(const std::filesystem::path& file, const std::vector<std::string>& columns,
                      const std::vector<std::string>& rows) {
  CsvTable::Sums sums;
  const auto header = joined(columns, ",");
  add_line(sums, columns, header, false);
  auto text = fmt::format("{},{}\n", header, kCheck);
  for (const auto& row : rows) {
    add_line(sums, columns, row, true);
    text += fmt::format("{},{}\n", row, sums.check);
  }
  AtomicFile out(file);
  out.write(text);
  out.commit();
  return sums.rows;
}

}  // namespace trellis::io

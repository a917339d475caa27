// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/tables/csv_rows.hpp"

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {

std::string read_table_text(const std::filesystem::path& file) {
  try {
    const InputFile input(file);
    return input.text(0, input.size(), "the table");
  } catch (const InputError& error) {  // not an input error: the user did not name this file
    fail("{}", error.what());
  }
}

std::vector<std::string_view> whole_lines(std::string_view text, std::size_t& kept) {
  std::vector<std::string_view> lines;
  kept = 0;
  for (std::size_t end; (end = text.find('\n', kept)) != std::string_view::npos; kept = end + 1) {
    lines.push_back(text.substr(kept, end - kept));
  }
  return lines;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0;;) {
    const auto end = line.find(',', begin);
    cells.push_back(line.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return cells;
    begin = end + 1;
  }
}

void add_line(CsvTable::Sums& sums, const std::vector<std::string>& columns, std::string_view line, bool is_row) {
  CheckedRows whole{.crc = sums.check};
  whole.add(line);
  whole.add("\n");
  sums.check = whole.crc;
  if (!is_row) return;
  ++sums.rows.rows;
  const auto cells = cells_of(line);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c >= columns.size() || cells[c].empty() || columns[c].starts_with("seconds")) continue;
    for (const auto part : {std::string_view(columns[c]), std::string_view("="), cells[c], std::string_view(",")})
      sums.rows.add(part);
  }
}

Rows::Rows(std::string_view text, const std::vector<std::string>& columns, const std::filesystem::path& file)
    : lines_(whole_lines(text, kept_)), columns_(columns), file_(file) {
  add_line(sums_, columns_, joined(columns_, ","), false);
  end_ = lines_.empty() ? 0 : lines_[0].size() + 1;
}

bool Rows::next() {
  if (at_ + 1 >= lines_.size() || !damage_.empty()) return false;
  const auto line = lines_[at_ + 1];
  const auto comma = line.rfind(',');
  const auto cells = cells_of(line);
  auto sums = sums_;
  if (cells.size() != columns_.size() + 1) {
    damage_ =
        fmt::format("{}:{}: has {} cells, expected {}", file_.string(), at_ + 2, cells.size(), columns_.size() + 1);
    return false;
  }
  add_line(sums, columns_, line.substr(0, comma), true);
  if (fmt::format("{}", sums.check) != line.substr(comma + 1)) {
    damage_ = fmt::format("{}:{}: is damaged, or rows before it are missing: its check is {}, expected {}",
                          file_.string(), at_ + 2, line.substr(comma + 1, 40), sums.check);
    return false;
  }
  sums_ = sums;
  ++at_;
  end_ += line.size() + 1;
  return true;
}

}  // namespace trellis::io

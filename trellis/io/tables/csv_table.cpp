// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/tables/csv_table.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/uninterrupted.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/tables/csv_rows.hpp"

namespace trellis::io {
namespace {

double number(std::string_view cell, const std::filesystem::path& file, std::size_t line) {
  if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (code != std::errc() || end != cell.data() + cell.size()) {
    fail("{}:{}: found '{}', expected a number", file.string(), line, cell.substr(0, 40));
  }
  return value;
}

std::string text_of(const CsvCell& cell) {
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "1" : "0";
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&cell)) {
    if (text->find_first_of(",\"\r\n") != std::string::npos) {
      fail("'{}' cannot be in a CSV table: it contains a comma, a quote or a line break", *text);
    }
    return *text;
  }
  return "";
}

std::size_t index_of(const std::vector<std::string>& columns, std::string_view name) {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

void walk_to(Rows& rows, const CheckedRows& saved) {
  while (rows.sums().rows.rows < saved.rows && rows.next()) {
  }
  if (rows.sums().rows.rows < saved.rows && !rows.damage().empty()) fail("{}", rows.damage());
  require_same(rows.file(), rows.sums().rows, saved);
}

}  // namespace

CsvTable::CsvTable(std::filesystem::path file, std::vector<std::string> columns)
    : file_(std::move(file)), columns_(std::move(columns)) {
  const auto header = joined(columns_, ",");
  std::size_t kept = 0;
  const auto text = std::filesystem::exists(file_) ? read_table_text(file_) : std::string();
  const auto lines = whole_lines(text, kept);
  if (lines.empty()) {
    add_line(sums_, columns_, header, false);
    replace(fmt::format("{},{}\n", header, kCheck));
  } else if (lines[0] == header) {
    replace(with_checks(lines));
    keep_what_is_whole(read_table_text(file_));
  } else if (lines[0] == fmt::format("{},{}", header, kCheck)) {
    keep_what_is_whole(text);
  } else {
    fail("{}: has the columns '{}', expected '{},{}'; move the file away, or choose another output", file_.string(),
         lines[0], header, kCheck);
  }
  open();
}

// Rows starting with the first damaged one stay in the file until the caller decides what to do with them.
void CsvTable::keep_what_is_whole(std::string_view text) {
  Rows rows(text, columns_, file_);
  while (rows.next()) {
  }
  sums_ = rows.sums();
  damage_ = rows.damage();
  if (damage_.empty() && rows.end() < text.size()) replace(text.substr(0, rows.end()));
}

std::string CsvTable::with_checks(const std::vector<std::string_view>& lines) const {
  Sums sums;
  add_line(sums, columns_, lines[0], false);
  auto text = fmt::format("{},{}\n", lines[0], kCheck);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (const auto cells = cells_of(lines[i]).size(); cells != columns_.size())
      fail("{}:{}: has {} cells, expected {}", file_.string(), i + 1, cells, columns_.size());
    text += checked(lines[i], sums);
  }
  return text;
}

CsvTable::~CsvTable() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void CsvTable::open() {
  descriptor_ = uninterrupted([&] { return ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC); });
  if (descriptor_ < 0) fail("{}: cannot append to the table: {}", file_.string(), std::strerror(errno));
}

void CsvTable::replace(std::string_view text) {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  AtomicFile out(file_);
  out.write(text);
  out.commit();
}

std::string CsvTable::line_of(std::span<const CsvCell> row) const {
  if (row.size() != columns_.size()) {
    fail("{}: a row of {} cells was given, the table has {} columns", file_.string(), row.size(), columns_.size());
  }
  std::string line;
  for (const auto& cell : row) line.append(text_of(cell)).append(",");
  line.pop_back();
  return line;
}

std::string CsvTable::checked(std::string_view line, Sums& sums) const {
  add_line(sums, columns_, line, true);
  return fmt::format("{},{}\n", line, sums.check);
}

void CsvTable::append(std::span<const CsvCell> row) {
  auto sums = sums_;
  append_text(checked(line_of(row), sums));
  sums_ = sums;
}

void CsvTable::append_rows(std::span<const std::vector<CsvCell>> rows) {
  std::string text;
  auto sums = sums_;
  for (const auto& row : rows) text += checked(line_of(row), sums);
  if (text.empty()) return;
  append_text(text);
  sums_ = sums;
}

void CsvTable::append_text(std::string_view rest) {
  if (!damage_.empty()) fail("{}", damage_);
  const auto before = ::lseek(descriptor_, 0, SEEK_END);
  while (!rest.empty()) {
    const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int code = errno;
      // If this fails, the next opening removes the incomplete line.
      [[maybe_unused]] const int ignored = uninterrupted([&] { return ::ftruncate(descriptor_, before); });
      fail("{}: cannot append a row: {}", file_.string(), std::strerror(code));
    }
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  if (uninterrupted([&] { return ::fsync(descriptor_); }) != 0)
    fail("{}: cannot sync to disk: {}", file_.string(), std::strerror(errno));
}

void CsvTable::keep(std::string_view text, std::size_t bytes, const Sums& sums) {
  if (bytes < text.size()) {
    replace(text.substr(0, bytes));
    open();
  }
  sums_ = sums;
  damage_.clear();
}

std::int64_t CsvTable::truncate_after(std::string_view column, std::int64_t last) {
  const auto index = index_of(columns_, column);
  if (index == columns_.size()) fail("{}: has no column '{}'", file_.string(), column);
  const auto text = read_table_text(file_);
  Rows rows(text, columns_, file_);
  auto end = rows.end();
  auto sums = rows.sums();
  auto dropped = static_cast<std::int64_t>(rows.following());
  bool above = false;
  while (!above && rows.next()) {
    const auto cell = rows.cell(index);
    std::int64_t value = 0;
    const auto [stop, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (code != std::errc() || stop != cell.data() + cell.size()) {
      fail("{}:{}: column '{}' holds '{}', expected an integer", file_.string(), rows.line(), column,
           cell.substr(0, 40));
    }
    above = value > last;
    if (above) break;
    end = rows.end();
    sums = rows.sums();
    dropped = static_cast<std::int64_t>(rows.following());
  }
  // The content of a damaged row is unknown; only the last one may be the result of a power failure.
  if (!above && !rows.damage().empty() && rows.following() > 1) fail("{}", rows.damage());
  keep(text, end, sums);
  return dropped;
}

void CsvTable::require(const CheckedRows& saved) const {
  const auto text = read_table_text(file_);
  Rows rows(text, columns_, file_);
  walk_to(rows, saved);
}

void CsvTable::go_back_to(const CheckedRows& saved) {
  const auto text = read_table_text(file_);
  Rows rows(text, columns_, file_);
  walk_to(rows, saved);
  keep(text, rows.end(), rows.sums());
}

bool CsvData::has(std::string_view name) const { return index_of(columns, name) < columns.size(); }

const std::vector<double>& CsvData::column(std::string_view name) const {
  const auto index = index_of(columns, name);
  if (index == columns.size()) fail("there is no column '{}' among '{}'", name, joined(columns, ","));
  return values[index];
}

CsvTexts read_csv_texts(const std::filesystem::path& file) {
  const auto text = read_table_text(file);
  std::size_t kept = 0;
  const auto lines = whole_lines(text, kept);
  if (lines.empty()) fail("{}: has no header line", file.string());
  CsvTexts table;
  for (const auto& name : cells_of(lines[0])) table.columns.emplace_back(name);
  const bool has_checks = table.columns.back() == kCheck;
  const auto checks = has_checks ? std::size_t{1} : 0;
  if (has_checks) {
    table.columns.pop_back();
    Rows rows(text, table.columns, file);
    while (rows.next()) {
    }
    if (!rows.damage().empty()) fail("{}", rows.damage());
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = cells_of(lines[i]);
    if (cells.size() != table.columns.size() + checks)
      fail("{}:{}: has {} cells, expected {}", file.string(), i + 1, cells.size(), table.columns.size() + checks);
    table.rows.emplace_back(cells.begin(), cells.end() - static_cast<std::ptrdiff_t>(checks));
  }
  return table;
}

CsvData read_csv(const std::filesystem::path& file, const std::vector<std::string>& texts) {
  const auto table = read_csv_texts(file);
  CsvData data{.columns = table.columns, .values = {}};
  data.values.resize(data.columns.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (std::size_t c = 0; c < data.columns.size(); ++c) {
      const bool is_text = std::find(texts.begin(), texts.end(), data.columns[c]) != texts.end();
      data.values[c].push_back(number(is_text ? std::string_view() : table.rows[row][c], file, row + 2));
    }
  return data;
}

std::vector<std::string> read_csv_texts(const std::filesystem::path& file, std::string_view column) {
  const auto text = read_table_text(file);
  std::size_t kept = 0;
  const auto lines = whole_lines(text, kept);
  std::vector<std::string> entries;
  std::size_t index = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto cells = cells_of(lines[i]);
    if (i == 0) {
      index = static_cast<std::size_t>(std::find(cells.begin(), cells.end(), column) - cells.begin());
      if (index == cells.size()) fail("{}: has no column '{}'", file.string(), column);
    } else if (index < cells.size()) {
      entries.emplace_back(cells[index]);
    } else {
      fail("{}:{}: has {} cells, expected at least {}", file.string(), i + 1, cells.size(), index + 1);
    }
  }
  return entries;
}

}  // namespace trellis::io

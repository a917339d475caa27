// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/csv_table.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "trellis/core/error.hpp"
#include "trellis/core/joined.hpp"
#include "trellis/io/atomic_file.hpp"

namespace trellis::io {
namespace {

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad() || !text) fail("{}: cannot read the table", file.string());
  return text.str();
}

// The lines that have an end, without it; `kept` becomes the number of bytes they take.
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
      fail("'{}' cannot stand in a CSV table: it holds a comma, a quote or a line end", *text);
    }
    return *text;
  }
  return "";
}

std::size_t index_of(const std::vector<std::string>& columns, std::string_view name) {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
}

}  // namespace

CsvTable::CsvTable(std::filesystem::path file, std::vector<std::string> columns)
    : file_(std::move(file)), columns_(std::move(columns)) {
  const auto header = joined(columns_, ",");
  std::size_t kept = 0;
  const auto text = std::filesystem::exists(file_) ? read_text(file_) : std::string();
  const auto lines = whole_lines(text, kept);
  if (lines.empty()) {
    replace(header + "\n");
  } else {
    if (lines[0] != header) {
      fail("{}: has the columns '{}', expected '{}'; move the file away, or choose another output", file_.string(),
           lines[0], header);
    }
    if (kept < text.size()) replace(std::string_view(text).substr(0, kept));
  }
  open();
}

CsvTable::~CsvTable() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void CsvTable::open() {
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
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
  line.back() = '\n';
  return line;
}

void CsvTable::append(std::span<const CsvCell> row) { append_text(line_of(row)); }

void CsvTable::append_rows(std::span<const std::vector<CsvCell>> rows) {
  std::string text;
  for (const auto& row : rows) text += line_of(row);
  if (!text.empty()) append_text(text);
}

void CsvTable::append_text(std::string_view rest) {
  const auto before = ::lseek(descriptor_, 0, SEEK_END);
  while (!rest.empty()) {
    const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int code = errno;
      // Without success here the next opening removes the half line.
      [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, before);
      fail("{}: cannot append a row: {}", file_.string(), std::strerror(code));
    }
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fsync(descriptor_) != 0) fail("{}: cannot sync to disk: {}", file_.string(), std::strerror(errno));
}

std::int64_t CsvTable::truncate_after(std::string_view column, std::int64_t last) {
  const auto index = index_of(columns_, column);
  if (index == columns_.size()) fail("{}: has no column '{}'", file_.string(), column);
  const auto text = read_text(file_);
  std::size_t kept = 0;
  const auto lines = whole_lines(text, kept);
  std::string out;
  std::int64_t dropped = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) {
      const auto cells = cells_of(lines[i]);
      if (cells.size() != columns_.size()) {
        fail("{}:{}: has {} cells, expected {}", file_.string(), i + 1, cells.size(), columns_.size());
      }
      const auto& cell = cells[index];
      std::int64_t value = 0;
      const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (code != std::errc() || end != cell.data() + cell.size()) {
        fail("{}:{}: column '{}' holds '{}', expected an integer", file_.string(), i + 1, column, cell.substr(0, 40));
      }
      if (value > last) {
        ++dropped;
        continue;
      }
    }
    out.append(lines[i]).append("\n");
  }
  if (out.size() != text.size()) {
    replace(out);
    open();
  }
  return dropped;
}

const std::vector<double>& CsvData::column(std::string_view name) const {
  const auto index = index_of(columns, name);
  if (index == columns.size()) fail("there is no column '{}' among '{}'", name, joined(columns, ","));
  return values[index];
}

CsvData read_csv(const std::filesystem::path& file, const std::vector<std::string>& texts) {
  const auto text = read_text(file);
  std::size_t kept = 0;
  const auto lines = whole_lines(text, kept);
  if (lines.empty()) fail("{}: has no header line", file.string());
  CsvData data;
  for (const auto& name : cells_of(lines[0])) data.columns.emplace_back(name);
  data.values.resize(data.columns.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = cells_of(lines[i]);
    if (cells.size() != data.columns.size()) {
      fail("{}:{}: has {} cells, expected {}", file.string(), i + 1, cells.size(), data.columns.size());
    }
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const bool is_text = std::find(texts.begin(), texts.end(), data.columns[c]) != texts.end();
      data.values[c].push_back(number(is_text ? "" : cells[c], file, i + 1));
    }
  }
  return data;
}

std::vector<std::string> read_csv_texts(const std::filesystem::path& file, std::string_view column) {
  const auto text = read_text(file);
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

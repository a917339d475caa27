// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/tables/checked_rows.hpp"

#include <zlib.h>

#include <charconv>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::io {

void CheckedRows::add(const void* data, std::size_t bytes) {
  crc = static_cast<std::uint32_t>(crc32_z(crc, static_cast<const Bytef*>(data), bytes));
}

std::string CheckedRows::text() const { return fmt::format("{} {:08x}", rows, crc); }

CheckedRows parse_checked_rows(std::string_view text) {
  CheckedRows rows;
  const char *const first = text.data(), *const end = first + text.size();
  const auto count = std::from_chars(first, end, rows.rows);
  if (count.ec == std::errc() && count.ptr != end && *count.ptr == ' ') {
    const auto sum = std::from_chars(count.ptr + 1, end, rows.crc, 16);
    if (sum.ec == std::errc() && sum.ptr == end) return rows;
  }
  fail("found '{}', expected a number of rows and their CRC-32", text);
}

void require_same(const std::filesystem::path& file, const CheckedRows& found, const CheckedRows& saved) {
  if (found.rows < saved.rows)
    fail("{}: has {}, but had {}", file.string(), plural(std::int64_t(found.rows), "row"), saved.rows);
  if (found != saved)
    fail("{}: its first {} rows have changed: their CRC-32 is {:08x}, expected {:08x}", file.string(), saved.rows,
         found.crc, saved.crc);
}

}  // namespace trellis::io

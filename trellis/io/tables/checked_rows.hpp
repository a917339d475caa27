// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The number of rows of a result file, and the CRC-32 of their content. A checkpoint stores this for every such file,
// to detect files that were damaged, truncated, swapped or removed in the meantime. Data that differ from machine to
// machine (seconds) are left out, so that checkpoints have the same bytes everywhere.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace trellis::io {

struct CheckedRows {
  std::uint64_t rows = 0;
  std::uint32_t crc = 0;

  void add(const void* data, std::size_t bytes);  // updates the CRC
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::string text() const;  // "12 0a1b2c3d"
  bool operator==(const CheckedRows&) const = default;
};

// Throws Error for any other text.
CheckedRows parse_checked_rows(std::string_view text);

// `found`: the first saved.rows rows of a file, or all if it has fewer. Throws Error, saying how they differ, unless
// they are the rows that were saved.
void require_same(const std::filesystem::path& file, const CheckedRows& found, const CheckedRows& saved);

}  // namespace trellis::io

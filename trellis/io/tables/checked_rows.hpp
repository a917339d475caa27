// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many rows a file of results has, and the CRC-32 of what they say: a checkpoint keeps this for every such file, so
// that one that was damaged, cut short, swapped or removed in the meantime is found. What differs from machine to
// machine (seconds) is left out, so that checkpoints stay the same bytes.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace trellis::io {

struct CheckedRows {
  std::uint64_t rows = 0;
  std::uint32_t crc = 0;

  void add(const void* data, std::size_t bytes);  // to the CRC
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::string text() const;  // "12 0a1b2c3d"
  bool operator==(const CheckedRows&) const = default;
};

// Throws Error for anything but such a text.
CheckedRows parse_checked_rows(std::string_view text);

// `found`: the first saved.rows rows of a file, or all if it has fewer. Throws Error, saying how they differ, unless
// they are those that were saved.
void require_same(const std::filesystem::path& file, const CheckedRows& found, const CheckedRows& saved);

}  // namespace trellis::io

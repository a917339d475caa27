// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The LIME container: records with a 144-byte big-endian header (magic 0x456789ab, version, flags, length, type) and
// data padded to 8 bytes. Any number of records of any type may come before the data that a reader looks for.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/io/gauge_file.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {

inline constexpr std::uint32_t lime_magic = 0x456789ab;
inline constexpr std::size_t lime_header_bytes = 144;

struct LimeContents {
  std::vector<LimeRecord> records;
  std::vector<std::string> notes;  // oddities of the file
};

// All records. Accepts and notes what some codes write: flags that are zero, lengths that include the padding, missing
// padding. Throws InputError if a record's magic number is wrong or its data extend beyond the end.
LimeContents scan_lime(const InputFile& file);

std::array<std::byte, lime_header_bytes> lime_header(std::string_view type, std::uint64_t length, bool message_begin,
                                                     bool message_end);

// The number of bytes from the end of `length` data bytes to the next multiple of 8.
constexpr std::uint64_t lime_padding(std::uint64_t length) { return (8 - length % 8) % 8; }

}  // namespace trellis::io

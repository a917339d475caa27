// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text records of LIME files: the flat XML with which ILDG and SciDAC (QIO) files describe their data.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/io/formats/lime.hpp"

namespace trellis::io {

inline constexpr std::uint64_t longest_xml = 1U << 20;
inline constexpr std::size_t most_header_keys = 200;
inline constexpr std::string_view xml_head = R"(<?xml version="1.0" encoding="UTF-8"?>)";

using Keys = std::vector<std::pair<std::string, std::string>>;

struct Leaves {
  Keys keys;
  std::string problem;  // why the text is not XML, or empty
};

// The leaves directly below the root element, by local name: enough for the flat XML of ILDG and SciDAC. Text that is
// not XML still has its legible elements.
Leaves xml_leaves(const std::string& text);

// Text for the inside of an XML element.
std::string escaped(std::string_view text);

// Reads and checks the text records of one file; throws InputError naming file and record.
struct LimeText {
  const InputFile& file;

  [[noreturn]] void bad(const LimeRecord& record, const std::string& what) const;
  std::string text(const LimeRecord& record) const;
  std::string require(const LimeRecord& record, const Keys& found, std::string_view key) const;
  // Of a scidac-private-file-xml: the extents of a file that holds the complete four-dimensional lattice.
  Coordinate whole_lattice(const LimeRecord& record, const Keys& found) const;
  // Of a scidac-checksum.
  std::vector<ChecksumClaim> checksums(const LimeRecord& record, const Keys& found) const;
};

// Records as QIO writes them: the zero that ends a C string is part of a text record; `padding` follows the data.
enum LimeFlags { inside_message = 0, begins_message = 1, ends_message = 2 };
std::string lime_header_text(std::string_view type, std::uint64_t length, int flags);
std::string lime_text_record(std::string_view type, std::string text, int flags);
std::string lime_padding_text(std::uint64_t length);
// The texts of scidac-private-file-xml and scidac-checksum.
std::string scidac_file_xml(const Coordinate& size);
std::string scidac_checksum_xml(std::uint32_t a, std::uint32_t b);
// That of scidac-private-record-xml, for `count` objects of so many bytes at each site.
std::string scidac_record_xml(std::string_view date, std::string_view object, Precision precision, int spins,
                              std::size_t object_bytes, int count);

}  // namespace trellis::io

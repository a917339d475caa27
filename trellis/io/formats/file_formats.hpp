// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The formats of gauge configuration files: their names, and how files are recognised, read, checked and written.
// Readers, `trellis inspect`, `trellis convert`, help and error messages use this table. A new format is a file
// name_format.cpp with a function that returns its FileFormat, plus the name of that function in file_formats.cpp.
//
// All functions throw InputError naming file, record or key, what was found and what was expected.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/io/formats/gauge_layout.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {

// How much a file looks like one of a format. The highest likeness wins; among equal ones the first in the table.
enum class Likeness {
  none,
  possible,  // its first numbers could be a header
  likely,    // nothing in its first bytes contradicts it
  certain    // it says so, or its length matches
};

// Of the links' bytes, 32 bits, with initial value 0.
struct ChecksumKind {
  std::string name;           // as in ChecksumClaim::kind
  bool exclusive_or = false;  // parts of a file are combined by exclusive or; otherwise added modulo 2^32
};

struct FormatChecksum {
  std::vector<ChecksumKind> kinds = {};
  // Adds consecutive sites, starting at number first_site, to `sums`, which has one number per kind.
  void (*add)(const GaugeFileInfo& info, std::int64_t first_site, std::size_t site_bytes,
              std::span<const std::byte> bytes, std::span<std::uint32_t> sums) = nullptr;
};

struct FileFormat {
  std::string name;   // for --format, in JSON, in GaugeFileInfo
  std::string title;  // in messages and help
  // `start`: the first 256 bytes, or all of a shorter file; at least one.
  Likeness (*match)(const InputFile& file, std::string_view start) = nullptr;
  // Reads the complete header, including where the links are. Sizes and lengths are checked against the file's length
  // before anything is allocated. Called unless the likeness is none.
  GaugeLayout (*layout)(const InputFile& file, const ReadOptions& options) = nullptr;
  // Passes on each link once, in the file's order, in batches. If null: the bytes of the sites start at
  // layout.data_offset, in our order, for each site the links x, y, z, t, for each link the rows; ranks read these in
  // parallel.
  void (*read)(const InputFile& file, const GaugeLayout& layout, const GaugeReader::Sink& sink) = nullptr;
  // For formats with `read` whose links are bytes: where the file has a link from a site with x_mu = L_mu - 1.
  std::uint64_t (*crossing_link)(const GaugeFileInfo& info, std::size_t mu) = nullptr;
  FormatChecksum checksum = {};  // for formats without `read`
  // Null if this format can only be read.
  std::vector<ChecksumClaim> (*write)(const std::filesystem::path& path, const WriteParameters& parameters,
                                      const LinkSource& source) = nullptr;
  std::optional<Precision> only = {};        // the precision of all files of this format that are written
  std::vector<std::string> extensions = {};  // file names that `trellis convert` writes in this format
};

std::span<const FileFormat> file_formats();

// Those of writable formats if `written`, else of all: "ILDG/SciDAC", "NERSC".
std::vector<std::string> format_titles(bool written = false);

}  // namespace trellis::io

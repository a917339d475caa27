// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The formats of gauge configuration files: what each is called, and how it is recognised, read, checked and written.
// Readers, `trellis inspect`, `trellis convert`, help and error messages ask this table. A new format is a file
// name_format.cpp with a function that returns its FileFormat, and the name of that function in file_formats.cpp.
//
// All functions throw InputError naming file, record or key, what was found and what was expected.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/io/formats/gauge_layout.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {

// How much a file looks like one of a format: that of the highest likeness is tried, of several the first in the table.
enum class Likeness {
  none,
  possible,  // its first numbers could be a header
  likely,    // nothing in its first bytes speaks against it
  certain    // it says so, or its length fits
};

// Checksums of the links' bytes, each of 32 bits, that begin at 0.
struct FormatChecksum {
  std::vector<std::string> kinds = {};  // as in ChecksumClaim
  bool exclusive_or = false;            // how those of a file's parts are joined; otherwise added modulo 2^32
  // Takes consecutive sites from number first_site on into `sums`, which has one number a kind.
  void (*add)(const GaugeFileInfo& info, std::int64_t first_site, std::size_t site_bytes,
              std::span<const std::byte> bytes, std::span<std::uint32_t> sums) = nullptr;
};

struct FileFormat {
  std::string name;   // for --format, in JSON, in GaugeFileInfo
  std::string title;  // in messages and help
  // `start`: the first 256 bytes, or as many as there are, at least one.
  Likeness (*match)(const InputFile& file, std::string_view start) = nullptr;
  // Everything that the header says, and where the links are. Sizes and lengths are checked against the file's length
  // before anything is allocated. Called if the likeness is not none.
  GaugeLayout (*layout)(const InputFile& file, const ReadOptions& options) = nullptr;
  // Hands over each link once, in the file's order, in batches. Null: from layout.data_offset on the bytes of one site
  // after another as we number them, in each the links x, y, z, t, in each the rows; ranks read these in parallel.
  void (*read)(const InputFile& file, const GaugeLayout& layout, const GaugeReader::Sink& sink) = nullptr;
  FormatChecksum checksum = {};  // of formats without `read`
  // Null: this format is only read.
  std::vector<ChecksumClaim> (*write)(const std::filesystem::path& path, const WriteParameters& parameters,
                                      const LinkSource& source) = nullptr;
  std::vector<std::string> extensions = {};  // of files that `trellis convert` writes in this format
};

std::span<const FileFormat> file_formats();

// Of those that are written if `written`, else of all: "ILDG/SciDAC", "NERSC".
std::vector<std::string> format_titles(bool written = false);

}  // namespace trellis::io

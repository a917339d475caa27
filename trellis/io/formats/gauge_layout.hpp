// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the links are in a file, determined from its header alone: find_layout() asks the formats (file_formats.hpp)
// which one it is.
//
// All throw InputError naming file, record or key, what was found and what was expected; sizes and lengths are checked
// against the file's length before anything is allocated.

#include "trellis/io/formats/openqcd_functional.hpp"
#include "trellis/io/gauge_file.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {

struct FileFormat;

struct GaugeLayout {
  GaugeFileInfo info;
  std::uint64_t data_offset = 0;
  const FileFormat* format = nullptr;                     // set by find_layout, like info.format
  std::optional<FunctionalBoundaries> completed_by = {};  // info.size has slices that the file does not have

  // Of the links in the file.
  GaugeFileInfo stored() const {
    auto own = info;
    if (completed_by) own.size[3] = completed_by->extent;
    return own;
  }
};

GaugeLayout find_layout(const InputFile& file, const ReadOptions& options);

// The number of sites of a size that `where` claims; throws if that is impossible or if the links would not take
// exactly `available` bytes.
std::int64_t require_fit(const InputFile& file, std::string_view where, const GaugeFileInfo& info,
                         std::uint64_t available);

// Max |U U^+ - 1| for the file's first matrix, read in this byte order; infinite if it is not finite.
double first_link_violation(const InputFile& file, const GaugeLayout& layout, ByteOrder order);

}  // namespace trellis::io

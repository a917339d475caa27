// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rewrites files of fields (field_file.hpp) in another format or precision, for `trellis convert IN OUT`. Numbers are
// taken as they are: spinors keep their basis.
//
// The input must be sound (strict reading), and the output is read back before it gets its name. Memory: the numbers of
// all fields in double precision.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/io/fields/field_file.hpp"

namespace trellis::io {

struct FieldFormat {
  std::string name;                     // for --format
  std::vector<std::string> extensions;  // of file names
};
std::span<const FieldFormat> field_formats();

// Returns what was written. Without a precision that of the input's first field, or double for openQCD's files. Throws
// InputError for a bad input, and for fields that the format does not have: openQCD's files have one spinor a site, in
// double precision. Objects that share a site, as fat links in four directions, become fields of their own in HDF5
// files.
FieldFileInfo convert_fields(const std::filesystem::path& in, const std::filesystem::path& out,
                             const std::string& format, std::optional<Precision> precision = {});

}  // namespace trellis::io

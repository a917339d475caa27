// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a file of fields (field_file.hpp) holds and whether its checksums or square norm are right, for `trellis
// inspect`: like io::inspect for configurations. Reads the file once; memory for 16384 sites.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "trellis/io/fields/field_reader.hpp"

namespace trellis::io {

struct FieldInspection {
  std::string path;
  FieldFileInfo info;
  std::vector<FieldReport> reports;   // of info.fields
  std::vector<std::string> problems;  // empty if the file is sound
  bool sound() const { return problems.empty(); }
};

// Empty if the file is not one of fields, but may be a configuration. A SciDAC file of four colour matrices a site is
// taken as a configuration unless its checksum is right and |U U^+ - 1| exceeds 0.1 somewhere: then its matrices were
// never meant to be in SU(3). Throws InputError for a file of fields that cannot be read.
std::optional<FieldInspection> inspect_fields(const std::filesystem::path& path);

std::string to_text(const FieldInspection& inspection);
// One line, with its line break.
std::string to_line(const FieldInspection& inspection);
nlohmann::ordered_json to_json(const FieldInspection& inspection);

}  // namespace trellis::io

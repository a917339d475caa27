// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes SciDAC files of fields (field_file.hpp), all ranks together. Like configurations, a file appears complete and
// read back, or not at all (files_under_way.hpp). Memory: the bytes of all fields of this rank.

#include <filesystem>
#include <string>
#include <vector>

#include "trellis/io/fields/field_file.hpp"
#include "trellis/io/formats/field_links.hpp"

namespace trellis::io {

struct FieldToWrite {
  FieldType type = FieldType::colour_vector;
  int count = 1;        // objects at a site
  SiteNumbers numbers;  // with the numbers of all objects of a site; on the lattice of the file
  std::string text;     // scidac-record-xml, XML
};

struct FieldFileParameters {
  Precision precision = Precision::double_;
  std::string text = "<trellis/>";                    // scidac-file-xml, XML
  std::string date = "Thu Jan  1 00:00:00 1970 UTC";  // QIO requires one; a real one would make equal runs differ
};

// Throws InputError if a text is not XML, Error if a number is not finite in this precision or the file cannot be
// written. Returns the checksums of each field.
std::vector<std::vector<ChecksumClaim>> write_fields(const std::filesystem::path& path,
                                                     const FieldFileParameters& parameters,
                                                     const std::vector<FieldToWrite>& fields);

}  // namespace trellis::io

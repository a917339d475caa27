// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// SciDAC files of lattice fields, as QIO writes them: colour vectors, general colour matrices (fat and long links,
// momenta), spinors, propagators. They are LIME files with a message for the file (scidac-private-file-xml,
// scidac-file-xml) and one for each field: scidac-private-record-xml (precision, and the type and number of the objects
// at a site), scidac-record-xml (the writer's own words), scidac-binary-data, scidac-checksum.
//
// Numbers are big-endian, real part before imaginary part. Sites are numbered x + X (y + Y (z + Z t)); a site has its
// `count` objects one after another. The numbers of an object: of a colour vector its three colours; of a colour matrix
// its rows; of a spinor [spin][colour]; of a propagator [spin of the sink][spin of the source][colour of the sink]
// [colour of the source].
//
// Fields in HDF5 files (hdf5_fields.hpp) and openQCD's files of a spinor field (openqcd_spinors.hpp) are described and
// read in the same way.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/io/gauge_file.hpp"
#include "trellis/io/hdf5_file.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {

enum class FieldType { real, complex, colour_vector, colour_matrix, spinor, propagator };

struct FieldTypeName {
  FieldType type{};
  const char* name = "";      // "colour vector"
  const char* datatype = "";  // as datatype ends: "ColorVector"
  int reals = 0;              // of an object
  int spins = 1;
};

std::span<const FieldTypeName> field_types();
const FieldTypeName& name_of(FieldType type);

struct FieldInfo {
  FieldType type = FieldType::colour_vector;
  Precision precision = Precision::double_;
  int count = 1;          // objects at a site
  std::string datatype;   // as the file says
  std::string text;       // scidac-record-xml
  std::string array;      // in HDF5 files: the one that has it
  std::size_t place = 0;  // its number there
  int together = 1;       // this one and so many after it were objects of one site, in the file that became this one
  bool is_in_pieces = false;  // the library reads it: its numbers do not follow one another
  std::string date;
  std::vector<ChecksumClaim> checksums;  // "scidac a", "scidac b"; empty if there is none
  std::optional<double> square_norm;     // that the file states: the sum of |number|^2
  std::uint64_t offset = 0;              // of the data
  ByteOrder byte_order = ByteOrder::big;
  bool z_fastest = false;  // sites are numbered z + Z (y + Y (x + X t)), as by openQCD
  int reals() const { return count * name_of(type).reals; }
  std::size_t site_bytes() const {
    return static_cast<std::size_t>(reals()) * (precision == Precision::single ? 4 : 8);
  }
};

using Hdf5Attributes = std::vector<std::pair<std::string, Hdf5File::Attribute>>;

struct FieldFileInfo {
  std::string format;  // "LIME: SciDAC"
  Coordinate size{};
  std::string text;           // scidac-file-xml
  Hdf5Attributes attributes;  // of an HDF5 file, besides the text
  std::vector<FieldInfo> fields;
  std::vector<LimeRecord> records;  // of a LIME file
  std::vector<std::string> notes;   // harmless oddities
  std::uint64_t file_bytes = 0;
};

// Reads the header of a file. Throws InputError naming file and record, what was found and what was expected, unless it
// is a LIME file with SciDAC records of complete four-dimensional fields, whose lengths match, an HDF5 file of fields
// or a spinor field of openQCD.
FieldFileInfo field_file(const InputFile& file);

// "four colour matrices a site, single precision"
std::string describe(const FieldInfo& field);

// Whether the file is an HDF5 file of fields, a spinor field of openQCD, or a LIME file that holds something else than
// a gauge configuration: no ILDG records, and not a single field of four colour matrices. Throws InputError for a
// broken LIME file.
bool holds_fields(const InputFile& file);
// Whether it could be either: a single field of four colour matrices, without ILDG records.
bool may_hold_general_matrices(const InputFile& file);

}  // namespace trellis::io

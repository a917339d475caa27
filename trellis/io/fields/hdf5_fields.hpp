// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lattice fields in HDF5 files, which any program with an HDF5 library reads. Each array of the root group holds n
// fields of one type, with the shape [n][T][Z][Y][X][object][2]: an object is [spin][colour] of a spinor, [colour] of a
// colour vector, [row][column] of a colour matrix; the last index is real and imaginary part. Attributes of an array:
// `type`
// ("spinor"), `text` (one for each field) and `scidac_checksums`, the numbers a and b of each field, as in SciDAC files
// (field_file.hpp), whose bytes these are too: big-endian and one after another, so that ranks write and read their own
// sites directly.
//
// All ranks must call write_hdf5_fields. A file appears complete and read back, or not at all (files_under_way.hpp).
// Memory: the bytes of all fields of this rank; the library sees only what surrounds the numbers, in a temporary file
// with room for them, which takes no space where file systems leave holes.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "trellis/io/fields/field_writer.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::io {

// What the attribute `format` of such files says.
inline constexpr const char* hdf5_format_name = "trellis fields 1";

struct Hdf5FieldArray {
  std::string name;                        // "propagator"
  std::vector<FieldToWrite> fields;        // of one type, one object a site
  std::vector<std::int64_t> objects = {};  // how many of them follow one another that were objects of one site
};

// attributes: of the file. Throws Error if a number is not finite in this precision, or the file cannot be written.
void write_hdf5_fields(const std::filesystem::path& path, Precision precision, const Hdf5Attributes& attributes,
                       const std::vector<Hdf5FieldArray>& arrays);

// Whether it is an HDF5 file, and whether it is one of write_hdf5_fields.
bool is_hdf5(const InputFile& file);
bool holds_hdf5_fields(const InputFile& file);

// Its fields, array by array in the order of their names. Throws InputError, naming file and array, unless all are as
// above and within the file.
FieldFileInfo hdf5_field_file(const InputFile& file);

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files of a spinor field as openQCD's export_sfld writes them, little-endian on any machine: four int32, the extents
// in t, x, y and z; the square norm sum |psi|^2, a double; the spinors in double precision, [spin][colour][re, im],
// sites numbered z + Z (y + Y (x + X t)). openQCD 2.4 has a fifth int32, 0 for a field on all sites, which is read but
// not written. Extents are even. There is no checksum; the square norm is the only check.
//
// Numbers are read and written as they are, in openQCD's basis of spins: changing it is for those who know what the
// spinors mean.

#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/io/fields/field_writer.hpp"

namespace trellis::io {

// Writes one spinor a site. All ranks must call it; files have the same bytes for any ranks, and appear complete and
// read back, or not at all (files_under_way.hpp). Memory: 192 bytes for each site of this rank. Throws Error if a
// number is not finite, the field is another one or an extent is odd, or the file cannot be written.
void write_openqcd_spinors(const std::filesystem::path& path, const FieldToWrite& field);

// Whether the first four numbers are even extents in either byte order.
bool begins_as_openqcd(const InputFile& file);
// Whether it is a spinor field rather than a configuration of openQCD: begins so, and has as many bytes, or at most
// half of those that a configuration would have.
bool holds_openqcd_spinors(const InputFile& file);
// The file's field. Throws InputError for one that is big-endian, has another length than its extents need, spinors of
// one parity only, or a square norm that is none.
FieldFileInfo openqcd_spinor_file(const InputFile& file);

// sum += |numbers|^2, in exact arithmetic; as many numbers as make up spinors.
void add_squares(std::span<const double> numbers, ExactSum& sum);
// How far from this square norm a sum that was rounded may be: what openQCD itself allows, 8 sqrt(sites) 2^-52 or
// (since 2.4) 2^-45, the larger one, relative to it.
double square_norm_tolerance(std::uint64_t sites, double square_norm);

// The same block with x and z exchanged: its sites are then numbered as in these files.
comm::Block with_z_first(comm::Block block);
// The usual number of the site that is number `site` of a lattice with these extents, whose x and z are exchanged.
std::int64_t with_x_fastest(std::int64_t site, const Coordinate& exchanged);

}  // namespace trellis::io

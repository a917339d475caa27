// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Configuration files to and from gauge fields. Errors are those of GaugeReader and of the writers. On several ranks
// all must call these, and each has its own part of the links; ghosts are filled. Fields are periodic: InputError for a
// file with an open boundary, if its first links show that, before the links are read. Memory besides the field: a few
// MiB.

#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::io {

// The links of a file of any format, on a lattice of the file's size with W lanes. InputError if the lattice does not
// divide into W lanes, or into blocks for the ranks of the grid.
template <class T, int W>
GaugeField<T, W> load_gauge_field(const std::filesystem::path& path, const ReadOptions& options = {},
                                  const comm::ProcessGrid& grid = {});

// The same into an existing field; InputError if its size differs from the file's. The reader must use the field's
// ranks. Returns what was found about the links.
template <class T, int W>
ChecksumReport read_links(const GaugeReader& reader, const std::filesystem::path& path, const GaugeField<T, W>& u);

// A field as a source of links for write_ildg and write_nersc.
template <class T, int W>
FieldLinks link_source(const GaugeField<T, W>& u);

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Between configuration files and gauge fields. Errors are those of GaugeReader and of the writers. On several ranks
// all call these, and each has its own part of the links; ghosts are filled. Memory beside the field: a few MiB.

#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::io {

// The links of a file, whatever its format, on a lattice of the file's size with W lanes. InputError when the lattice
// does not divide into W lanes, or into blocks for the ranks of the grid.
template <class T, int W>
GaugeField<T, W> load_gauge_field(const std::filesystem::path& path, const ReadOptions& options = {},
                                  const comm::ProcessGrid& grid = {});

// The same into a field that exists; InputError when its size is not the file's. The reader is one of the field's
// ranks.
template <class T, int W>
void read_links(const GaugeReader& reader, const std::filesystem::path& path, const GaugeField<T, W>& u);

// A field as what write_ildg and write_nersc ask for links.
template <class T, int W>
FieldLinks link_source(const GaugeField<T, W>& u);

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fields of SciDAC files to and from the fields of a lattice. On several ranks all must call these, and each has its
// own sites. They exist for fields in double precision. Errors are those of FieldReader::read. Memory besides the
// fields: a few MiB, and on a GPU a copy on the host.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "trellis/io/fields/field_reader.hpp"
#include "trellis/io/fields/field_writer.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::io {

// Even and odd sites, with the same count.
template <class T, int Reals, int W>
using FieldParts = std::array<ParityField<T, Reals, W>, 2>;

// The number that multiplies the matrix of site x and direction mu, such as a sign (dirac/staggered/
// phase_conventions.hpp); called by several threads. Empty: 1.
using MatrixFactor = std::function<double(const Coordinate& x, int mu)>;

// Field `number` of the file, four colour matrices a site (x, y, z, t), whatever they are: not only SU(3). Ghosts are
// filled.
template <class T, int W>
FieldReport read_matrices(const FieldReader& reader, std::size_t number, const GaugeField<T, W>& u,
                          const MatrixFactor& factor = {});

// Field `number` of the file, colour vectors (Reals = 6) or spinors (24), as many a site as the field has side by side.
template <class T, int Reals, int W>
FieldReport read_vectors(const FieldReader& reader, std::size_t number, const FieldParts<T, Reals, W>& to);
// The same, with as many a site as the file has, to those from number `first` on.
template <class T, int Reals, int W>
FieldReport read_some_vectors(const FieldReader& reader, std::size_t number, const FieldParts<T, Reals, W>& to,
                              int first);

// Fields as what write_fields takes. Their numbers are copied to the host if they are not there; otherwise they must
// not change until the file is written.
template <class T, int W>
FieldToWrite matrices_to_write(const GaugeField<T, W>& u, std::string text = "<trellis/>",
                               const MatrixFactor& factor = {});
template <class T, int Reals, int W>
FieldToWrite vectors_to_write(const FieldParts<T, Reals, W>& from, std::string text = "<trellis/>");
// A field of the file for each vector, with these texts.
template <class T, int Reals, int W>
std::vector<FieldToWrite> each_vector_to_write(const FieldParts<T, Reals, W>& from,
                                               const std::vector<std::string>& texts);

}  // namespace trellis::io

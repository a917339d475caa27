// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Texts of variable length in an HDF5 file, read without the library: it trusts their lengths, and writes beyond its
// buffers where one is damaged (seen in 1.10.8). An attribute of such texts has, for each, a length and the place of an
// object in a global heap (HDF5 File Format Specification 3.0, III.E and IV.A).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trellis/io/input_file.hpp"

namespace trellis::io {

// Of a file whose addresses and lengths have 8 bytes: the `count` texts of an attribute of the object whose header is
// at this address; addresses count from `base` bytes on. Throws Error naming `where` if what leads to a text is
// damaged, and if the attribute is not in the object's header itself.
std::vector<std::string> variable_texts(const InputFile& file, std::uint64_t base, std::uint64_t header,
                                        const std::string& attribute, std::size_t count, const std::string& where);

}  // namespace trellis::io

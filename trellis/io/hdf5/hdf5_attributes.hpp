// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is read of the header of an object in an HDF5 file without the library, which crashes where it is damaged (seen
// in 1.10.8): it trusts the lengths of texts, frees what it never had where the list of an object's attributes has one
// that it cannot read, and divides by extents of chunks that are 0. Attributes are messages in the header of their
// object; one of texts of variable length has, for each, a length and the place of an object in a global heap (HDF5
// File Format Specification 3.0, III.E, IV.A.2.m and IV.A.2.v).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trellis/io/input_file.hpp"

namespace trellis::io {

// Of a file whose addresses and lengths have 8 bytes: the `count` texts of an attribute of the object whose header is
// at this address; addresses count from `base` bytes on. Throws Error naming `where` if what leads to a text is
// damaged, and if the attribute is not in the object's header itself.
std::vector<std::string> variable_texts(const InputFile& file, std::uint64_t base, std::uint64_t header,
                                        const std::string& attribute, std::size_t count, const std::string& where);

// The names of all attributes of that object; nothing if it keeps some of them elsewhere. Throws Error naming `where`
// if its header is damaged.
std::optional<std::vector<std::string>> attribute_names(const InputFile& file, std::uint64_t base, std::uint64_t header,
                                                        const std::string& where);

// Throws Error naming `where` if that header has what the library opens without care: chunks that are empty or do not
// have the dimensions of their array, two descriptions of one thing, messages that are shared with other objects.
void require_header(const InputFile& file, std::uint64_t base, std::uint64_t header, const std::string& where);

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links of a lattice as the bytes of a file, with three rows per matrix, taken from their source so that
// it may change while they are written. The same for other numbers at its sites.
//
// Takes 8 bytes per number of this rank's sites (576 for the links of a site) in double precision, 4 in single, and
// some 40 MiB more while packing on several ranks. Links are encoded and their checksums computed by all threads; on
// several ranks they are handed to the ranks that write them (comm/parallel_file.hpp), so all ranks must call it
// together. Throws Error on all ranks if a number is not finite in this precision.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/field_links.hpp"

namespace trellis::io {

struct PackedLinks {
  struct Piece {
    std::uint64_t offset = 0;  // from the first byte of all links
    std::size_t size = 0;
    std::unique_ptr<std::byte[]> data;
    std::span<const std::byte> bytes() const { return {data.get(), size}; }
  };

  comm::Communicator ranks;
  Coordinate size{};
  Precision precision = Precision::double_;
  ScidacChecksum checksum;    // of all links
  std::vector<Piece> pieces;  // those that this rank writes
};

// used_before: pieces of earlier links that nobody needs any more. Their memory is used again if it fits: touching new
// memory costs a third of the time.
PackedLinks pack_links(const FieldLinks& links, Precision precision, std::vector<PackedLinks::Piece> used_before = {},
                       ByteOrder order = ByteOrder::big);

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Encodes the links of a LinkSource as bytes of a file, piece by piece.

#include <cstddef>
#include <functional>
#include <span>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/io/loops.hpp"

namespace trellis::io {

struct LinkCoding {
  Coordinate size{};
  Precision precision = Precision::double_;
  ByteOrder byte_order = ByteOrder::big;
  int rows = 3;

  std::size_t site_bytes() const { return link_bytes(1, rows, precision); }
};

// The number in the complete lattice of a site with this number in the block.
std::int64_t site_in_lattice(const comm::Block& block, std::int64_t site);

// Throws the Error for a link that cannot be written; the site's number is that in the complete lattice.
[[noreturn]] void fail_not_finite(std::int64_t site, int mu);

// Calls sink(first site, bytes of complete sites) for consecutive pieces of about 9 MiB, one after another, in a thread
// of its own, while the next piece is encoded by all others. The source is called by this thread. Throws Error if a
// link is not finite in the file's precision, and what the sink throws.
void encode_links(const LinkCoding& coding, const LinkSource& source,
                  const std::function<void(std::int64_t, std::span<const std::byte>)>& sink);

// Encodes consecutive sites starting at `first`, as many as fill `out`.
void encode_sites(const LinkCoding& coding, const LinkSource& source, std::int64_t first, std::span<std::byte> out);

// The source as a reader of the file will see it: rounded to the precision, with the third row rebuilt.
LinkSource as_stored(const LinkCoding& coding, const LinkSource& source);

}  // namespace trellis::io

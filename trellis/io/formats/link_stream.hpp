// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Encodes the links of a LinkSource as bytes of a file, piece by piece.

#include <cstddef>
#include <span>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/io/formats/passing_on.hpp"
#include "trellis/io/loops.hpp"

namespace trellis::io {

struct LinkCoding {
  Coordinate size{};
  Precision precision = Precision::double_;
  ByteOrder byte_order = ByteOrder::big;
  int rows = 3;

  std::size_t site_bytes() const { return link_bytes(1, rows, precision); }
  bool keeps_numbers() const { return rows == 3 && precision == Precision::double_; }
};

// The number in the complete lattice of a site with this number in the block.
std::int64_t site_in_lattice(const comm::Block& block, std::int64_t site);

// Throws the Error for a link that cannot be written; the site's number is that in the complete lattice.
[[noreturn]] void fail_not_finite(std::int64_t site, int mu);

// Passes on the bytes of all sites in pieces of about 9 MiB. The source is called by this thread. Throws Error if a
// link is not finite in the file's precision, and what the sink throws.
void encode_links(const LinkCoding& coding, const LinkSource& source, const PassingOn::Sink& sink);

// The same, and the loops of the links as a reader of the file will see them (as_stored below), with three time slices
// in memory. Each link is requested once.
Loops encode_and_measure(const LinkCoding& coding, const LinkSource& source, const PassingOn::Sink& sink);

// The source as a reader of the file will see it: rounded to the precision, with the third row rebuilt.
LinkSource as_stored(const LinkCoding& coding, const LinkSource& source);

}  // namespace trellis::io

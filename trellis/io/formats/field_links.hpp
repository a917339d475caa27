// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links of a lattice that ranks share, each a block of it, for those who write files.

#include <cstddef>
#include <functional>
#include <span>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/io/formats/link_stream.hpp"

namespace trellis::io {

struct FieldLinks {
  comm::Communicator ranks;
  comm::Block own;
  // Of this rank's sites, which are numbered as those of a lattice of own.extents. One rank's block is the whole, and
  // these are the lattice's own numbers.
  LinkSource source;

  // This rank's coding of its own block.
  LinkCoding coding(Precision precision, ByteOrder order, int rows) const;
};

// Calls f(number of its first site in the rank's own numbering, box) for boxes that together are the block, each at
// most some 8 MiB of links: whole slices in t, or of one slice whole planes in z. As many boxes on all ranks whose
// blocks have the same extents.
void for_each_box(const comm::Block& own, const std::function<void(std::int64_t, const comm::Block&)>& f);

// Calls f(lexicographic number in the whole lattice, number in the box) for the first site of each row in x.
void for_each_row(const comm::Block& box, const std::function<void(std::int64_t, std::int64_t)>& f);

// f(source) on the first rank, where source gives links of the whole lattice, which the others send. What f throws all
// throw. Memory: 2048 sites of each rank beside what f asks for.
void with_all_links(const FieldLinks& links, const std::function<void(const LinkSource&)>& f);

}  // namespace trellis::io

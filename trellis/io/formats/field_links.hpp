// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links of a lattice, or other numbers at its sites, distributed over ranks, each with a block of it, for writing
// files.

#include <cstddef>
#include <functional>
#include <span>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/io/formats/link_stream.hpp"

namespace trellis::io {

// Numbers at the sites of a lattice, in files' order.
struct SiteNumbers {
  comm::Communicator ranks;
  comm::Block own;
  // source(first, out): those of this rank's sites from `first` on, as many as fill `out`; sites are numbered as in a
  // lattice of own.extents. With one rank the block is the complete lattice, with its usual numbering. Several threads
  // may call it at the same time.
  LinkSource source;
  int reals = 72;  // of a site
};

using FieldLinks = SiteNumbers;  // with the 72 numbers of four links

// Calls f(number of its first site in the rank's own numbering, box) for boxes that together make up the block, each
// with at most some 8 MiB of links: complete slices in t, or complete planes in z of one slice. Ranks whose blocks have
// the same extents have the same number of boxes.
void for_each_box(const comm::Block& own, const std::function<void(std::int64_t, const comm::Block&)>& f);

// f(source) on the first rank, where source gives links of the complete lattice, sent by the other ranks. If f throws,
// all ranks throw. Memory: 16384 sites of each rank in addition to what f requests.
void with_all_links(const FieldLinks& links, const std::function<void(const LinkSource&)>& f);

}  // namespace trellis::io

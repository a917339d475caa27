// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What goes in messages of a halo: numbers of a field, for some ghosts at a time.

#include <cstddef>
#include <cstdint>

namespace trellis {

// Some ghosts of one way, and where their numbers come from. Whole tiles, or single sites (tile * lanes + lane).
struct HaloJob {
  const std::int32_t *own, *ghosts;
  std::int64_t count;
  bool whole_tiles;
  int lanes;
  int origin;         // the tile that the field begins with
  int way;            // 0..7: the face beyond which the ghosts are, as steps are numbered
  std::byte* buffer;  // of a message
};
struct HaloJobs;  // some of them, for one kernel (halo_jobs.hpp)

// Numbers of a field: [tile][word][lane], words of `word` bytes (16 at most); tile 0 is the first of the lattice or of
// the parity, as the exchange is. pack() writes sent_words of each site of a job to the buffer, unpack() reads them.
struct HaloPart {
  std::byte* data;
  int word, words;
  int sent_words;
  void (*pack)(const HaloPart&, const HaloJobs&);
  void (*unpack)(const HaloPart&, const HaloJobs&);
  int option = 0;  // whatever these two like
};
// Numbers as they are.
HaloPart plain_part(void* data, int word, int words);

}  // namespace trellis

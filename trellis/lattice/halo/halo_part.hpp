// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The content of halo messages: numbers of a field, for some ghosts at a time.

#include <cstddef>
#include <cstdint>

namespace trellis {

// Some ghosts of one way, and where their numbers come from. Complete tiles, or single sites (tile * lanes + lane).
struct HaloJob {
  const std::int32_t *own, *ghosts;
  std::int64_t count;
  bool whole_tiles;
  int lanes;
  int origin;         // the first tile of the field
  int way;            // 0..7: the face beyond which the ghosts are, numbered like steps
  std::byte* buffer;  // of a message
};
struct HaloJobs;  // several, for one kernel (halo_jobs.hpp)

// Numbers of a field: [tile][word][lane], words of `word` bytes (16 at most); tile 0 is the first of the lattice, or of
// the parity if the exchange is for one. pack() writes sent_words of each site of a job to the buffer, unpack() reads
// them.
struct HaloPart {
  std::byte* data;
  int word, words;
  int sent_words;
  void (*pack)(const HaloPart&, const HaloJobs&);
  void (*unpack)(const HaloPart&, const HaloJobs&);
  int option = 0;  // for these two to interpret
};
// Numbers sent unchanged.
HaloPart plain_part(void* data, int word, int words);

}  // namespace trellis

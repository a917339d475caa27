// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How ranks share the work of reading or writing a field of the lattice. Rows of sites (one y, z, t) are counted as
// they are in the file. Some ranks, the writers, have a range of rows each: that is one piece of the file, however
// small the pieces of the ranks' blocks are in it. The rows that a block has in a range follow one another in the
// block, so that what a rank sends to a writer is one piece of its memory, too.

#include <cstdint>
#include <vector>

#include "trellis/comm/parallel_file.hpp"

namespace trellis::comm::detail {

struct Rows {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t count() const { return end - begin; }
};

inline std::uint64_t rows_of(const Coordinate& extents) {
  return std::uint64_t(extents[1]) * std::uint64_t(extents[2]) * std::uint64_t(extents[3]);
}

// How many of a block's rows come before a row of the lattice.
std::uint64_t rows_before(const Block& block, std::uint64_t row);

// Of the block's rows, as the block counts them, those in a range of the lattice's.
inline Rows rows_in(const Block& block, const Rows& range) {
  return {rows_before(block, range.begin), rows_before(block, range.end)};
}

// The lattice's row of a block's.
std::uint64_t row_of_lattice(const Block& block, std::uint64_t row);

// Which ranks write, and what: in each round a range of rows a rank, empty for those that do not write in it. A writer
// has at most `largest` bytes (or one row) a round, and no fewer than `smallest` while ranks remain that write nothing.
class Rounds {
 public:
  Rounds(std::uint64_t rows, std::uint64_t bytes_a_row, int ranks, std::uint64_t smallest, std::uint64_t largest);
  std::uint64_t count() const { return count_; }
  Rows rows(std::uint64_t round, int rank) const;
  // Ranks that write, in order of their rows.
  const std::vector<int>& writers() const { return writers_; }

 private:
  std::uint64_t rows_, rows_a_writer_, count_;
  std::vector<int> writers_, writer_number_;
};

}  // namespace trellis::comm::detail

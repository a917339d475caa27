// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How ranks share the work of reading or writing a field of the lattice. Rows of sites (fixed y, z, t) are numbered as
// in the file. Some ranks, the writers, have a range of rows each: one contiguous piece of the file, however small the
// pieces of the ranks' blocks are in it. The rows that a block has in a range are consecutive in the block, so what a
// rank sends to a writer is contiguous in its memory, too.

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

// The number of a block's rows that come before a row of the lattice.
std::uint64_t rows_before(const Block& block, std::uint64_t row);

// The block's rows, in its own numbering, that are in a range of the lattice's rows.
inline Rows rows_in(const Block& block, const Rows& range) {
  return {rows_before(block, range.begin), rows_before(block, range.end)};
}

// The lattice's number of a block's row.
std::uint64_t row_of_lattice(const Block& block, std::uint64_t row);

// Which ranks write, and what: in each round a range of rows per rank, empty for those that do not write in it. A
// writer has at most `largest` bytes (or one row) per round, and at least `smallest` while there are ranks that write
// nothing.
class Rounds {
 public:
  Rounds(std::uint64_t rows, std::uint64_t bytes_per_row, int ranks, std::uint64_t smallest, std::uint64_t largest);
  std::uint64_t count() const { return count_; }
  Rows rows(std::uint64_t round, int rank) const;
  // The ranks that write, in order of their rows.
  const std::vector<int>& writers() const { return writers_; }

 private:
  std::uint64_t rows_, rows_a_writer_, count_;
  std::vector<int> writers_, writer_number_;
};

}  // namespace trellis::comm::detail

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/detail/rows.hpp"

#include <algorithm>

namespace trellis::comm::detail {

std::uint64_t rows_before(const Block& block, std::uint64_t row) {
  const auto extent = [&](std::size_t mu) { return std::uint64_t(block.lattice[mu]); };
  const std::uint64_t at[] = {0, row % extent(1), row / extent(1) % extent(2), row / extent(1) / extent(2)};
  std::uint64_t before = 0, rows = rows_of(block.extents);
  for (std::size_t mu = 3; mu >= 1; --mu) {
    const auto begin = std::uint64_t(block.origin[mu]), length = std::uint64_t(block.extents[mu]);
    rows /= length;
    if (at[mu] < begin) return before;
    if (at[mu] >= begin + length) return before + length * rows;
    before += (at[mu] - begin) * rows;
  }
  return before;
}

std::uint64_t row_of_lattice(const Block& block, std::uint64_t row) {
  std::uint64_t of_lattice = 0, stride = 1;
  for (std::size_t mu = 1; mu < 4; ++mu) {
    const auto length = std::uint64_t(block.extents[mu]);
    of_lattice += (std::uint64_t(block.origin[mu]) + row % length) * stride;
    row /= length;
    stride *= std::uint64_t(block.lattice[mu]);
  }
  return of_lattice;
}

Rounds::Rounds(std::uint64_t rows, std::uint64_t bytes_per_row, int ranks, std::uint64_t smallest,
               std::uint64_t largest)
    : rows_(rows), writer_number_(std::size_t(ranks), -1) {
  const auto writers = std::clamp<std::uint64_t>(rows * bytes_per_row / smallest, 1, std::uint64_t(ranks));
  const auto share = (rows + writers - 1) / writers;
  rows_a_writer_ = std::clamp<std::uint64_t>(largest / std::max<std::uint64_t>(bytes_per_row, 1), 1, share);
  count_ = (rows + writers * rows_a_writer_ - 1) / (writers * rows_a_writer_);
  // Spread over the ranks, and hence over the machines.
  for (std::uint64_t w = 0; w < writers; ++w) {
    writers_.push_back(int(w * std::uint64_t(ranks) / writers));
    writer_number_[std::size_t(writers_.back())] = int(w);
  }
}

Rows Rounds::rows(std::uint64_t round, int rank) const {
  const int writer = writer_number_[std::size_t(rank)];
  if (writer < 0) return {};
  const auto begin = (round * writers_.size() + std::uint64_t(writer)) * rows_a_writer_;
  return {std::min(begin, rows_), std::min(begin + rows_a_writer_, rows_)};
}

}  // namespace trellis::comm::detail

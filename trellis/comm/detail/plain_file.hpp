// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// ParallelFile for a single rank.

#include "trellis/comm/detail/ranks.hpp"

namespace trellis::comm::detail {

class PlainFile final : public SharedFile {
 public:
  PlainFile(const std::filesystem::path& path, bool write);
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  ~PlainFile() override;

  void read_at(std::uint64_t offset, std::span<std::byte> bytes) override;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void read_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                  std::span<std::byte> bytes) override;
  void write_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                   std::span<const std::byte> bytes) override;
  void sync() override;
  void close() override;
  void start_writing(std::uint64_t offset, std::uint64_t bytes) override;
  void start_reading_back(std::uint64_t offset, std::uint64_t bytes) override;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

// The contiguous runs of a block in a file: f(first site in the lattice, first site in the block, sites).
template <class F>
void for_each_run(const Block& block, const F& f) {
  // Directions that the block fills, starting with x, and the next one form one run.
  std::size_t whole = 0;
  std::uint64_t run = 1;
  while (whole < 3 && block.extents[whole] == block.lattice[whole]) run *= std::uint64_t(block.extents[whole++]);
  run *= std::uint64_t(block.extents[whole]);
  for (std::uint64_t done = 0; done < block.sites(); done += run) {
    std::uint64_t rest = done;
    std::array<std::uint64_t, 4> at{};
    for (std::size_t mu = 0; mu < 4; ++mu) {
      at[mu] = std::uint64_t(block.origin[mu]) + rest % std::uint64_t(block.extents[mu]);
      rest /= std::uint64_t(block.extents[mu]);
    }
    std::uint64_t site = 0;
    for (std::size_t mu = 4; mu-- > 0;) site = site * std::uint64_t(block.lattice[mu]) + at[mu];
    f(site, done, run);
  }
}

}  // namespace trellis::comm::detail

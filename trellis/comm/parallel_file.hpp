// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file that all ranks of a job read or write together. Each rank has it open, so its folder must be one that all
// machines of the job see.
//
//   auto file = ParallelFile::create(ranks, path, bytes);    all ranks, as open(), sync() and close()
//   if (ranks.is_first()) file.write_at(0, header);          each rank by itself
//   file.write_block(offset, 576, block, mine);              all ranks: a field of the lattice, each its own block
//   file.sync();
//   file.close();
//
// A block's bytes are as in the file: site by site, x fastest. Blocks may be of any extents, and of different ones;
// of a write no two have a site in common, and what is in none stays as it is. Beyond the caller's memory a block costs
// up to 64 MiB a rank, and every byte goes through one other rank at most, so that what is read or written at once is
// large. Throws Error naming the file; what all ranks call throws on all of them, what one calls by itself there alone.
// A file that goes without close() is closed.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "trellis/comm/communicator.hpp"
#include "trellis/comm/process_grid.hpp"

namespace trellis::comm {

// A rank's part of a lattice.
struct Block {
  Coordinate lattice, origin, extents;
  std::uint64_t sites() const {
    return std::uint64_t(extents[0]) * std::uint64_t(extents[1]) * std::uint64_t(extents[2]) *
           std::uint64_t(extents[3]);
  }
};

class ParallelFile {
 public:
  // To read.
  static ParallelFile open(const Communicator& ranks, const std::filesystem::path& path);
  // To write and read: of this many bytes, whose room on the disk is reserved where the file system can, so that a full
  // disk is an error here. What the file held is gone.
  static ParallelFile create(const Communicator& ranks, const std::filesystem::path& path, std::uint64_t bytes);

  ParallelFile(ParallelFile&&) noexcept;
  ParallelFile& operator=(ParallelFile&&) noexcept;
  ~ParallelFile();

  const std::filesystem::path& path() const;
  std::uint64_t bytes() const;

  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  // The lattice's field begins at `offset`.
  void read_block(std::uint64_t offset, std::size_t bytes_a_site, const Block& block, std::span<std::byte> bytes) const;
  void write_block(std::uint64_t offset, std::size_t bytes_a_site, const Block& block,
                   std::span<const std::byte> bytes);
  // What was written is on the disk, and all ranks read it.
  void sync();
  void close();

 private:
  struct State;
  explicit ParallelFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace trellis::comm

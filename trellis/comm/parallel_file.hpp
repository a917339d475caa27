// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file that all ranks of a job read or write together. Each rank opens it, so its folder must be visible on all
// machines of the job.
//
//   auto file = ParallelFile::create(ranks, path, bytes);    all ranks; also open(), sync() and close()
//   if (ranks.is_first()) file.write_at(0, header);          each rank independently
//   file.write_block(offset, 576, block, mine);              all ranks: a field of the lattice, each its own block
//   file.sync();
//   file.close();
//
// A block's bytes are as in the file: site by site, x fastest. Blocks may have any extents, also different ones; when
// writing, no two may share a site, and sites in none are left unchanged. Besides the caller's memory a block takes up
// to 64 MiB per rank, and every byte goes through at most one other rank, so that individual reads and writes are
// large. Throws Error naming the file: calls by all ranks throw on all of them, other calls only on the calling rank.
// The destructor closes a file that was not closed.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
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

// Takes a contiguous piece of a field as it is in a file; `offset` is relative to the field.
using KeepPiece = std::function<void(std::uint64_t offset, std::span<const std::byte> bytes)>;

// What ParallelFile::write_block does before it writes: the blocks' bytes are handed to the ranks that write them. All
// ranks call it together, and keep() is called for each piece of this rank; if it throws, all ranks throw.
void hand_out_block(const Communicator& ranks, std::size_t bytes_per_site, const Block& block,
                    std::span<const std::byte> bytes, const KeepPiece& keep);

class ParallelFile {
 public:
  // For reading.
  static ParallelFile open(const Communicator& ranks, const std::filesystem::path& path);
  // For writing and reading: a file of this many bytes, for which disk space is reserved if the file system can do
  // that, so that a full disk is an error here. Previous content is lost.
  static ParallelFile create(const Communicator& ranks, const std::filesystem::path& path, std::uint64_t bytes);

  ParallelFile(ParallelFile&&) noexcept;
  ParallelFile& operator=(ParallelFile&&) noexcept;
  ~ParallelFile();

  const std::filesystem::path& path() const;
  std::uint64_t bytes() const;

  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  // The lattice's field begins at `offset`.
  void read_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                  std::span<std::byte> bytes) const;
  void write_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                   std::span<const std::byte> bytes);
  // Afterwards everything written is on the disk and visible to all ranks.
  void sync();
  void close();

 private:
  struct State;
  explicit ParallelFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace trellis::comm

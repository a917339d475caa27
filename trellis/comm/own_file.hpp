// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// An existing file into which this rank writes its part. A call concerns no other rank and uses no MPI, so any thread
// may make it, one at a time; the watchdog (session.hpp) covers each. Throws Error naming the file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "trellis/comm/communicator.hpp"

namespace trellis::comm {

namespace detail {
class SharedFile;
}

class OwnFile {
 public:
  OwnFile(const Communicator& ranks, const std::filesystem::path& path);
  OwnFile(OwnFile&&) noexcept;
  ~OwnFile();

  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  // Begins to move these bytes to the disk, without waiting.
  void start_writing(std::uint64_t offset, std::uint64_t bytes);
  // Waits until they are there, drops the system's copy in memory, and begins to read them again: read_at then has what
  // is on the disk, if the system allows.
  void start_reading_back(std::uint64_t offset, std::uint64_t bytes);
  void sync();
  void close();

 private:
  std::unique_ptr<detail::SharedFile> file_;
};

}  // namespace trellis::comm

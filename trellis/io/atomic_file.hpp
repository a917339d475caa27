// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file that appears completely or not at all: write to a temporary file, sync, read back, rename.
//
// Bytes go to "<target>.part" beside the target, in pieces of 8 MiB, each of which is sent to the disk at once, and
// read back and compared by its CRC-32 while later ones are on their way. commit() syncs the file, reads back the rest,
// renames the file to its target in one step and syncs the folder. Until then the target, if it exists, is untouched;
// without commit() the destructor removes the part file. A killed process leaves a ".part" file, which the next writer
// of the same target takes over. A lock on it prevents a second process from writing the same target at the same time.
//
// Code that writes by other means, several processes together, opens temporary(); then commit() has no CRC to compare.
//
// Throws trellis::Error, naming the file, if it cannot be created (no such folder, no permission, locked) or written
// (disk full), or if it reads back differently. Cost: one extra read of the file.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace trellis::io {

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // Appends; throws if the disk is full.
  void write(std::span<const std::byte> data);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  // Leaves room for what is only known later, before anything is written; fill_room() writes it: as many bytes.
  void leave_room(std::size_t bytes);
  void fill_room(std::span<const std::byte> data);
  void fill_room(std::string_view text) { fill_room(std::as_bytes(std::span(text))); }

  // Drops the lock, so that other processes can write to temporary(): on network file systems it would keep them out.
  void share();
  // Reserves disk space for a file of this many bytes if the file system can do that, so that a full disk is an error
  // here.
  void reserve(std::uint64_t bytes);

  const std::filesystem::path& target() const { return target_; }
  const std::filesystem::path& temporary() const { return temporary_; }
  // Bytes handed to write() so far, and those of the room that was left.
  std::uint64_t bytes() const { return bytes_; }

  // `check`, if given, is called with the name of the finished part file; if it throws, the target stays as it was.
  void commit(const std::function<void(const std::filesystem::path& written)>& check = {});

 private:
  struct Piece {
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
    std::uint32_t crc = 0;
  };

  void append(std::span<const std::byte> data);
  void read_back(std::size_t to_disk, std::size_t from_disk);  // all but so many pieces
  void require_as_written(const Piece& piece);
  void read_back_all();

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  bool committed_ = false;
  std::uint64_t bytes_ = 0;
  std::size_t room_ = 0;            // that is not filled
  Piece now_;                       // the last, which is not complete
  std::deque<Piece> on_their_way_;  // written, but not yet requested from the disk
  std::deque<Piece> coming_back_;   // requested, but not compared
  std::vector<std::byte> read_;
};

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that a thread of their own writes while the program goes on.
//
//   FilesUnderWay files(ranks);                       all ranks, also for the calls below
//   files.start(path, bytes, check, when_there);      creates "<path>.part" and returns
//   files.look();                                     now and then: puts in place what all ranks have written
//   files.finish();                                   waits, and puts in place what is left
//
// A file gets its name as AtomicFile gives it, and not before the bytes of all ranks are on the disk and were read back
// from there: until then the target, if it exists, is untouched, and a killed process leaves only the part file. Files
// are written and get their names one after another, in the order in which they were started. The thread only writes,
// reads and syncs; everything else, collectives among it, happens inside the calls above.
//
// start() throws Error on all ranks if the file cannot be created, or the disk lacks the space for it (where file
// systems can reserve space). look() and finish() throw on all ranks, naming the file, if a rank could not write it, or
// if it reads back differently; this file and those after it are then given up. Without finish() the destructor gives
// up what is left. Memory: the bytes handed in, until their file is in place, and 8 MiB.
//
// Written parts are read back while later ones are still being written: a disk that reads while it writes does not take
// longer.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "trellis/comm/communicator.hpp"

namespace trellis::io {

// What this rank writes of a file.
struct FileBytes {
  struct Part {
    std::uint64_t offset = 0;
    std::span<const std::byte> bytes;
  };
  std::uint64_t size = 0;  // of the complete file
  std::vector<Part> parts;
  std::shared_ptr<const void> owner;  // keeps the parts alive
};

class FilesUnderWay {
 public:
  explicit FilesUnderWay(const comm::Communicator& ranks = {});
  FilesUnderWay(const FilesUnderWay&) = delete;
  FilesUnderWay& operator=(const FilesUnderWay&) = delete;
  ~FilesUnderWay();

  // check, if given, is called on the first rank with the name of the finished file before that gets its own; if it
  // throws, the target stays as it was. when_there, if given, is called on all ranks once the file is in place.
  void start(const std::filesystem::path& path, FileBytes bytes,
             const std::function<void(const std::filesystem::path& written)>& check = {},
             const std::function<void()>& when_there = {});
  // Does not wait for the disk; one collective if there are files.
  void look();
  void finish();

  bool empty() const;
  // How long finish() has waited so far, and the longest time from a start() until its file was written, in seconds;
  // each rank's own.
  double waited_seconds() const;
  double longest_seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trellis::io

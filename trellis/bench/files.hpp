// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How fast configurations are written and read, compared with the same disk in the same rounds: a round writes a file
// of the same length plainly, saves a configuration, reads the file plainly, and loads the configuration; files are
// dropped from the system's memory before they are read. Saving ends when the file has its name: encoded, checksummed,
// written, synced and read back. ILDG files are saved as a run does; taking is the part for which a chain waits, when
// no other file is under way. Others are saved as by `trellis convert`, from links in memory, without reading them a
// second time link by link.
//
// By all ranks of the grid together; the first writes and reads plainly, alone. Memory: the field and two copies of the
// file. Disk: two files in `folder`, which are removed. Throws InputError if the folder cannot be written or the
// format does not know the precision, Error if the disk is full.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "trellis/comm/process_grid.hpp"
#include "trellis/core/base/precision.hpp"

namespace trellis::bench {

struct FileTimes {
  std::uint64_t bytes = 0;  // of the file
  // Seconds, one entry per round.
  std::vector<double> plain_write, save, take, plain_read, load;  // take: empty unless ILDG
};

struct FileKind {
  std::string format = "ildg";  // one that is written (io/formats/file_formats.hpp)
  Precision precision = Precision::double_;
};

// A hot start on this lattice, in double precision with `lanes` lanes. stop: asked on every rank before each round; no
// further one begins if it says so on one of them.
FileTimes time_files(const Coordinate& size, int lanes, const FileKind& kind, const std::filesystem::path& folder,
                     int rounds, const comm::ProcessGrid& grid = {}, const std::function<bool()>& stop = {});

}  // namespace trellis::bench

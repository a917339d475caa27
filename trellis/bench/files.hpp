// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How fast configurations are written and read, compared with the same disk in the same rounds: a round writes a file
// of the same length plainly, saves a configuration as a run does, reads the file plainly, and loads the configuration;
// files are dropped from the system's memory before they are read. Saving ends when the file has its name: encoded,
// checksummed, written, synced and read back; taking is the part for which a chain waits, when no other file is under
// way.
//
// Memory: the field and two copies of the file. Disk: two files in `folder`, which are removed. Throws InputError if
// the folder cannot be written, Error if the disk is full.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "trellis/comm/coordinate.hpp"
#include "trellis/core/base/precision.hpp"

namespace trellis::bench {

struct FileTimes {
  std::uint64_t bytes = 0;  // of the file
  // Seconds, one entry per round.
  std::vector<double> plain_write, save, take, plain_read, load;
};

// A hot start on this lattice, in double precision with `lanes` lanes, in files of this precision.
FileTimes time_files(const Coordinate& size, int lanes, Precision precision, const std::filesystem::path& folder,
                     int rounds);

}  // namespace trellis::bench

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a configuration of `trellis run` and its records say, for its metadata.

#include <filesystem>

#include "trellis/app/metadata/qcdml.hpp"

namespace trellis::app {

struct PublishedConfiguration {
  std::filesystem::path file;
  std::string lfn;  // in the file's own record ildg-data-lfn
  RunInput input;
  ConfigurationMetadata metadata;
};

// Reads all of it: checksums, links and plaquette are checked, the POSIX checksum is computed. Throws InputError for a
// file that is not sound, was not saved by a run or is of a replica with a defect, and if the date of the program is
// neither given nor known.
PublishedConfiguration read_configuration(const std::filesystem::path& file, const Publication& publication);

// InputError, naming the first key, if the chains of both sample different ensembles.
void require_same_ensemble(const PublishedConfiguration& first, const PublishedConfiguration& other);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether all ranks of a job see the folder of results that the first one sees: all of them write links there. A folder
// on a disk of one machine, or ranks that were started in different folders, would otherwise be found at the first
// file.

#include <filesystem>
#include <string>
#include <vector>

#include "trellis/comm/communicator.hpp"

namespace trellis::app {

// As far as it can be seen without writing anything, before work starts: the folder, or as much of its path, must exist
// on all ranks, and for those of one machine be the same. Throws InputError on all ranks.
void require_shared_folder(const comm::Communicator& ranks, const std::filesystem::path& directory);

// The same for a lock (results/folder_lock.hpp) that the first rank has just taken: all must read what it says. Network
// file systems may take a minute until they show a new file elsewhere; that is waited for in both.
void require_lock_is_seen(const comm::Communicator& ranks, const std::filesystem::path& lock);

// The decision of require_shared_folder(), for tests.
struct FolderView {
  std::string machine;
  std::string missing;   // the end of the path that does not exist
  std::string identity;  // of what exists, on this machine
};
// Empty if all see the same; else what the first rank that does not sees.
std::string folder_problem(const std::vector<FolderView>& ranks, const std::filesystem::path& directory);

}  // namespace trellis::app

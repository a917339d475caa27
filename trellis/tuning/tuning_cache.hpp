// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tunings, kept in a file between runs. An entry belongs to one machine (processor.hpp) and one case; those of other
// machines and versions stay in the file and are not used. The file is
//   ${TRELLIS_TUNING_CACHE}, or ${XDG_CACHE_HOME}/trellis/tuning.json, or ~/.cache/trellis/tuning.json:
//   {"format": "trellis tuning", "version": 1, "entries": [{"machine": ..., "checksum": ..., ...}, ...]}
// where a checksum is the CRC-32 of the entry's other members as nlohmann::json::dump() writes them.
//
// A cache is never trusted: a file or an entry that is damaged, or has impossible values, is ignored with a warning,
// and is dropped by the next store(). The file is written under a temporary name and renamed, under a lock, so that if
// two processes write at the same time both keep their entries. Reading throws nothing; store() and clear() throw Error
// if the file cannot be written, or is locked for ten seconds.

#include <filesystem>
#include <optional>
#include <vector>

#include "trellis/tuning/tuning.hpp"

namespace trellis::tuning {

struct TuningEntry {
  std::string machine;
  TuningCase what;
  KernelTuning how;
  std::string date;  // "2026-11-21"
};

// Empty if the environment does not determine a place.
std::filesystem::path tuning_cache_file();

class TuningCache {
 public:
  explicit TuningCache(std::filesystem::path file = tuning_cache_file()) : file_(std::move(file)) {}

  const std::filesystem::path& file() const { return file_; }
  // All valid entries, of all machines.
  std::vector<TuningEntry> entries() const;
  // The entry of this machine, if there is one.
  std::optional<KernelTuning> find(const TuningCase& what) const;
  // Replaces an entry of the same machine and case.
  void store(const TuningEntry& entry) const;
  void store(const TuningCase& what, const KernelTuning& how) const;
  // Deletes all entries, of all machines; returns how many were valid.
  int clear() const;

 private:
  std::filesystem::path file_;
};

// The tuned settings for this case, otherwise the defaults. Reads the cache, times nothing, throws nothing.
KernelTuning tuned_or_default(const TuningCase& what);

}  // namespace trellis::tuning

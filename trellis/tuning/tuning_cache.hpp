// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tunings, kept in a file between runs. An entry is of one machine (processor.hpp) and one case; those of other
// machines and versions stay in the file and are not used. The file is
//   ${TRELLIS_TUNING_CACHE}, or ${XDG_CACHE_HOME}/trellis/tuning.json, or ~/.cache/trellis/tuning.json:
//   {"format": "trellis tuning", "version": 1, "entries": [{"machine": ..., "checksum": ..., ...}, ...]}
// where a checksum is the CRC-32 of the entry's other members as nlohmann::json::dump() writes them.
//
// A cache is never trusted: a file or an entry that is damaged, or says what cannot be, is left out with a warning, and
// is gone after the next store(). It is written aside and renamed, under a lock, so that of two processes that write at
// once both keep their entries. Reading throws nothing; store() and clear() throw Error when the file cannot be
// written, or is locked for ten seconds.

#include <filesystem>
#include <optional>
#include <vector>

#include "trellis/tuning/tuning.hpp"

namespace trellis::tuning {

struct TuningEntry {
  std::string machine;
  TuningCase what;
  WilsonTuning how;
  std::string date;  // "2026-11-21"
};

// Empty where the environment names no place.
std::filesystem::path tuning_cache_file();

class TuningCache {
 public:
  explicit TuningCache(std::filesystem::path file = tuning_cache_file()) : file_(std::move(file)) {}

  const std::filesystem::path& file() const { return file_; }
  // All that are sound, of all machines.
  std::vector<TuningEntry> entries() const;
  // That of this machine, if there is one.
  std::optional<WilsonTuning> find(const TuningCase& what) const;
  // Takes the place of an entry of the same machine and case.
  void store(const TuningEntry& entry) const;
  void store(const TuningCase& what, const WilsonTuning& how) const;
  // Forgets all entries, of all machines; returns how many were sound.
  int clear() const;

 private:
  std::filesystem::path file_;
};

// What was tuned for this case, or else what is used without tuning. Reads the cache, times nothing, throws nothing.
WilsonTuning tuned_or_default(const TuningCase& what);

}  // namespace trellis::tuning

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `trellis reproduce` has to do: which part of which chain (or which measured files) made a file, from which state
// it is computed again, and what is compared afterwards. Nothing is written or computed here. For the first rank.
//
// The input comes from the file itself (the record trellis-input of a configuration or checkpoint, the attribute of an
// HDF5 file) or from NAME.resolved.toml beside it. For a configuration or checkpoint, the chain begins from the latest
// state before it: a checkpoint, or a configuration in double precision, that has the same input, from the folder of
// the file or the one given. If there is none, and for other results unless a folder or state is given, it begins from
// the start. Bits depend neither on the machine nor on the number of ranks (docs/design.md), so none of [machine] is
// kept.

#include <filesystem>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/reproduce/compare_results.hpp"
#include "trellis/app/results/run_folder.hpp"

namespace trellis::app {

struct ReproduceOptions {
  std::filesystem::path file;  // a configuration, a checkpoint, a result file, or a folder of results
  std::string from;            // "start", a state, or a folder with states; empty: the default above
  std::string name;            // of the run, where a folder holds several
  std::int64_t to = 0;         // the last trajectory or row; 0: all
  std::filesystem::path scratch;
  bool dry_run = false;
};

struct ReproducedFile {
  enum class Kind { links, checkpoint, table, arrays } kind = Kind::table;
  std::filesystem::path file;
  std::int64_t number = 0;  // of links: the trajectory that made them
  std::string ending = {};  // of the file's name, after that of the run
};

struct Reproduction {
  bool of_run = true;                  // or of measurements
  std::string made_by = {};            // "trellis 0.1.0"; empty if the file does not say
  std::int64_t after = 0;              // the state's trajectory, 0 for rows of measurements
  std::int64_t last = 0;               // the last trajectory or row
  std::filesystem::path state = {};    // empty: the start
  std::optional<double> seconds = {};  // that it took then
  std::vector<std::string> notes = {};
  std::vector<ReproducedFile> files = {};
  TomlEntries input = {};  // without [output]
  std::string what = {};   // "hybrid Monte Carlo of ...", "10 files"

  std::string text() const;  // for people: what will be done
};

// Throws InputError, naming the file, if it does not say how it was made, or if nothing could be computed again; Error
// if a file is damaged.
Reproduction plan_reproduction(const ReproduceOptions& options);

// The input that computes it again, with results in this folder, as TOML.
std::string reproducing_input(const Reproduction& plan, const std::filesystem::path& folder);

// The name that files of the repetition begin with.
inline constexpr const char* repetition = "again";

// Compares each file with that of the repetition, if both exist.
std::vector<FileComparison> compare(const Reproduction& plan, const std::filesystem::path& folder);

}  // namespace trellis::app

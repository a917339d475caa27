// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The folder of a run: the names of its files, and the small files written here. Its lock is in folder_lock.hpp.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/app/results/folder_lock.hpp"

namespace trellis::app {

struct RunFolder {
  std::filesystem::path directory;
  std::string name;  // the prefix of all file names

  std::filesystem::path file(std::string_view ending) const { return directory / (name + "." + std::string(ending)); }
  std::filesystem::path input() const { return file("resolved.toml"); }  // with every default explicit
  std::filesystem::path table() const { return file("csv"); }            // one row per trajectory, or per file measured
  std::filesystem::path flow() const { return file("flow.h5"); }         // curves of the gradient flow
  // What the columns of all tables mean (table_descriptions.hpp).
  std::filesystem::path table_descriptions() const { return file("csv-metadata.json"); }
  std::filesystem::path kernels() const { return directory / (name + "-kernels.csv"); }  // timings of the last call
  // Tables beside the first (side_tables.hpp).
  std::filesystem::path quarks() const { return directory / (name + "-quarks.csv"); }
  std::filesystem::path slices() const { return directory / (name + "-slices.csv"); }
  std::filesystem::path smoothing(const std::string& which) const { return directory / (name + "-" + which + ".csv"); }
  std::filesystem::path wilson_loops() const { return directory / (name + "-wilson-loops.csv"); }
  std::filesystem::path glueballs() const { return directory / (name + "-glueballs.csv"); }
  std::filesystem::path eigenvalues() const { return directory / (name + "-eigenvalues.csv"); }
  std::filesystem::path hadrons() const { return directory / (name + "-hadrons.csv"); }
  std::filesystem::path three_point() const { return directory / (name + "-three-point.csv"); }
  std::filesystem::path hadron_file() const { return file("hadrons.h5"); }  // all correlators
  std::filesystem::path effective_masses() const { return directory / (name + "-effective-mass.csv"); }
  std::filesystem::path staggered_hadrons() const { return directory / (name + "-staggered-hadrons.csv"); }
  std::filesystem::path staggered_hadron_file() const { return file("staggered-hadrons.h5"); }
  std::filesystem::path staggered_masses() const { return directory / (name + "-staggered-effective-mass.csv"); }
  std::filesystem::path checkpoint() const { return file("checkpoint"); }
  std::filesystem::path previous_checkpoint() const { return file("previous.checkpoint"); }
  std::filesystem::path unused_checkpoint() const { return file("unused.checkpoint"); }  // set aside: damaged, ...
  std::filesystem::path plot() const { return file("svg"); }
  std::filesystem::path log() const { return file("log"); }
  std::filesystem::path lock() const { return file("lock"); }
  std::filesystem::path configuration(std::int64_t trajectory) const;  // "<name>.000100.ildg"
};

// The names of the runs and measurements in a folder, sorted; none if it cannot be read.
std::vector<std::string> run_names(const std::filesystem::path& directory);

// "trellis repair FOLDER", quoted for a shell; with the name if the folder holds several runs.
std::string repair_command(const RunFolder& folder, const std::string& program = "trellis");

// Removes "<name>*.part", which killed processes left; only for the holder of the folder's lock.
void remove_parts(const RunFolder& folder);

// Throws InputError unless files can be made in the folder, or the folder can be made. Changes nothing.
void require_writable(const std::filesystem::path& directory);
void require_writable(const char* key, const std::filesystem::path& directory);  // for a folder that `key` names

// Also makes the folders above it; InputError if that fails.
void make_folder(const std::filesystem::path& directory);
void make_folder(const char* key, const std::filesystem::path& directory);

// For a file that an option names and that will be written: InputError unless its folder exists and may be written, and
// it is a regular file or not there yet; links are followed. Does nothing for an empty name.
void require_output_file(const char* option, const std::string& file);

// Writes a text file (io::AtomicFile) unless it already holds that text. Links are followed.
void write_text_file(const std::filesystem::path& file, std::string_view text);

// The input with every default; the last line is a comment with the CRC-32 of the text above it.
void write_resolved_input(const RunFolder& folder, const std::string& toml);
// False if it is damaged or was edited. True for earlier versions, which had no such line.
bool resolved_input_is_whole(const RunFolder& folder);

// Appends lines "2026-01-31 12:00:00 text" to a file: when the run was started, on what machine, how it ended. It is
// not an error if a line cannot be written; a link is not followed.
void append_log(const std::filesystem::path& file, std::string_view text);
// The same in two steps: an entry with the present time, and adding it later.
std::string log_entry(std::string_view text);
void append_log_entry(const std::filesystem::path& file, const std::string& entry);

}  // namespace trellis::app

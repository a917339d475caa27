// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The folder of a run: names of its files, and what is written there by itself. Its lock is in folder_lock.hpp.

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "trellis/app/results/folder_lock.hpp"

namespace trellis::app {

struct RunFolder {
  std::filesystem::path directory;
  std::string name;  // begins the names of all files

  std::filesystem::path file(std::string_view ending) const { return directory / (name + "." + std::string(ending)); }
  std::filesystem::path input() const { return file("resolved.toml"); }  // with every default explicit
  std::filesystem::path table() const { return file("csv"); }            // a row a trajectory, or a file measured
  std::filesystem::path flow() const { return file("flow.h5"); }         // curves of the gradient flow
  std::filesystem::path kernels() const { return directory / (name + "-kernels.csv"); }  // times of the last call
  // Tables beside the first (side_tables.hpp).
  std::filesystem::path quarks() const { return directory / (name + "-quarks.csv"); }
  std::filesystem::path smoothing(const std::string& which) const { return directory / (name + "-" + which + ".csv"); }
  std::filesystem::path hadrons() const { return directory / (name + "-hadrons.csv"); }
  std::filesystem::path hadron_file() const { return file("hadrons.h5"); }  // all correlators
  std::filesystem::path effective_masses() const { return directory / (name + "-effective-mass.csv"); }
  std::filesystem::path checkpoint() const { return file("checkpoint"); }
  std::filesystem::path previous_checkpoint() const { return file("previous.checkpoint"); }
  std::filesystem::path unused_checkpoint() const { return file("unused.checkpoint"); }  // set aside: damaged, ...
  std::filesystem::path plot() const { return file("svg"); }
  std::filesystem::path log() const { return file("log"); }
  std::filesystem::path lock() const { return file("lock"); }
  std::filesystem::path configuration(std::int64_t trajectory) const;  // "<name>.000100.ildg"
};

// "trellis repair FOLDER", so that a shell takes it as it is; with the name where the folder holds several runs.
std::string repair_command(const RunFolder& folder, const std::string& program = "trellis");

// Removes "<name>*.part", which killed processes left; for who holds the folder's lock.
void remove_parts(const RunFolder& folder);

// Throws InputError unless files can be made in the folder, or the folder can be made. Changes nothing.
void require_writable(const std::filesystem::path& directory);

// With the folders above it; InputError when that cannot be done.
void make_folder(const std::filesystem::path& directory);

// Writes a text file (io::AtomicFile) unless it holds that text already.
void write_text_file(const std::filesystem::path& file, std::string_view text);

// The input with every default, and as last line, a comment, the CRC-32 of what is above it.
void write_resolved_input(const RunFolder& folder, const std::string& toml);
// False for one that is damaged, or was edited. Earlier versions had no such line: true.
bool resolved_input_is_whole(const RunFolder& folder);

// Lines "2026-01-31 12:00:00 text" at the end of a file: when the run was started, on what machine, how it ended. That
// a line cannot be written is not an error; a link is not followed.
void append_log(const std::filesystem::path& file, std::string_view text);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a gauge configuration file is and whether its claims are true, for `trellis inspect`.
//
// inspect() loads the links once (576 bytes per site) and recomputes checksums, plaquettes, link trace, unitarity and
// the boundary conditions that are folded into the links. It throws InputError only for files that cannot be read at
// all (as GaugeReader's constructor, and for truncation); anything else that is wrong becomes an entry of `problems`.

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/loops.hpp"

namespace trellis::io {

// A claim of the header or of a file beside it, compared with the data.
struct Comparison {
  std::string what;
  std::string claimed;     // as the header prints it
  std::string recomputed;  // in the header's convention
  bool agrees = false;     // to the last printed digit
  std::string source = "header";
  std::string advice = {};  // what to do if it does not agree; follows disagreement()
};

// Compares plaquettes and link trace stated in the header.
std::vector<Comparison> compare_loops(const GaugeFileInfo& info, const Loops& loops);
// "plaquette (PLAQUETTE) is 0.59, but the header says 0.61"
std::string disagreement(const Comparison& comparison);

struct Inspection {
  std::string path;
  GaugeFileInfo info;
  ChecksumReport report;
  Loops loops;
  LargeLoops large_loops;
  // What the program that wrote it says of how it was made, if the caller knows: keys and values.
  std::vector<std::pair<std::string, std::string>> origin = {};
  std::vector<Comparison> comparisons;
  // For each direction, from the determinants of the links that cross the boundary: "periodic", "antiperiodic (sign
  // folded into the links)", "open (links are zero)", or whatever is found.
  // In t also a Schroedinger functional, if ReadOptions::functional completed the file.
  std::array<std::string, 4> boundary;
  std::vector<std::string> problems;  // empty if the file is sound
  bool sound() const { return problems.empty(); }
};

// Uses options.size and options.tolerance; ignores strict.
Inspection inspect(const std::filesystem::path& path, const ReadOptions& options = {});

std::string to_text(const Inspection& inspection);
// One line, with its line break: name, format, lattice, precision, plaquette, rectangle, Polyakov loop, the trajectory
// if the origin says it, boundaries that are not periodic, whether damage was accepted, verdict or first problem.
std::string to_line(const Inspection& inspection);
nlohmann::ordered_json to_json(const Inspection& inspection);

}  // namespace trellis::io

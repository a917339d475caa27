// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The options of `trellis bench dslash`, checked before anything runs. `trellis tune` uses some of them.

#include <span>
#include <string>
#include <vector>

#include "trellis/bench/dslash.hpp"

namespace trellis::app {

struct DslashOptions {
  // Empty: the default sweep.
  std::vector<std::string> lattices = {}, precisions = {};
  std::vector<int> links = {}, right_hand_sides = {};
  std::string filling = "virtual-nodes", complex = "split", layout = "right", neighbours = "table", traversal = "flat",
              stores = "by-size";
  int lanes = 0, threads = 0;
  double seconds = 0.2;
  bool compare = false;
};

// One line of the table.
struct DslashRun {
  Coordinate size{};
  Precision precision = Precision::single;
  bench::study::WilsonVariant variant;  // lanes, links and stores too
  int vectors = 1;
  // The operators' own path, which is tuned; otherwise one of the study's variants.
  bool production = true;

  tuning::TuningCase tuning_case(int threads) const {
    return {.size = size,
            .precision = precision,
            .lanes = variant.lanes,
            .links = variant.links,
            .vectors = vectors,
            .threads = threads};
  }
};

// All lines to run, in order. Throws InputError for unknown words, values out of range, lattices that do not divide,
// combinations that are not compiled.
std::vector<DslashRun> dslash_runs(const DslashOptions& options);
// With --compare: the study's figures, scalar first.
std::vector<DslashRun> comparison_runs(const DslashOptions& options);

// These throw InputErrors whose message begins with `where`.
Precision parse_precision(const std::string& where, const std::string& word);
dirac::LinkFormat parse_links(const std::string& where, int reals);
void require_range(const std::string& where, const std::string& option, double value, double low, double high);

// "scalar", "virtual nodes", "right-hand sides"; "split", "interleaved"; "right", "left", "tiled".
std::string name_of(bench::study::Filling filling);
std::string name_of(bench::study::ComplexForm form);
std::string name_of(bench::study::SiteLayout layout);
std::string name_of(bench::study::NeighbourSource source);
std::string name_of(bench::study::Traversal traversal);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The options of `trellis bench dslash`, checked before anything runs. `trellis tune` uses some of them.
//
// An option that has no effect beside the others is an error that names both. What cannot be run is an error if it was
// asked for; in a default sweep or a comparison it is a line that says why (DslashRun::why_not).

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/bench/dslash.hpp"

namespace trellis::app {

std::string name_of(bench::study::ComplexForm form);  // "split" or "interleaved"

struct DslashOptions {
  // Empty: the default sweep.
  std::vector<std::string> lattices = {}, precisions = {};
  std::vector<int> links = {}, right_hand_sides = {};
  std::string filling = "virtual-nodes", complex = name_of(bench::study::form_of_operators), layout = "right",
              neighbours = "table", traversal = "flat", stores = "by-size",
              tile = fields_on_host ? "0,2,2,0" : "4,2,2,2";
  int lanes = 0, threads = 0, team_size = 0, least_blocks = 0;
  double seconds = 0.2;
  std::string against = {};  // a command
  int rounds = 3;
  bool compare = false, tune = false, no_tune = false, solvers = false;
  std::vector<std::string> given = {};  // flags on the command line: "--lanes"

  bool has(std::string_view flag) const { return std::find(given.begin(), given.end(), flag) != given.end(); }
};

// One line of the table.
struct DslashRun {
  Coordinate size{};
  Precision precision = Precision::single;
  bench::study::WilsonVariant variant;  // lanes, links and stores too
  int vectors = 1;
  // The operators' own path, which is tuned; otherwise one of the study's variants.
  bool production = true;
  std::string why_not = {};  // "" if it runs: "not compiled", for example

  tuning::TuningCase tuning_case(int threads) const {
    return {.size = size,
            .precision = precision,
            .lanes = variant.lanes,
            .links = variant.links,
            .vectors = vectors,
            .threads = threads};
  }
};

// All lines, in order, at least one of which runs. Throws InputError for unknown words, values out of range, lattices
// that do not divide, combinations that are not compiled, options without effect.
std::vector<DslashRun> dslash_runs(const DslashOptions& options);
// With --compare: the study's figures, scalar first.
std::vector<DslashRun> comparison_runs(const DslashOptions& options);

// What both build on: a line as the options say, without asking whether it can be run; and why it cannot, or "".
DslashRun dslash_run(const DslashOptions& options, const Coordinate& size, Precision precision, dirac::LinkFormat links,
                     int vectors);
std::string why_not_runnable(const DslashRun& run);
// Words, ranges and options that exclude one another.
void require_valid(const DslashOptions& options);
// Whether operators have these lanes.
bool has_lanes(Precision precision, int lanes);
// Whether that variant computes as operators do.
bool is_like_operators(const bench::study::WilsonVariant& variant);
// Prefetch distances of operators that are not tuned.
dirac::PrefetchDistances untuned_distances(const DslashRun& run);

// These throw InputErrors whose message begins with `where`.
Precision parse_precision(const std::string& where, const std::string& word);
dirac::LinkFormat parse_links(const std::string& where, int reals);
void require_range(const std::string& where, const std::string& option, double value, double low, double high);

// "scalar", "virtual nodes", "right-hand sides"; "split", "interleaved"; "right", "left", "tiled".
std::string name_of(bench::study::Filling filling);
std::string name_of(bench::study::SiteLayout layout);
std::string name_of(bench::study::NeighbourSource source);
std::string name_of(bench::study::Traversal traversal);

}  // namespace trellis::app

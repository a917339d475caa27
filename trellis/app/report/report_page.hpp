// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The page of `trellis report`: all that results contain, in one HTML file without scripts, with its pictures inside.
//
// Cost: that of `trellis analyse`, and as much again for the pictures.

#include <functional>
#include <string>

#include "trellis/app/analyse/analysis.hpp"

namespace trellis::app {

// What a run in progress adds.
struct LiveProgress {
  std::int64_t done = 0, total = 0;  // trajectories
  double seconds_each = 0;           // of a trajectory, measurements and files included; 0: none is done yet
  double seconds_left = 0;
};

struct ReportParameters {
  std::optional<std::int64_t> cut = {};  // as in read_results()
  std::string scale = {};                // as in AnalysisParameters
  std::string program = "trellis";       // in commands
  // Of a run in progress, whose page reloads itself every few seconds. Asked when all results have been read, so that
  // it is not older than they are.
  std::function<LiveProgress()> live = {};
};

// Throws as read_results() does: InputError for paths that are not results, Error for damaged files.
std::string report_page(const std::vector<std::filesystem::path>& results, const ReportParameters& parameters);

// The same page with nothing but this text, for a live run that has no results yet.
std::string waiting_page(const std::string& text, const LiveProgress& progress);

}  // namespace trellis::app

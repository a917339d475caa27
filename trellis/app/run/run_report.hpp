// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's table, for people: a summary in lines, and a plot of its history.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/hmc/trajectory.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {

// Where this call's time went, in seconds.
struct RunTimes {
  std::int64_t trajectories = 0;
  hmc::Profile profile;                        // summed
  std::map<std::string, double> force_solves;  // solves for the forces of terms, by name
  double measuring = 0, writing = 0;
  double waiting = 0;                      // for files under way (results/link_files.hpp); not part of `writing`
  std::map<std::string, double> sections;  // parts of `measuring`, as Measurement::seconds
  double saving = 0, checkpoints = 0;      // configurations and checkpoints, waiting included
  std::int64_t checkpoint_count = 0;
  double seconds = 0;  // of the whole chain, including measurements and files
  double lost = 0;     // fraction of the time that threads waited for a core, on the rank that waited most
  std::string crowd;   // why, if the job itself has more threads than cores (crowd_text())
  void add(const hmc::TrajectoryRecord& trajectory);
};

// "Wilson action, beta = 6, 8x8x8x8", "... with the quarks l (a m = 0.05), s (a m = 0.2), beta = ...", and "hybrid
// Monte Carlo of the ..." of the same.
std::string describe_action(const RunInput& input, bool with_beta = true);
std::string describe(const RunInput& input);

// "plaquette 0.59371(12)  acceptance 0.93  <exp(-dH)> 1.002(4)"; during thermalisation the latest plaquette.
std::string progress_text(const RunInput& input, const io::CsvData& table, double acceptance);

// All files of the folder except the lock (`side`: side tables, with their contents); then `more`, and finally what to
// do next.
std::string results_text(const RunInput& input, const RunFolder& folder,
                         const std::vector<std::pair<std::filesystem::path, std::string>>& side, std::int64_t completed,
                         const std::string& more, const std::string& program);

// Averages over the rows after thermalisation, with errors and autocorrelation times. Empty without rows.
std::string averages_text(const RunInput& input, const io::CsvData& table);

// What certified the trajectories of this call (hmc/certificate.hpp), and what was found.
std::string certificate_text(const hmc::CertificateCounts& counts);

// How often the filter of HISQ links acted in this call (gauge/smearing/improved/hisq_links.hpp), and in how many
// trajectories. Empty if it did not.
std::string force_filter_text(double links, std::int64_t trajectories);

// Seconds per trajectory and their parts. Empty if no trajectory was done.
std::string times_text(const RunTimes& times);

// SVG: history of the plaquette, and of dH with accepted and rejected separately (heatbath: of the Polyakov loop).
std::string history_plot(const RunInput& input, const io::CsvData& table);

}  // namespace trellis::app

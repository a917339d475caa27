// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What became of a run or measurement, from its files alone: whether it is still going, is finished, was stopped, or
// was killed without being able to say so.

#include "trellis/app/analyse/result_set.hpp"

namespace trellis::app {

// The entry of a log that says what ran where: "program: trellis 0.1.0 (commit ...), ... on HOST, 2 threads of ...".
inline constexpr std::string_view program_entry = "program: ";
std::string program_entry_text();

// The entry that says what a call lost most time in (run/largest_loss.hpp): "largest loss: 28 % of the time ...".
inline constexpr std::string_view loss_entry = "largest loss: ";

enum class RunEnd { finished, going, stopped, failed, killed };

struct LogEntry {
  std::string time;  // "2026-01-31 12:00:00"
  std::string text;  // its first line
};

// The entries of a run's log; empty if it cannot be read.
std::vector<LogEntry> read_log(const std::filesystem::path& file);

struct RunState {
  RunEnd end = RunEnd::killed;
  std::string text;                   // "finished: all 500 trajectories are done"
  std::int64_t done = 0;              // trajectories, or files
  std::int64_t total = 0;             // 0: unknown, of files
  std::vector<LogEntry> starts;       // each call of the program
  std::vector<std::string> programs;  // the program and machine of each call that said so, without repetitions
  std::string loss;                   // of the last call that came to its end, as its kernels; empty if small
  std::string last_entry;             // when the log was last written
};

RunState state_of(const ChainResults& chain);

}  // namespace trellis::app

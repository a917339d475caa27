// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The progress of a long run. On a terminal: one line, rewritten up to ten times a second. Elsewhere (a log file, a
// pipe): whole lines, always the first and the last, and between them one every 30 seconds, less often as the run gets
// longer (every fiftieth of the time so far).
//
//   Progress progress(standard_console(), 500);
//   ... if (progress.due(i)) progress.show(i, seconds_each, "plaquette 0.5937(2)");
//   progress.message("saved c/lat.100.ildg");
//   progress.end();

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace trellis::app {

// Where to write, and what kind of output that is.
struct Console {
  std::function<void(std::string_view)> write;
  bool is_terminal = false;
  std::function<int()> columns;   // current width of the terminal
  std::function<double()> clock;  // seconds since an arbitrary moment
};

// Standard output; a terminal if that is one, TERM is not "dumb", and the job is one process that mpirun did not start.
Console standard_console();

class Progress {
 public:
  // `step` is what is counted, and what the time per step refers to.
  Progress(Console console, std::int64_t total, std::string step = "trajectory");
  // Leaves a terminal on a fresh line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Is it time to show step `done`? Asking is cheap, so what is shown need only be computed when it is due.
  bool due(std::int64_t done) const;
  // "done/total  ETA 3m12s  <details>  0.45 s/trajectory". The ETA of the remaining steps, at most `seconds_left`.
  void show(std::int64_t done, double seconds_each, std::string_view details, double seconds_left = 1e300);
  // A line of its own above the progress line.
  void message(std::string_view text);
  void end();

 private:
  Console console_;
  std::int64_t total_;
  std::string step_;
  double start_;
  double last_ = -1e300;
  std::int64_t last_done_ = -1;
  std::string line_;  // currently on the terminal
};

// "0.8 s", "45 s", "3m12s", "2h05m", "3d04h".
std::string duration_text(double seconds);

}  // namespace trellis::app

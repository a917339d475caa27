// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ctrl-C, and the signals by which terminals and batch systems announce that time is up, ask the program to stop at the
// next good moment; a second signal of the same kind stops it immediately, as if nothing were caught (files are written
// aside, so none is left half-written).

#include <string>

namespace trellis::app {

// While a guard lives, the first SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU only sets a flag; SIGHUP stays
// ignored if it already was (nohup). Only one guard at a time; throws if there is one already.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  // The signal that was received, or 0.
  int signal() const;
};

// Ignores broken pipes: from now on the work continues, and can succeed, even if nobody reads the output.
void ignore_broken_pipes();
bool broken_pipes_are_ignored();

// "Ctrl-C", "a signal to terminate", "the signal USR1".
std::string name_of_signal(int signal);

}  // namespace trellis::app

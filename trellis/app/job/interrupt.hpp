// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ctrl-C, and the signals by which terminals and batch systems say that time is up, ask the program to stop at the next
// good moment; a second one of the same kind stops it at once, as if nothing had been caught (files are written aside,
// so nothing is left half).

#include <string>

namespace trellis::app {

// While one lives, the first SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 or SIGXCPU only sets a flag; SIGHUP stays
// ignored where it was (nohup). One at a time;
// throws when there is one already.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  // The signal that came, or 0.
  int signal() const;
};

// What reads the output may go: from now on the work goes on, whatever comes of what it prints.
void ignore_broken_pipes();

// "Ctrl-C", "a signal to terminate", "the signal USR1".
std::string name_of_signal(int signal);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ctrl-C and SIGTERM ask the program to stop at the next good moment; a second one of the same kind stops it at once,
// as if nothing had been caught (files are written aside, so nothing is left half).

namespace trellis::app {

// While one lives, the first SIGINT or SIGTERM only sets a flag. One at a time; throws when there is one already.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

  // The signal that came (SIGINT, SIGTERM), or 0.
  int signal() const;
};

}  // namespace trellis::app

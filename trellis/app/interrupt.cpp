// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/interrupt.hpp"

#include <atomic>
#include <csignal>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> caught{0};
std::atomic<bool> guarded{false};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch only lock-free atomics");

struct sigaction old_interrupt, old_terminate;

void remember(int signal) { caught.store(signal); }

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guarded.exchange(true)) fail("a second InterruptGuard was made while one lives");
  caught.store(0);
  struct sigaction action {};
  action.sa_handler = remember;
  // SA_RESETHAND: the second signal finds the default action. SA_RESTART: file reads and writes are not cut short.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &old_interrupt);
  ::sigaction(SIGTERM, &action, &old_terminate);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &old_interrupt, nullptr);
  ::sigaction(SIGTERM, &old_terminate, nullptr);
  guarded.store(false);
}

int InterruptGuard::signal() const { return caught.load(); }

}  // namespace trellis::app

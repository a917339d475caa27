// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/interrupt.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <csignal>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> caught{0};
std::atomic<bool> guarded{false};
bool pipes_may_break = false;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch only lock-free atomics");

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU};
std::array<struct sigaction, signals.size()> old_actions;

void remember(int signal) { caught.store(signal); }

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guarded.exchange(true)) fail("a second InterruptGuard was made while another is alive");
  caught.store(0);
  struct sigaction action{};
  action.sa_handler = remember;
  // SA_RESETHAND: the second signal gets the default action. SA_RESTART: file reads and writes are not interrupted.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &old_actions[i]);
    if (signals[i] != SIGHUP || old_actions[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &old_actions[i], nullptr);
  guarded.store(false);
}

int InterruptGuard::signal() const { return caught.load(); }

void ignore_broken_pipes() {
  std::signal(SIGPIPE, SIG_IGN);
  pipes_may_break = true;
}

bool broken_pipes_are_ignored() { return pipes_may_break; }

std::string name_of_signal(int signal) {
  if (signal == SIGINT) return "Ctrl-C";
  if (signal == SIGTERM) return "a signal to terminate";
  const char* const name = signal == SIGHUP    ? "HUP"
                           : signal == SIGUSR1 ? "USR1"
                           : signal == SIGUSR2 ? "USR2"
                           : signal == SIGXCPU ? "XCPU"
                                               : "?";
  return fmt::format("the signal {}", name);
}

}  // namespace trellis::app

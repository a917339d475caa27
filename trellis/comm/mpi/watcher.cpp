// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/mpi/watcher.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>

#include "trellis/comm/detail/ranks.hpp"

namespace trellis::comm::detail {

using namespace std::chrono_literals;

namespace {

// Ranks that wait in the same call know nothing of one another, and one message is enough: the first rank speaks first.
// All are earlier than ranks that wait for them in one of our collectives, which collect answers for two seconds.
std::chrono::milliseconds after_the_first(int rank) { return rank == 0 ? 0ms : 500ms + std::min(rank, 100) * 10ms; }

}  // namespace

Watcher::Call Watcher::watch(const char* call, const std::string& of) {
  if (seconds_ <= 0) return {*this, calls_.end()};
  const std::lock_guard lock(mutex_);
  const auto until = Clock::now() +
                     std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_)) +
                     after_the_first(rank_);
  const auto added = calls_.insert(calls_.end(), {fmt::format("{} of {}", call, of), until});
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  changed_.notify_one();
  return {*this, added};
}

void Watcher::end(Calls::iterator call) {
  if (seconds_ <= 0) return;
  const std::lock_guard lock(mutex_);
  calls_.erase(call);
}

void Watcher::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    // A call that ends wakes nobody: at worst the thread wakes at that call's deadline, and finds nothing or the next
    // one.
    if (calls_.empty()) {
      changed_.wait(lock, stop, [&] { return !calls_.empty(); });
    } else if (Clock::now() >= calls_.front().until) {
      report();
    } else {
      const auto until = calls_.front().until;
      changed_.wait_until(lock, stop, until, [&] { return !calls_.empty() && calls_.front().until != until; });
    }
  }
}

void Watcher::report() const {
  // Only one thread may be in MPI, and one is: should MPI_Abort wait for it, an alarm ends this process.
  speak_as_watchdog(fmt::format(
      "rank {} waits in {} for longer than {:g} s: another rank has not come there, or the file system does "
      "not answer (TRELLIS_WATCHDOG sets the time)",
      rank_, calls_.front().call, seconds_));
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);  // MPI_Abort does not return
}

}  // namespace trellis::comm::detail

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The watchdog for calls that block, in MPI or in a file system that does not answer: a rank inside one cannot check
// the time, so a thread does. The thread is created for the first such call, and sleeps while there is none.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace trellis::comm::detail {

class Watcher {
 public:
  // seconds: how long a call may take; 0: for ever, without a thread. rank: its number in the job.
  Watcher(double seconds, const int& rank) : seconds_(seconds), rank_(rank) {}

  // Around one call: const auto watch = watcher.watch("open", path).
  class Call {
   public:
    explicit Call(Watcher& watcher) : watcher_(watcher) {}
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() { watcher_.end(); }

   private:
    Watcher& watcher_;
  };
  // of: the file's name, or whatever else the call is about.
  [[nodiscard]] Call watch(const char* call, const std::string& of);

 private:
  using Clock = std::chrono::steady_clock;
  void end();
  void work(const std::stop_token& stop);
  [[noreturn]] void report() const;

  const double seconds_;
  const int& rank_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string call_;  // empty if there is none
  Clock::time_point until_{};
  std::jthread thread_;  // must be last: it uses all others
};

}  // namespace trellis::comm::detail

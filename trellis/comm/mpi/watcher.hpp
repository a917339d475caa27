// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The watchdog for calls that block, in MPI or in a file system that does not answer: a rank inside one cannot check
// the time, so a thread does. The thread is created for the first such call, and sleeps while there is none. Several
// threads of a rank may be inside calls at the same time.

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace trellis::comm::detail {

class Watcher {
  using Clock = std::chrono::steady_clock;
  struct Watched {
    std::string call;
    Clock::time_point until;
  };
  using Calls = std::list<Watched>;  // the earliest first

 public:
  // seconds: how long a call may take; 0: for ever, without a thread. rank: its number in the job.
  Watcher(double seconds, const int& rank) : seconds_(seconds), rank_(rank) {}

  // Around one call: const auto watch = watcher.watch("open", path).
  class Call {
   public:
    Call(Watcher& watcher, Calls::iterator of) : watcher_(watcher), of_(of) {}
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() { watcher_.end(of_); }

   private:
    Watcher& watcher_;
    Calls::iterator of_;
  };
  // of: the file's name, or whatever else the call is about.
  [[nodiscard]] Call watch(const char* call, const std::string& of);

 private:
  void end(Calls::iterator call);
  void work(const std::stop_token& stop);
  [[noreturn]] void report() const;

  const double seconds_;
  const int& rank_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  Calls calls_;
  std::jthread thread_;  // must be last: it uses all others
};

}  // namespace trellis::comm::detail

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each kernel costs: calls and seconds, and the bytes and flops that it declares.
//   KernelProfile profile;
//   {
//     const ActiveProfile active(profile);
//     work();                                // its parallel_for, parallel_reduce, parallel_scan are counted
//   }
//   for (const KernelTotals& kernel : profile.kernels()) ...
// An active profile counts the kernels that the activating thread dispatches: each thread has its own pointer to its
// active profile, so kernels need no argument and threads do not interfere. Kernels dispatched within a kernel are part
// of it and not counted again. The innermost active profile counts. Tools that need all threads, regions, allocations
// and copies register a listener (profile_listener.hpp); profiles and listeners do not interfere either. If the process
// has neither, a kernel pays for the load of one word; otherwise for two clock readings and a search among the names,
// 230 ns with forty of them. Kernels of Cuda are timed by the device and not waited for, unless a listener needs to
// know when they end; their seconds are available when a profile is read. As that costs the device 3 us a kernel, only
// some of many calls are timed and stand for the others (sampled_time.hpp).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "trellis/core/kernel.hpp"
#include "trellis/core/profile/sampled_time.hpp"
#include "trellis/core/runtime/runtime_state.hpp"

namespace trellis {

template <class T>
inline constexpr bool is_single = std::is_same_v<T, float>;

struct KernelTotals {
  std::string name;
  bool single = false;
  std::int64_t calls = 0;
  double seconds = 0, bytes = 0, flops = 0;
};

class KernelProfile {
 public:
  // One entry per name and precision, in the order of their first calls. Valid until the next call.
  const std::vector<KernelTotals>& kernels() const;
  // Seconds in all kernels.
  double seconds() const;
  // Adds one more call, timed by the caller.
  void add(const Kernel& kernel, double seconds);

  // Where a call was counted whose seconds come later, or never (call.timed).
  struct Place {
    KernelProfile* profile;
    std::size_t entry;
    profile_detail::SampledTime::Call call = {};
    std::uint64_t event = 0;  // of which listeners are told later; 0: none
  };
  void add_seconds(const Place& place, double seconds);
  // Adds to a call that was counted before and is always timed.
  void add_seconds(std::size_t entry, double seconds) { times_[entry].add(seconds); }

 private:
  friend class KernelTimer;

  std::size_t count(const Kernel& kernel);

  std::vector<KernelTotals> kernels_;               // without seconds
  std::vector<profile_detail::SampledTime> times_;  // of each
  mutable std::vector<KernelTotals> totals_;
};

// Makes a profile this thread's active one, until the end of the scope.
class ActiveProfile {
 public:
  explicit ActiveProfile(KernelProfile& profile);
  ActiveProfile(const ActiveProfile&) = delete;
  ActiveProfile& operator=(const ActiveProfile&) = delete;
  ~ActiveProfile();

 private:
  KernelProfile* before_;
};

// Times one call, until the end of the scope, if a profile or listener needs it. After finalize() throws Error.
class KernelTimer {
 public:
  explicit KernelTimer(const Kernel& kernel) {
    if (!runtime_detail::quiet()) [[unlikely]]
      start(kernel);
  }
  KernelTimer(const KernelTimer&) = delete;
  KernelTimer& operator=(const KernelTimer&) = delete;
  ~KernelTimer() {
    if (call_) [[unlikely]]
      stop();
  }
  bool counts() const { return call_ && !call_->dry; }
  // False in a dry run (dry_run.hpp), where the kernel was recorded and must not run.
  bool runs() const {
    if (call_ && call_->dry) [[unlikely]]
      return false;
    return true;
  }
  // Like runs(), for a kernel whose result the host waits for.
  bool runs_for_result() const {
    if (runs()) [[likely]]
      return true;
    mark_result();
    return false;
  }

  // Where this call was counted, unless a listener must be told of its end when it ends: the timer then does not
  // measure, and the caller provides the seconds (KernelProfile::add_seconds) when settle_kernel_times is called, if
  // the call is to be timed.
  using Place = KernelProfile::Place;
  std::optional<Place> later();

 private:
  struct Call {
    Kernel kernel;
    KernelProfile* profile;  // null: for listeners only
    std::size_t entry;       // in the profile
    std::uint64_t id;        // 0: for the profile only
    std::chrono::steady_clock::time_point begin;
    bool timed_by_others = false;
    bool dry = false;
  };

  static void mark_result();
  void start(const Kernel& kernel);
  void stop();

  std::optional<Call> call_;
};

namespace profile_detail {
// Registers what a backend that times kernels itself needs to do before a profile is read or ends; it must not throw.
void settle_kernel_times_with(void (*bring)());
}  // namespace profile_detail

}  // namespace trellis

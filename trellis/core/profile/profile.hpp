// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each kernel costs: calls and seconds, and by what it says of itself the bytes it moves and the flops it does.
//   KernelProfile profile;
//   {
//     const ActiveProfile active(profile);
//     work();                                // its parallel_for, parallel_reduce, parallel_scan are counted
//   }
//   for (const KernelTotals& kernel : profile.kernels()) ...
// A profile counts while it is active, the kernels that the activating thread dispatches: which one is active is a
// pointer of that thread, so that kernels need not be told and threads do not disturb one another. What a kernel
// dispatches in its turn is part of it and not counted again. The innermost active profile counts. Tools that want to
// hear of all threads, of regions, allocations and copies register a listener (profile_listener.hpp); profiles and
// listeners do not disturb one another. With neither in the process a kernel pays for the load of one word; else two
// readings of the clock and a search among the names, 230 ns with forty of them. Kernels of Cuda are timed by the
// device and not waited for, unless a listener wants to hear of their ends; their seconds are there when a profile is
// read.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "trellis/core/kernel.hpp"
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
  // One entry a name and precision, in the order of their first calls.
  const std::vector<KernelTotals>& kernels() const;
  // Seconds in all kernels.
  double seconds() const;
  // One more call, for those who took its time themselves.
  void add(const Kernel& kernel, double seconds);
  // Of a call that was counted before (KernelTimer::later).
  void add_seconds(std::size_t entry, double seconds) { kernels_[entry].seconds += seconds; }

 private:
  friend class KernelTimer;
  std::size_t entry(const Kernel& kernel);

  std::vector<KernelTotals> kernels_;
};

// Makes a profile the active one of this thread, to the end of the scope.
class ActiveProfile {
 public:
  explicit ActiveProfile(KernelProfile& profile);
  ActiveProfile(const ActiveProfile&) = delete;
  ActiveProfile& operator=(const ActiveProfile&) = delete;
  ~ActiveProfile();

 private:
  KernelProfile* before_;
};

// Times one call, from here to the end of the scope, if anybody wants to know. After finalize() throws Error.
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
  // As runs(), for a kernel whose result the host waits for.
  bool runs_for_result() const {
    if (runs()) [[likely]]
      return true;
    mark_result();
    return false;
  }

  // Where the seconds of this call go, if they are for a profile alone: the timer then takes none itself, and who asked
  // brings them (KernelProfile::add_seconds) when settle_kernel_times is called.
  struct Place {
    KernelProfile* profile;
    std::size_t entry;
  };
  std::optional<Place> later();

 private:
  struct Call {
    Kernel kernel;
    KernelProfile* profile;  // null: for listeners only
    std::size_t entry;       // there
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
// What a backend that times kernels itself wants to be called before a profile is read or ends; it must not throw.
void settle_kernel_times_with(void (*bring)());
}  // namespace profile_detail

}  // namespace trellis

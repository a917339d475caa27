// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For core's own sources: what profiling knows about each thread, and how events reach the listeners.

#include <cstdint>

#include "trellis/core/profile/profile_listener.hpp"

namespace trellis {
class DryRun;
struct Allocation;
}  // namespace trellis

namespace trellis::profile_detail {

// Constant initialisation and no destructor: a thread may dispatch while its other variables are created and destroyed.
struct ThreadState {
  KernelProfile* active = nullptr;  // null while a kernel runs: kernels within it belong to it
  int number = 0;                   // from 1, assigned on first use
  bool in_kernel = false, in_hook = false, in_copy = false;
  bool in_capture = false;                        // it records a graph (graph.hpp): nothing runs or is reported
  double captured_bytes = 0, captured_flops = 0;  // of the kernels that the graph has so far
  bool captured_double = false;                   // not all kernels are in single precision
  DryRun* dry_run = nullptr;                      // nothing runs
};
inline constinit thread_local ThreadState this_thread;

int thread_number();

// A number, from 1 on, for each event that begins, in any thread.
std::uint64_t next_event();

// Whether there is any listener, and whether this thread may call it now.
bool anyone_listens();
bool heard_here();
// Whether some listener must be told of the end of a device's kernel when it ends (Listener::ends_late).
bool anyone_waits();

// Brings the times of kernels that a backend times itself (settle_kernel_times_with), of this thread.
void settle_kernel_times();
// Tells listeners of the end of such a kernel. stream: as in KernelEvent.
void late_end(std::uint64_t id, std::chrono::steady_clock::time_point begin, double seconds, int stream) noexcept;

inline ProfilingEvent begin_event() { return {next_event(), thread_number(), std::chrono::steady_clock::now(), 0}; }

// Calls that hook of every listener that was registered when the event began. What a hook throws is reported and
// dropped.
void tell(std::function<void(const KernelEvent&)> Listener::* hook, const KernelEvent& event) noexcept;
void tell(std::function<void(const RegionEvent&)> Listener::* hook, const RegionEvent& event) noexcept;
void tell(std::function<void(const MemoryEvent&)> Listener::* hook, const MemoryEvent& event) noexcept;
void tell(std::function<void(const CopyEvent&)> Listener::* hook, const CopyEvent& event) noexcept;
void tell(std::function<void(const MessageEvent&)> Listener::* hook, const MessageEvent& event) noexcept;

template <class Event>
void tell_end(std::function<void(const Event&)> Listener::* hook, Event event) noexcept {
  const auto time = std::chrono::steady_clock::now() - event.begin;
  event.seconds = std::chrono::duration<double>(time).count();
  tell(hook, event);
}

// To be called before memory is freed.
void deallocated(const Allocation& allocation) noexcept;

}  // namespace trellis::profile_detail

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hooks for tools: while registered, a Listener is told of every kernel, region, allocation and copy of the process.
//   Listener listener;
//   listener.end_kernel = [&](const KernelEvent& e) { total += e.seconds; };
//   const Listening listening(listener);        // until the end of the scope
// A region is a named stretch of the program; regions nest, and each thread has its own.
//   const Region region("solve");
//
// Hooks run in the dispatching thread, so those of one listener may run concurrently in several threads. What a hook
// itself dispatches, allocates or copies is not reported. A hook must not register or remove listeners; what it throws
// is reported on stderr and dropped. The end of an event is reported to those who were told of its beginning, even if
// the work threw. Kernels, copies and regions within a kernel are part of it and not reported; its allocations are.
// Device kernels are waited for before their end is reported, unless all listeners let it be late. No hook runs after
// ~Listening.
// Cost: the load of one word if there is no listener; otherwise two clock readings and the hooks.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "trellis/core/profile/profile.hpp"

namespace trellis {

// Names and labels are valid only during the call of the hook.
struct ProfilingEvent {
  std::uint64_t id = 0;  // the same at the beginning and the end of one event
  int thread = 0;        // numbered from 1, in the order in which threads first appeared
  std::chrono::steady_clock::time_point begin;
  double seconds = 0;  // 0 at the beginning
};
struct KernelEvent : ProfilingEvent {
  Kernel kernel;
  int stream = 0;  // of a device that timed it, numbered from 1; 0: timed by the host
};
struct RegionEvent : ProfilingEvent {
  std::string_view name;
};
struct MemoryEvent : ProfilingEvent {
  std::string_view space, label;
  const void* data = nullptr;
  std::size_t bytes = 0;
};
// A deep_copy of a View, or of a value, which has no label and the space of the destination.
struct CopyEvent : ProfilingEvent {
  std::string_view to_space, to_label, from_space, from_label;
  std::size_t bytes = 0;  // size of the destination's elements
};

// A message from another process of a job that has arrived; begin: when this process had sent its own.
struct MessageEvent : ProfilingEvent {
  std::string_view name;
  int from = 0;
  std::size_t bytes = 0;
};

// Any of these may be empty.
struct Listener {
  std::function<void(const KernelEvent&)> begin_kernel, end_kernel;
  std::function<void(const RegionEvent&)> begin_region, end_region;
  std::function<void(const MemoryEvent&)> allocate, deallocate;  // called after it, called before it
  std::function<void(const CopyEvent&)> begin_copy, end_copy;
  std::function<void(const MessageEvent&)> message;  // called when it has arrived
  // Kernels of a device need not be waited for: their end may be reported much later, by the thread that dispatched
  // them, with the time at which the device began, on the host's clock, their seconds and their stream, without name.
  bool ends_late = false;
};

// Whether there is any listener: for what only a timeline needs.
bool has_listeners();

// For whoever receives messages, outside kernels; `begin` as in the event.
void report_message(std::string_view name, int from, std::size_t bytes, std::chrono::steady_clock::time_point begin);

class Listening {
 public:
  explicit Listening(Listener listener);
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening();

 private:
  std::uint64_t since_;  // identifies it
};

class Region {
 public:
  explicit Region(std::string_view name) {
    if (!runtime_detail::quiet()) [[unlikely]]
      begin(name);
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() {
    if (event_.id != 0) [[unlikely]]
      end();
  }

 private:
  void begin(std::string_view name);
  void end();

  ProfilingEvent event_;
  std::string name_;
};

}  // namespace trellis

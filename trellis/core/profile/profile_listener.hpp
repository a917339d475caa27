// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hooks for tools: a Listener hears of every kernel, region, allocation and copy of the process while it is registered.
//   Listener listener;
//   listener.end_kernel = [&](const KernelEvent& e) { total += e.seconds; };
//   const Listening listening(listener);        // to the end of the scope
// A region is a stretch of the program with a name; regions nest, each thread has its own.
//   const Region region("solve");
//
// Hooks run in the thread that dispatches, so those of one listener may run at the same time in several threads. What a
// hook itself dispatches, allocates or copies is told to nobody. A hook must not register or remove listeners; what it
// throws is reported on stderr and dropped. An end is told to those who heard the beginning, also when the work threw.
// What a kernel dispatches, copies or encloses in regions is part of it, and not told; its allocations are. Kernels of
// devices are waited for before their end is told. After ~Listening no hook runs any more.
// Cost: nothing while no one listens but the load of one word; else two readings of the clock and the hooks.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "trellis/core/profile/profile.hpp"

namespace trellis {

// Names and labels are valid during the call of the hook only.
struct ProfilingEvent {
  std::uint64_t id = 0;  // the same in the begin and the end of one event
  int thread = 0;        // small numbers from 1, in the order in which threads were first heard of
  std::chrono::steady_clock::time_point begin;
  double seconds = 0;  // 0 at the beginning
};
struct KernelEvent : ProfilingEvent {
  Kernel kernel;
};
struct RegionEvent : ProfilingEvent {
  std::string_view name;
};
struct MemoryEvent : ProfilingEvent {
  std::string_view space, label;
  const void* data = nullptr;
  std::size_t bytes = 0;
};
// deep_copy of a View, or of a value, which has no label and the space of the destination.
struct CopyEvent : ProfilingEvent {
  std::string_view to_space, to_label, from_space, from_label;
  std::size_t bytes = 0;  // of the elements of the destination
};

// Any of these may be empty.
struct Listener {
  std::function<void(const KernelEvent&)> begin_kernel, end_kernel;
  std::function<void(const RegionEvent&)> begin_region, end_region;
  std::function<void(const MemoryEvent&)> allocate, deallocate;  // told after it, told before it
  std::function<void(const CopyEvent&)> begin_copy, end_copy;
};

class Listening {
 public:
  explicit Listening(Listener listener);
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening();

 private:
  std::uint64_t since_;  // names it
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

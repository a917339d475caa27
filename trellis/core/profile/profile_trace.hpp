// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A timeline of regions, kernels, copies and allocations in the trace event format, which chrome://tracing and
// ui.perfetto.dev show (Google, "Trace Event Format": complete events, "ph": "X", times in microseconds).
//   ProfileTrace trace;
//   const Listening listening(trace.listener());
//   ...
//   trace.write("trace.json");
// Events in progress when it is written appear with their time so far. Memory is bounded: of `most` events, 48 bytes
// each, an eighth is reserved for regions; later ones are dropped, and the trace says how many, in "otherData" and as
// an event of that name. Names are stored once. Safe to write while it listens.

#include <mutex>
#include <unordered_map>

#include "trellis/core/profile/profile_listener.hpp"

namespace trellis {

class ProfileTrace {
 public:
  explicit ProfileTrace(std::size_t most = std::size_t{1} << 20) : most_(most) {}
  ProfileTrace(const ProfileTrace&) = delete;
  ProfileTrace& operator=(const ProfileTrace&) = delete;

  // The trace must outlive the listener.
  Listener listener();

  std::size_t kept() const, dropped() const;
  std::string json() const;
  // Writes to file.NUMBER.part first, then renames it. Throws Error, naming the file.
  void write(const std::string& file) const;

 private:
  enum class Category : std::uint8_t { region, kernel, copy, allocation };
  using Time = std::chrono::steady_clock::time_point;
  struct Event {
    Time begin;
    double seconds, bytes, flops;
    std::uint32_t name;
    int thread;
    Category category;
  };
  std::uint32_t name_of(std::string_view name);
  void begin(const ProfilingEvent& event, Category category, std::string_view name, double bytes, double flops);
  void end(const ProfilingEvent& event);
  void keep(const Event& event);
  std::string line(const Event& event) const;
  void print(const std::function<void(std::string_view)>& piece) const;

  std::size_t most_;
  mutable std::mutex mutex_;
  Time start_ = std::chrono::steady_clock::now();
  std::vector<Event> events_;
  std::unordered_map<std::uint64_t, Event> open_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::size_t dropped_ = 0;
  Time first_dropped_;
};

}  // namespace trellis

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
// an event of that name. Names are stored once. Safe to write while it listens. Messages from other processes are
// asynchronous events ("b", "e"), because several are under way at once. Kernels of a device are not waited for: they
// are in rows of their own, one for each stream, with the times at which they ran there.
//
// Several processes can have one timeline: each says which one it is and when time begins on its own clock, and the
// file is opening(), the events of each in turn, closing().

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "trellis/core/profile/profile_listener.hpp"

namespace trellis {

class ProfileTrace {
 public:
  explicit ProfileTrace(std::size_t most = std::size_t{1} << 20);
  ProfileTrace(const ProfileTrace&) = delete;
  ProfileTrace& operator=(const ProfileTrace&) = delete;

  // The trace must outlive the listener.
  Listener listener();

  using Time = std::chrono::steady_clock::time_point;
  // number: instead of the process id; name: what the picture calls it; origin: time 0, on this process' clock.
  struct Process {
    int number = 0;
    std::string name;
    Time origin;
  };
  void belongs_to(Process process);

  using Piece = std::function<void(std::string_view)>;
  static void opening(const Piece& piece);
  // first: no other process' events precede them.
  void events(const Piece& piece, bool first = true) const;
  static void closing(const Piece& piece, std::size_t events, std::size_t dropped);

  std::size_t kept() const, dropped() const;
  std::string json() const;
  // Writes to file.NUMBER.part first, then renames it. Throws Error, naming the file.
  void write(const std::string& file) const;

 private:
  enum class Category : std::uint8_t { region, kernel, copy, allocation, message };
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
  std::string message_lines(const Event& event) const;
  std::string numbers_of(Time begin, double seconds, int thread) const;
  void print(const Piece& piece) const;

  std::size_t most_;
  mutable std::mutex mutex_;
  Process process_;
  std::vector<Event> events_;
  std::unordered_map<std::uint64_t, Event> open_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::size_t dropped_ = 0;
  int streams_ = 0;  // of a device
  Time first_dropped_;
};

}  // namespace trellis

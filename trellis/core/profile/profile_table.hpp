// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table of a program's kernels, by the regions in which they ran, and of its copies and allocations.
//   ProfileTable table;
//   {
//     const Listening listening(table.listener());
//     work();
//   }
//   fmt::print("{}", table.text());
// Regions form a tree: one entry for each path of names, in whichever thread. The first entry is the root: what ran
// outside all regions of its thread. Seconds of a region include those of regions and kernels within; with several
// threads at work they may exceed the elapsed time. An open region counts with its time so far. Memory is counted from
// the first allocation that is reported to the table. Safe to read while it listens.

#include <map>
#include <mutex>
#include <unordered_map>

#include "trellis/core/profile/profile_listener.hpp"

namespace trellis {

struct RegionTotals {
  std::string name;  // empty for the first
  int depth = 0;     // 0 for the first
  std::int64_t calls = 0;
  double seconds = 0;
  std::vector<KernelTotals> kernels;  // kernels of this region itself, the longest first
  double kernel_seconds = 0;          // of these and of regions within
  double kernel_bytes = 0, kernel_flops = 0;
};

struct TransferTotals {
  std::int64_t calls = 0;
  double seconds = 0, bytes = 0;  // read plus written
};

struct LabelMemory {
  std::string label;
  std::int64_t allocations = 0;
  std::size_t most = 0;  // largest number of bytes under this label at a time
};

struct SpaceMemory {
  std::string space;
  std::size_t now = 0, most = 0;    // current bytes, and the maximum
  std::vector<LabelMemory> labels;  // the largest first
};

class ProfileTable {
 public:
  ProfileTable() = default;
  ProfileTable(const ProfileTable&) = delete;
  ProfileTable& operator=(const ProfileTable&) = delete;

  // The table must outlive the listener.
  Listener listener();

  // Seconds since the table was made.
  double seconds() const;
  std::vector<RegionTotals> regions() const;  // each followed by those within it, the longest first
  TransferTotals copies() const, allocations() const;
  std::vector<SpaceMemory> memory() const;
  int threads() const;  // threads that dispatched or entered a region
  std::string text() const;

 private:
  struct Node {
    std::string name;
    int parent = 0, depth = 0;
    std::int64_t calls = 0;
    double seconds = 0;
    KernelProfile kernels;
    std::vector<int> children;
  };
  struct Open {
    std::uint64_t id;
    int node;
    std::chrono::steady_clock::time_point begin;
  };
  struct Bytes {
    std::size_t now = 0, most = 0;
    std::int64_t allocations = 0;
    void add(std::size_t bytes);
  };
  struct Space {
    Bytes all;
    std::map<std::string, Bytes, std::less<>> labels;
  };
  struct Live {
    Space* space;
    Bytes* label;
    std::size_t bytes;
  };

  int node_of(int thread);
  int child(int parent, std::string_view name);
  void begin_region(const RegionEvent& event);
  void end_region(const RegionEvent& event);
  void allocate(const MemoryEvent& event);
  void deallocate(const MemoryEvent& event);
  static void collect(const std::vector<Node>& nodes, int node, std::vector<RegionTotals>& into);

  mutable std::mutex mutex_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::unordered_map<int, std::vector<Open>> open_;  // by thread
  TransferTotals copies_, allocations_;
  std::map<std::string, Space, std::less<>> spaces_;
  std::unordered_map<const void*, Live> live_;
};

}  // namespace trellis

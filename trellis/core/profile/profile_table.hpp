// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of a program's kernels, by the regions in which they ran, and of what it copied and allocated.
//   ProfileTable table;
//   {
//     const Listening listening(table.listener());
//     work();
//   }
//   fmt::print("{}", table.text());
// Regions are a tree: one entry for each path of names, whichever thread took it. The first entry is the whole: what
// ran in no region of its thread. Seconds of a region hold those of regions and kernels within; with several threads
// at work they may exceed the time that passed. A region that is open counts with its time so far. Memory is counted
// from the first allocation that the table hears of. Safe to read while it listens.

#include <map>
#include <mutex>
#include <unordered_map>

#include "trellis/core/profile/profile_listener.hpp"

namespace trellis {

struct RegionTotals {
  std::string name;  // of the first: empty
  int depth = 0;     // of the first: 0
  std::int64_t calls = 0;
  double seconds = 0;
  std::vector<KernelTotals> kernels;  // those of this region itself, the longest first
  double kernel_seconds = 0;          // of these and those of regions within
  double kernel_bytes = 0, kernel_flops = 0;
};

struct TransferTotals {
  std::int64_t calls = 0;
  double seconds = 0, bytes = 0;  // of a copy: read and written
};

struct LabelMemory {
  std::string label;
  std::int64_t allocations = 0;
  std::size_t most = 0;  // bytes under this label at the same time
};

struct SpaceMemory {
  std::string space;
  std::size_t now = 0, most = 0;    // bytes at the same time
  std::vector<LabelMemory> labels;  // the largest first
};

class ProfileTable {
 public:
  ProfileTable() = default;
  ProfileTable(const ProfileTable&) = delete;
  ProfileTable& operator=(const ProfileTable&) = delete;

  // The table must outlive what listens for it.
  Listener listener();

  // Since the table was made.
  double seconds() const;
  std::vector<RegionTotals> regions() const;  // each followed by those within it, the longest first
  TransferTotals copies() const, allocations() const;
  std::vector<SpaceMemory> memory() const;
  int threads() const;  // that dispatched, or entered a region
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

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trellis {

void ProfileTable::Bytes::add(std::size_t bytes) {
  ++allocations;
  now += bytes;
  most = std::max(most, now);
}

Listener ProfileTable::listener() {
  Listener listener;
  listener.begin_region = [this](const RegionEvent& event) { begin_region(event); };
  listener.end_region = [this](const RegionEvent& event) { end_region(event); };
  listener.end_kernel = [this](const KernelEvent& event) {
    const std::lock_guard lock(mutex_);
    nodes_[node_of(event.thread)].kernels.add(event.kernel, event.seconds);
  };
  listener.end_copy = [this](const CopyEvent& event) {
    const std::lock_guard lock(mutex_);
    ++copies_.calls;
    copies_.seconds += event.seconds;
    copies_.bytes += (event.from_label.empty() ? 1 : 2) * double(event.bytes);
  };
  listener.allocate = [this](const MemoryEvent& event) { allocate(event); };
  listener.deallocate = [this](const MemoryEvent& event) { deallocate(event); };
  return listener;
}

int ProfileTable::node_of(int thread) {
  const auto& open = open_[thread];
  return open.empty() ? 0 : open.back().node;
}

int ProfileTable::child(int parent, std::string_view name) {
  for (const int node : nodes_[parent].children)
    if (nodes_[node].name == name) return node;
  const int node = int(nodes_.size());
  nodes_.emplace_back();
  nodes_[node].name = name;
  nodes_[node].parent = parent;
  nodes_[node].depth = nodes_[parent].depth + 1;
  nodes_[parent].children.push_back(node);
  return node;
}

void ProfileTable::begin_region(const RegionEvent& event) {
  const std::lock_guard lock(mutex_);
  const int node = child(node_of(event.thread), event.name);
  ++nodes_[node].calls;
  open_[event.thread].push_back({event.id, node, event.begin});
}

// Regions end in their thread, innermost first; one that does not also ends those within it.
void ProfileTable::end_region(const RegionEvent& event) {
  const std::lock_guard lock(mutex_);
  auto& open = open_[event.thread];
  const auto at = std::find_if(open.begin(), open.end(), [&](const Open& one) { return one.id == event.id; });
  if (at == open.end()) return;
  nodes_[at->node].seconds += event.seconds;
  open.erase(at, open.end());
}

void ProfileTable::allocate(const MemoryEvent& event) {
  const std::lock_guard lock(mutex_);
  ++allocations_.calls;
  allocations_.seconds += event.seconds;
  allocations_.bytes += double(event.bytes);
  if (event.data == nullptr) return;
  auto& space = spaces_[std::string(event.space)];
  auto& label = space.labels[std::string(event.label)];
  space.all.add(event.bytes);
  label.add(event.bytes);
  live_[event.data] = {&space, &label, event.bytes};
}

void ProfileTable::deallocate(const MemoryEvent& event) {
  const std::lock_guard lock(mutex_);
  const auto at = live_.find(event.data);
  if (at == live_.end()) return;
  at->second.space->all.now -= at->second.bytes;
  at->second.label->now -= at->second.bytes;
  live_.erase(at);
}

double ProfileTable::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void ProfileTable::collect(const std::vector<Node>& nodes, int node, std::vector<RegionTotals>& into) {
  const auto& n = nodes[node];
  const auto at = into.size();
  into.push_back({n.name, n.depth, n.calls, n.seconds, n.kernels.kernels(), 0, 0, 0});
  RegionTotals sums;
  for (const auto& kernel : into[at].kernels) {
    sums.kernel_seconds += kernel.seconds;
    sums.kernel_bytes += kernel.bytes;
    sums.kernel_flops += kernel.flops;
  }
  std::sort(into[at].kernels.begin(), into[at].kernels.end(),
            [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  auto children = n.children;
  std::sort(children.begin(), children.end(), [&](int a, int b) { return nodes[a].seconds > nodes[b].seconds; });
  for (const int c : children) {
    const auto first = into.size();
    collect(nodes, c, into);
    sums.kernel_seconds += into[first].kernel_seconds;
    sums.kernel_bytes += into[first].kernel_bytes;
    sums.kernel_flops += into[first].kernel_flops;
  }
  into[at].kernel_seconds = sums.kernel_seconds;
  into[at].kernel_bytes = sums.kernel_bytes;
  into[at].kernel_flops = sums.kernel_flops;
}

std::vector<RegionTotals> ProfileTable::regions() const {
  const std::lock_guard lock(mutex_);
  auto nodes = nodes_;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& [thread, open] : open_)
    for (const auto& one : open) nodes[one.node].seconds += std::chrono::duration<double>(now - one.begin).count();
  std::vector<RegionTotals> all;
  collect(nodes, 0, all);
  all[0].seconds = seconds();
  all[0].calls = 1;
  return all;
}

TransferTotals ProfileTable::copies() const {
  const std::lock_guard lock(mutex_);
  return copies_;
}

TransferTotals ProfileTable::allocations() const {
  const std::lock_guard lock(mutex_);
  return allocations_;
}

int ProfileTable::threads() const {
  const std::lock_guard lock(mutex_);
  return int(open_.size());
}

std::vector<SpaceMemory> ProfileTable::memory() const {
  const std::lock_guard lock(mutex_);
  std::vector<SpaceMemory> all;
  for (const auto& [name, space] : spaces_) {
    all.push_back({name, space.all.now, space.all.most, {}});
    auto& labels = all.back().labels;
    for (const auto& [label, bytes] : space.labels) labels.push_back({label, bytes.allocations, bytes.most});
    std::sort(labels.begin(), labels.end(),
              [](const auto& a, const auto& b) { return a.most != b.most ? a.most > b.most : a.label < b.label; });
  }
  return all;
}

}  // namespace trellis

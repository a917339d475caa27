// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/plan_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace trellis::app {
namespace {

using bench::MachineDescription;

struct Cure {
  const char *key, *change;
  std::function<bool(MachineDescription&)> apply;  // false if it changes nothing
};

bool set(double& value, double to) {
  const bool changes = value != to;
  value = to;
  return changes;
}

// Of equally good ones the first is named.
const std::vector<Cure>& cures() {
  static const std::vector<Cure> all{
      {"device.host_bandwidth", "0, if the network reads the GPU's memory directly (GPUDirect)",
       [](MachineDescription& m) { return set(m.host_bandwidth, 0); }},
      {"links.bandwidth", "twice as much",
       [](MachineDescription& m) { return m.across && set(m.across->bandwidth, 2 * m.across->bandwidth); }},
      {"links.latency", "half as much",
       [](MachineDescription& m) { return m.across && set(m.across->latency, m.across->latency / 2); }},
      {"links.inside_bandwidth", "twice as much",
       [](MachineDescription& m) { return m.inside && set(m.inside->bandwidth, 2 * m.inside->bandwidth); }},
      {"links.inside_latency", "half as much",
       [](MachineDescription& m) { return m.inside && set(m.inside->latency, m.inside->latency / 2); }},
      {"device.launch_seconds", "half as much",
       [](MachineDescription& m) { return set(m.launch_seconds, m.launch_seconds / 2); }},
      {"device.wait_seconds", "half as much",
       [](MachineDescription& m) { return set(m.wait_seconds, m.wait_seconds / 2); }}};
  return all;
}

// The part of the time that has grown most.
std::string grown_part(const bench::Share& before, const bench::Share& now) {
  const std::pair<const char*, double> parts[] = {{"messages", now.messages - before.messages},
                                                  {"sums", now.sums - before.sums},
                                                  {"launches", now.launches - before.launches},
                                                  {"computing", now.computing - before.computing}};
  return std::max_element(std::begin(parts), std::end(parts),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

std::vector<SlowerReason> slower_reasons(const Coordinate& size, const bench::PlannedTrajectory& trajectory,
                                         const MachineDescription& machine,
                                         const std::vector<bench::DevicePlan>& plans) {
  std::vector<SlowerReason> reasons;
  const bench::DevicePlan* fastest = nullptr;
  for (const auto& plan : plans) {
    const double seconds = plan.seconds.total();
    if (fastest == nullptr || seconds <= fastest->seconds.total()) {
      fastest = &plan;
      continue;
    }
    SlowerReason reason{.devices = plan.devices,
                        .than = fastest->devices,
                        .seconds = seconds,
                        .before = fastest->seconds.total(),
                        .part = grown_part(fastest->seconds, plan.seconds),
                        .key = "",
                        .change = "",
                        .with_key = std::numeric_limits<double>::infinity()};
    for (const auto& cure : cures()) {
      auto other = machine;
      if (!cure.apply(other)) continue;
      const double cured = bench::plan(size, trajectory, other, plan.devices).seconds.total();
      if (cured >= reason.before || cured >= 0.999 * reason.with_key) continue;
      reason.key = cure.key;
      reason.change = cure.change;
      reason.with_key = cured;
    }
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

std::string SlowerReason::text() const {
  auto line = fmt::format("{} devices are slower than {} ({:.3g} s instead of {:.3g} s); what has grown most: {}.",
                          devices, than, seconds, before, part);
  if (key.empty()) return line + "\n    No single key of the machine cures it: the blocks are too small.";
  return line + fmt::format("\n    The key is {}: with {}, it would take {:.3g} s.", key, change, with_key);
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Why more devices are slower than fewer, and which key of the machine file would cure it: each key is changed in turn,
// and the plan made again.

#include <string>
#include <vector>

#include "trellis/bench/model/plan.hpp"

namespace trellis::app {

struct SlowerReason {
  int devices = 0, than = 0;       // more devices, and the fewer that are faster
  double seconds = 0, before = 0;  // per trajectory, with `devices` and with `than`
  std::string part;                // "messages", "sums", "launches" or "computing": what takes longer
  std::string key;                 // of the machine file; empty if none makes it faster than before
  std::string change;              // "twice as much"
  double with_key = 0;             // seconds per trajectory with this change; meaningless without a key

  std::string text() const;
};

// For every number of devices that is slower than a smaller one. Costs up to seven more plans for each. `plans`: those
// that fit, by number of devices.
std::vector<SlowerReason> slower_reasons(const Coordinate& size, const bench::PlannedTrajectory& trajectory,
                                         const bench::MachineDescription& machine,
                                         const std::vector<bench::DevicePlan>& plans);

}  // namespace trellis::app

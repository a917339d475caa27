// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The output of `trellis plan`.

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "trellis/app/input/input.hpp"
#include "trellis/app/plan/plan_reasons.hpp"
#include "trellis/bench/model/plan.hpp"

namespace trellis::app {

struct PlanReport {
  RunInput input;
  std::string algorithm;  // lines about it, if the run chooses it (kind = "auto"); else empty
  bench::MachineDescription machine;
  std::vector<bench::SolveWork> solves;
  std::string iterations_from;  // "an upper bound", ...
  bool iterations_are_bound = false;
  std::vector<bench::DevicePlan> plans;  // by number of devices
  // With a third and with a half of the iterations, which runs so far needed; empty unless iterations are the bound.
  std::vector<std::pair<double, double>> likely;  // seconds per trajectory
  std::vector<SlowerReason> slower;
  std::size_t shown = 0;           // index of the plan whose memory and kernels are shown
  std::vector<std::string> notes;  // about what could not be planned

  // Over all trajectories.
  double node_hours(const bench::DevicePlan& plan) const;
  bool fits(const bench::DevicePlan& plan) const { return plan.memory_bytes() <= machine.device_memory_bytes; }
  std::vector<bench::DevicePlan> fitting() const;
  // Relative to the device-seconds of the smallest number of devices that holds the lattice.
  double efficiency(const bench::DevicePlan& plan) const;
};

// Bytes on disk of a run's configurations and of its checkpoints: the last two, and the next one while it is written.
struct DiskPlan {
  std::int64_t configurations = 0;
  double configuration_bytes = 0, checkpoint_bytes = 0;
  double total() const { return double(configurations) * configuration_bytes + 3 * checkpoint_bytes; }
};
DiskPlan disk_plan(const RunInput& input);

std::string plan_text(const PlanReport& report);
nlohmann::ordered_json plan_json(const PlanReport& report);

}  // namespace trellis::app

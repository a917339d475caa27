// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a chain tells of its trajectories while it goes on, once each: solves that links in 16 bits or rounding spoil,
// and integrations that are unstable. It would meet them again and again. Also counts what the force filter of HISQ
// links does.

#include <cstdint>
#include <functional>
#include <string>

#include "trellis/hmc/trajectory.hpp"

namespace trellis::app {

class TrajectoryNotes {
 public:
  using Tell = std::function<void(const std::string&)>;

  explicit TrajectoryNotes(double sites);

  // Call it before the first trajectory of the chain: whatever was tried before is not of this chain.
  void begin();
  // After each.
  void look(const hmc::TrajectoryRecord& record, std::uint32_t number, const Tell& tell);
  // At the end; empty if the filter did nothing.
  std::string filter_text() const;

 private:
  void tell_of_rounding(const hmc::TrajectoryRecord& record, std::uint32_t number, const Tell& tell);
  void tell_of_instability(const hmc::TrajectoryRecord& record, std::uint32_t number, const Tell& tell);

  double sites_;
  bool rounding_told_ = false, fallbacks_told_ = false, instability_told_ = false;
  double filtered_ = 0, filtered_before_ = 0;  // links, by the force filter
  std::int64_t filtered_trajectories_ = 0;
};

}  // namespace trellis::app

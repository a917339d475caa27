// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/thread_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/tuning/thread_count.hpp"

namespace trellis::app {
namespace {

constexpr double pause_seconds = 20, much_lost = 0.1;
constexpr double seconds_at_start = 20e-3, seconds_later = 40e-3;  // for each number of threads

bool environment_says() {
  const char* number = std::getenv("OMP_NUM_THREADS");
  return number != nullptr && *number != '\0';
}

}  // namespace

ThreadChoice::ThreadChoice(const comm::ProcessGrid& grid, const Coordinate& size, int lanes, bool staggered,
                           const MachineInput& machine)
    : local_(grid.local(size)),
      lanes_(lanes),
      staggered_(staggered),
      tries_(machine.threads == 0 && !environment_says()),
      alone_(grid.size() == 1),
      there_are_(concurrency()),
      used_(there_are_) {
  const bool is_small = tuning::is_small_for(local_, there_are_);
  if (is_small && machine.threads > 0) set_by_ = fmt::format("machine.threads (now {})", machine.threads);
  if (is_small && environment_says()) set_by_ += fmt::format("{}OMP_NUM_THREADS", set_by_.empty() ? "" : " and ");
  tries_ = tries_ && is_small;
  double most = tries_ ? tried(seconds_at_start) : there_are_;
  grid.ranks().maximum("threads", {&most, 1});
  if (!tries_) return;
  used_ = std::min(there_are_, static_cast<int>(most));
  set_thread_count(used_);
}

int ThreadChoice::tried(double seconds) const {
  const Region region("choose threads");
  set_thread_count(there_are_);
  return tuning::best_thread_count(local_, lanes_, staggered_, seconds);
}

bool ThreadChoice::again(double lost) {
  const bool may_be_better = used_ < there_are_ || lost > much_lost;
  if (!tries_ || !alone_ || !may_be_better || since_.seconds() < pause_seconds) return false;
  since_ = {};
  const int before = std::exchange(used_, tried(seconds_later));
  set_thread_count(used_);
  return used_ != before;
}

std::string ThreadChoice::set_by() const { return set_by_; }

std::string ThreadChoice::text() const {
  return fmt::format(
      "Using {} of {} threads{}{}", used_, there_are_, alone_ ? "" : " a rank",
      is_fewer() ? ": more are currently no faster on this lattice (OMP_NUM_THREADS sets another number)" : "");
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/dry_run.hpp"

#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/profile/profile_events.hpp"

namespace trellis {

using profile_detail::this_thread;

namespace {
DryRun& run_of_thread() {
  if (this_thread.dry_run == nullptr) fail("this is not a dry run");
  return *this_thread.dry_run;
}
}  // namespace

bool dry_run_detail::in_this_thread() { return this_thread.dry_run != nullptr; }

DryRun::DryRun(Turns turns) : turns_(std::move(turns)), before_(std::exchange(this_thread.dry_run, this)) {
  runtime_detail::listeners_changed(+1);
}

DryRun::~DryRun() {
  runtime_detail::listeners_changed(-1);
  this_thread.dry_run = before_;
}

void DryRun::begin(const Kernel& kernel) {
  if (depth_++ > 0) {
    calls_.back().launches = ++inner_;
    return;
  }
  inner_ = 0;
  Call call;
  call.name = kernel.name;
  call.single = kernel.single;
  call.bytes = kernel.bytes;
  call.flops = kernel.flops;
  call.times = times_;
  calls_.push_back(std::move(call));
}

std::vector<double> dry_turns(std::string_view loop, int count) {
  const auto& turns = run_of_thread().turns_;
  if (!turns) return std::vector<double>(std::size_t(count), 1.0);
  auto told = turns(loop, count);
  if (int(told.size()) != count) fail("dry run: {} numbers of turns for the {} parts of {}", told.size(), count, loop);
  return told;
}

DryLoop::DryLoop(double times) : before_(run_of_thread().times_), first_(run_of_thread().calls_.size()) {
  run_of_thread().times_ *= times;
}

DryLoop::~DryLoop() {
  DryRun& run = *this_thread.dry_run;
  double bytes = 0;
  for (std::size_t k = first_; k < run.calls_.size(); ++k) bytes += run.calls_[k].bytes;
  for (std::size_t k = first_; k < run.calls_.size(); ++k)
    if (run.calls_[k].loop_bytes == 0) run.calls_[k].loop_bytes = bytes;
  run.times_ = before_;
}

}  // namespace trellis

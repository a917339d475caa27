// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile.hpp"

#include <atomic>

#include "trellis/core/profile/profile_events.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

using namespace profile_detail;

namespace {
constinit std::atomic<void (*)()> settle = nullptr;
}  // namespace

void profile_detail::settle_kernel_times() {
  if (auto* const bring = settle.load()) bring();
}

void profile_detail::settle_kernel_times_with(void (*bring)()) { settle = bring; }

const std::vector<KernelTotals>& KernelProfile::kernels() const {
  settle_kernel_times();
  totals_ = kernels_;
  for (std::size_t n = 0; n < totals_.size(); ++n) totals_[n].seconds = times_[n].seconds();
  return totals_;
}

double KernelProfile::seconds() const {
  double sum = 0;
  for (const auto& kernel : kernels()) sum += kernel.seconds;
  return sum;
}

// There are dozens of names: a linear search is faster than hashing one.
std::size_t KernelProfile::count(const Kernel& kernel) {
  std::size_t n = 0;
  while (n < kernels_.size() && !(kernels_[n].single == kernel.single && kernels_[n].name == kernel.name)) ++n;
  if (n == kernels_.size()) {
    kernels_.push_back({.name = kernel.name, .single = kernel.single});
    times_.emplace_back();
  }
  auto& totals = kernels_[n];
  ++totals.calls;
  totals.bytes += kernel.bytes;
  totals.flops += kernel.flops;
  return n;
}

void KernelProfile::add(const Kernel& kernel, double seconds) { add_seconds(count(kernel), seconds); }

void KernelProfile::add_seconds(const Place& place, double seconds) { times_[place.entry].add(place.call, seconds); }

ActiveProfile::ActiveProfile(KernelProfile& profile) : before_(this_thread.active) {
  fence();  // earlier work is not counted
  runtime_detail::listeners_changed(+1);
  this_thread.active = &profile;
}

ActiveProfile::~ActiveProfile() {
  settle_kernel_times();
  this_thread.active = before_;
  runtime_detail::listeners_changed(-1);
}

void KernelTimer::start(const Kernel& kernel) {
  runtime_detail::require_running_kernel(kernel.name);
  if (this_thread.dry_run != nullptr) {
    this_thread.dry_run->begin(kernel);
    call_.emplace(Call{kernel, nullptr, 0, 0, {}, false, true});
    return;
  }
  if (this_thread.in_capture) {
    this_thread.captured_bytes += kernel.bytes;
    this_thread.captured_flops += kernel.flops;
    this_thread.captured_double = this_thread.captured_double || !kernel.single;
  }
  const bool heard = heard_here();
  KernelProfile* const profile = this_thread.in_hook || this_thread.in_capture ? nullptr : this_thread.active;
  if (profile == nullptr && !heard) return;
  call_.emplace(Call{kernel, profile, profile == nullptr ? 0 : profile->count(kernel), 0, {}, false, false});
  this_thread.active = nullptr;
  if (heard) {
    const auto event = begin_event();
    call_->id = event.id;
    tell(&Listener::begin_kernel, {event, kernel});
    this_thread.in_kernel = true;
  }
  call_->begin = std::chrono::steady_clock::now();
}

std::optional<KernelTimer::Place> KernelTimer::later() {
  if (!call_ || (call_->id != 0 && anyone_waits())) return std::nullopt;
  call_->timed_by_others = true;
  Place place{.profile = call_->profile, .entry = call_->entry, .event = call_->id};
  if (place.profile != nullptr)
    place.call = place.profile->times_[place.entry].count(call_->kernel.bytes, call_->id != 0);
  return place;
}

void KernelTimer::mark_result() { this_thread.dry_run->mark_result(); }

void KernelTimer::stop() {
  if (call_->dry) return this_thread.dry_run->end();
  const auto time = std::chrono::steady_clock::now() - call_->begin;
  const double seconds = std::chrono::duration<double>(time).count();
  if (call_->profile != nullptr) {
    if (!call_->timed_by_others) call_->profile->add_seconds(call_->entry, seconds);
    this_thread.active = call_->profile;
  }
  if (call_->id != 0) {
    this_thread.in_kernel = false;
    if (call_->timed_by_others) return;
    tell(&Listener::end_kernel, {{call_->id, thread_number(), call_->begin, seconds}, call_->kernel});
  }
}

}  // namespace trellis

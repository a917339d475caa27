// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Reports allocations and copies to listeners.
#include <string>

#include "trellis/core/device/copy_timer.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/profile/profile_events.hpp"

namespace trellis::detail {

using namespace profile_detail;

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t now() { return Clock::now().time_since_epoch().count(); }

ProfilingEvent event_of(std::uint64_t id, std::int64_t began) {
  return {id, thread_number(), Clock::time_point(Clock::duration(began)), 0};
}

std::string_view event_label(const Allocation* allocation) {
  return allocation == nullptr ? std::string_view("(unmanaged)") : std::string_view(allocation->label);
}

CopyEvent copy_event(const CopyEnds& ends, std::uint64_t id, std::int64_t began) {
  const auto from = ends.of_value ? std::string_view() : event_label(ends.from);
  return {event_of(id, began), ends.to_space, event_label(ends.to), ends.from_space, from, std::size_t(ends.bytes)};
}

}  // namespace

std::int64_t begin_allocation(std::string_view label) {
  runtime_detail::require_running([&] { return fmt::format("View '{}': allocated", label); });
  return this_thread.in_hook || !anyone_listens() ? 0 : now();
}

void end_allocation(std::int64_t began, const Allocation& allocation) noexcept {
  tell_end<MemoryEvent>(&Listener::allocate, {event_of(next_event(), began), allocation.space, allocation.label,
                                              allocation.data, allocation.bytes});
}

void CopyTimer::begin() {
  runtime_detail::require_running([&] {
    const auto from = ends_.of_value ? std::string("a value") : fmt::format("'{}'", event_label(ends_.from));
    return fmt::format("deep_copy of {} to '{}': called", from, event_label(ends_.to));
  });
  if (!heard_here() || this_thread.in_copy) return;
  id_ = next_event();
  began_ = now();
  this_thread.in_copy = true;
  tell(&Listener::begin_copy, copy_event(ends_, id_, began_));
}

void CopyTimer::end() {
  this_thread.in_copy = false;
  tell_end(&Listener::end_copy, copy_event(ends_, id_, began_));
}

}  // namespace trellis::detail

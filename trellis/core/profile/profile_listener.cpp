// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile_listener.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "trellis/core/base/standard_streams.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/profile/profile_events.hpp"
#include "trellis/core/runtime/allocation.hpp"

namespace trellis {
namespace profile_detail {
namespace {

struct Registered {
  std::uint64_t since;  // it is told of events with higher numbers
  Listener listener;
};

// Never destroyed: static Views are destroyed after main, in any order.
struct Registry {
  std::shared_mutex mutex;
  std::vector<Registered> registered;
  std::atomic<std::size_t> count = 0;
  std::atomic<std::uint64_t> events = 0;
  std::atomic<int> threads = 0;
};
Registry& registry() {
  static Registry& only = *new Registry;
  return only;
}

template <class Event>
void tell_all(std::function<void(const Event&)> Listener::* hook, const Event& event) noexcept {
  auto& all = registry();
  const std::shared_lock lock(all.mutex);
  this_thread.in_hook = true;
  for (const auto& one : all.registered) {
    const auto& call = one.listener.*hook;
    if (one.since >= event.id || !call) continue;
    try {
      call(event);
    } catch (const std::exception& error) {
      print_to_stderr(fmt::format("trellis: warning: a profiling hook threw: {}\n", error.what()));
    } catch (...) {
      print_to_stderr("trellis: warning: a profiling hook threw\n");
    }
  }
  this_thread.in_hook = false;
}

}  // namespace

int thread_number() {
  if (this_thread.number == 0) this_thread.number = ++registry().threads;
  return this_thread.number;
}

std::uint64_t next_event() { return ++registry().events; }

bool anyone_waits() {
  auto& all = registry();
  const std::shared_lock lock(all.mutex);
  return !std::ranges::all_of(all.registered, [](const Registered& one) { return one.listener.ends_late; });
}

void late_end(std::uint64_t id, std::chrono::steady_clock::time_point begin, double seconds, int stream) noexcept {
  tell(&Listener::end_kernel, {{id, thread_number(), begin, seconds}, Kernel(""), stream});
}

bool anyone_listens() { return registry().count.load(std::memory_order_relaxed) > 0; }

// The depth tells a kernel's other threads that they are within one.
bool heard_here() {
  return !this_thread.in_kernel && !this_thread.in_hook && !this_thread.in_capture && backend::kernel_depth == 0 &&
         anyone_listens();
}

void tell(std::function<void(const KernelEvent&)> Listener::* hook, const KernelEvent& event) noexcept {
  tell_all(hook, event);
}
void tell(std::function<void(const RegionEvent&)> Listener::* hook, const RegionEvent& event) noexcept {
  tell_all(hook, event);
}
void tell(std::function<void(const MemoryEvent&)> Listener::* hook, const MemoryEvent& event) noexcept {
  tell_all(hook, event);
}
void tell(std::function<void(const CopyEvent&)> Listener::* hook, const CopyEvent& event) noexcept {
  tell_all(hook, event);
}

void tell(std::function<void(const MessageEvent&)> Listener::* hook, const MessageEvent& event) noexcept {
  tell_all(hook, event);
}

void deallocated(const Allocation& allocation) noexcept {
  if (this_thread.in_hook || !anyone_listens()) return;
  tell(&Listener::deallocate, {begin_event(), allocation.space, allocation.label, allocation.data, allocation.bytes});
}

}  // namespace profile_detail

using namespace profile_detail;

Listening::Listening(Listener listener) {
  if (this_thread.in_hook) fail("a profiling hook registers a listener");
  {
    auto& all = registry();
    const std::unique_lock lock(all.mutex);
    since_ = next_event();
    all.registered.push_back({since_, std::move(listener)});
    all.count = all.registered.size();
  }
  runtime_detail::listeners_changed(+1);
}

Listening::~Listening() {
  settle_kernel_times();
  auto& all = registry();
  const std::unique_lock lock(all.mutex);
  std::erase_if(all.registered, [&](const Registered& one) { return one.since == since_; });
  all.count = all.registered.size();
  runtime_detail::listeners_changed(-1);
}

bool has_listeners() { return anyone_listens(); }

void report_message(std::string_view name, int from, std::size_t bytes, std::chrono::steady_clock::time_point begin) {
  if (runtime_detail::quiet() || !heard_here()) return;
  const std::chrono::duration<double> under_way = std::chrono::steady_clock::now() - begin;
  tell(&Listener::message, {{next_event(), thread_number(), begin, under_way.count()}, name, from, bytes});
}

void Region::begin(std::string_view name) {
  runtime_detail::ask_environment();
  if (!heard_here()) return;
  name_ = name;
  event_ = begin_event();
  tell(&Listener::begin_region, {event_, name_});
}

void Region::end() { tell_end<RegionEvent>(&Listener::end_region, {event_, name_}); }

}  // namespace trellis

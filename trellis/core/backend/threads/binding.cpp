// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/binding.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "trellis/core/backend/threads/follow_binding.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"
#if defined(TRELLIS_HAS_HWLOC)
#include <hwloc.h>
#endif

namespace trellis {

std::vector<std::vector<int>> places_of_threads(const std::vector<Core>& cores, Binding how, int threads,
                                                SharedProcessors shared) {
  std::vector<std::vector<int>> places(static_cast<std::size_t>(threads));
  const auto count = static_cast<Index>(cores.size());
  const Index all_threads = Index{threads} * shared.ranks;
  for (Index t = 0; t < threads; ++t) {
    auto& place = places[static_cast<std::size_t>(t)];
    const Core* const own =
        count == 0 ? nullptr
                   : &cores[static_cast<std::size_t>((shared.rank * Index{threads} + t) * count / all_threads)];
    for (const Core& core : cores) {
      const bool here = how == Binding::none || (how == Binding::core ? &core == own : core.socket == own->socket);
      if (here) place.insert(place.end(), core.processors.begin(), core.processors.end());
    }
  }
  return places;
}

#if defined(TRELLIS_HAS_HWLOC)

namespace {

struct FreeTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, FreeTopology>;

struct FreeSet {
  void operator()(hwloc_bitmap_s* set) const { hwloc_bitmap_free(set); }
};
using Set = std::unique_ptr<hwloc_bitmap_s, FreeSet>;

std::vector<int> numbers(const Set& set) {
  std::vector<int> all;
  for (int n = hwloc_bitmap_first(set.get()); n >= 0; n = hwloc_bitmap_next(set.get(), n)) all.push_back(n);
  return all;
}

// Never destroyed: threads of a pool may look at it until the program ends.
struct Machine {
  Topology topology;
  std::vector<Core> cores;  // on which the process could run when it first bound threads, or asked
  std::vector<int> processors;
};

Set place_of_this_thread(const Topology& topology) {
  Set set(hwloc_bitmap_alloc());
  if (set == nullptr || hwloc_get_cpubind(topology.get(), set.get(), HWLOC_CPUBIND_THREAD) != 0) set.reset();
  return set;
}

Machine make_machine() {
  hwloc_topology* made = nullptr;
  if (hwloc_topology_init(&made) != 0) return {};
  Machine machine{Topology(made), {}, {}};
  if (hwloc_topology_load(made) != 0) return {};
  const Set allowed = place_of_this_thread(machine.topology);
  if (allowed == nullptr) return machine;
  machine.processors = numbers(allowed);
  const Set own(hwloc_bitmap_alloc());
  for (hwloc_obj_t core = hwloc_get_next_obj_by_type(made, HWLOC_OBJ_CORE, nullptr); core != nullptr;
       core = hwloc_get_next_obj_by_type(made, HWLOC_OBJ_CORE, core)) {
    hwloc_bitmap_and(own.get(), core->cpuset, allowed.get());
    if (hwloc_bitmap_iszero(own.get())) continue;
    hwloc_obj* const socket = hwloc_get_ancestor_obj_by_type(made, HWLOC_OBJ_PACKAGE, core);
    machine.cores.push_back({socket == nullptr ? 0 : static_cast<int>(socket->logical_index), numbers(own)});
  }
  return machine;
}

const Machine& machine() {
  static const Machine* const made = new Machine(make_machine());
  return *made;
}

constinit std::mutex binding_mutex;
constinit Binding bound = Binding::none;
constinit SharedProcessors bound_shared;

// errno, or 0.
int run_on(const std::vector<int>& processors) {
  const Set set(hwloc_bitmap_alloc());
  for (const int n : processors) hwloc_bitmap_set(set.get(), static_cast<unsigned>(n));
  errno = 0;
  if (hwloc_set_cpubind(machine().topology.get(), set.get(), HWLOC_CPUBIND_THREAD) == 0) return 0;
  return errno == 0 ? EINVAL : errno;
}

}  // namespace

void bind_threads(Binding how, SharedProcessors shared) {
  if (shared.ranks < 1 || shared.rank < 0 || shared.rank >= shared.ranks)
    fail("bind_threads: process {} of {} that share processors", shared.rank, shared.ranks);
  if (how == Binding::none && backend::binding_number.load() == 0) return;
  const int threads = concurrency();
  if (machine().cores.empty()) fail_input("threads cannot be bound: this machine does not say which cores it has");
  const auto places = places_of_threads(machine().cores, how, threads, shared);
  if (const int error = run_on(how == Binding::none ? machine().processors : places[0]); error != 0)
    fail_input("threads cannot be bound: {}", std::strerror(error));
  const std::lock_guard lock(binding_mutex);
  bound = how;
  bound_shared = shared;
  ++backend::binding_number;
}

Binding thread_binding() {
  const std::lock_guard lock(binding_mutex);
  return bound;
}

void run_anywhere() {
  if (thread_binding() != Binding::none) run_on(machine().processors);
}

std::vector<int> processors_of_this_thread() {
  const Set set = machine().topology == nullptr ? nullptr : place_of_this_thread(machine().topology);
  return set == nullptr ? std::vector<int>{} : numbers(set);
}

void backend::move_to_place(int thread, int threads) {
  struct Place {
    unsigned number = 0;
    int thread = -1, threads = 0;
    bool operator==(const Place&) const = default;
  };
  static thread_local Place last;
  const Place now{binding_number.load(std::memory_order_relaxed), thread, threads};
  if (last == now) return;
  last = now;
  Binding how = Binding::none;
  SharedProcessors shared;
  {
    const std::lock_guard lock(binding_mutex);
    how = bound;
    shared = bound_shared;
  }
  run_on(how == Binding::none
             ? machine().processors
             : places_of_threads(machine().cores, how, threads, shared)[static_cast<std::size_t>(thread)]);
}

#else

void bind_threads(Binding how, SharedProcessors) {
  if (how != Binding::none) fail_input("threads cannot be bound: Trellis was built without hwloc (TRELLIS_HWLOC)");
}
Binding thread_binding() { return Binding::none; }
void run_anywhere() {}
std::vector<int> processors_of_this_thread() { return {}; }
void backend::move_to_place(int, int) {}

#endif

}  // namespace trellis

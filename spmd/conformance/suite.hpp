// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A case of the conformance suite is a type with
//   template <WorkItems Way> static void run(const Data&)    launches a kernel that writes data.out
//   static void expect(const Data&)                          writes the expected output, by plain loops over
//                                                            work-items, one phase between barriers after the other
// derived from Fission if every way must run it, from Continuations if fission may refuse it because a barrier depends
// on a condition that is the same for all work-items only in fact. The project's compiler compiles a file of cases for
// the library's ways, and clang with the plugin, at several levels, for the plugin's.

#include <cstdint>
#include <vector>

#include "trellis/core/nd_range.hpp"

namespace trellis::conformance {

using u32 = std::uint32_t;

// On hosts, even where the default space is a GPU.
template <int D, class Exec = DefaultHostExecutionSpace>
using nd_range = trellis::nd_range<D, Exec>;

constexpr Index inputs = 4096;

struct Data {
  Index groups, size;  // size of a group
  const u32* in;       // `inputs` random numbers
  u32* out;            // four for each work-item
};

struct Fission {
  static constexpr bool for_fission = true;
  static constexpr Index largest = 1024;
};
struct Continuations {
  static constexpr bool for_fission = false;
  static constexpr Index largest = 1024;
};

struct Case {
  const char *name, *way;
  Index largest;  // the largest group it can run with
  void (*run)(const Data&);
  void (*expect)(const Data&);
};
std::vector<Case>& cases();

template <class C, WorkItems Way>
void add_way(const char* name, const char* way) {
  cases().push_back({name, way, C::largest, &C::template run<Way>, &C::expect});
}

template <class C>
bool add(const char* name) {
#if defined(TRELLIS_SPMD_PLUGIN)
  add_way<C, WorkItems::continuations>(name, "continuations");
  if constexpr (C::for_fission) {
    add_way<C, WorkItems::fission>(name, "fission");
  } else {
    add_way<C, WorkItems::fission_or_continuations>(name, "fission_or_continuations");
  }
#else
  add_way<C, WorkItems::fibers>(name, "fibers");
  add_way<C, WorkItems::threads>(name, "threads");
#endif
  return true;
}

template <WorkItems Way, class F>
void launch(const Data& data, const F& kernel) {
  parallel_for("case", nd_range<1>{data.groups * data.size, data.size}.by(work_items<Way>), kernel);
}
template <WorkItems Way, class F>
void launch(const Data& data, const LocalMemory& memory, const F& kernel) {
  parallel_for("case", nd_range<1>{data.groups * data.size, data.size}.with(memory).by(work_items<Way>), kernel);
}

// For expect(): numbers of one group's work-items.
using Numbers = std::vector<u32>;
inline Numbers numbers(Index n) { return Numbers(static_cast<std::size_t>(n)); }

template <class F>
void all_items(Index n, const F& f) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) f(i);
}

// Where work-item l of group g of n reads and writes.
inline u32 input(const Data& d, Index g, std::size_t l, Index more = 0) {
  return d.in[(g * d.size + static_cast<Index>(l) + more) % inputs];
}
inline u32& output(const Data& d, Index g, std::size_t l) { return d.out[g * d.size + static_cast<Index>(l)]; }

// The same in kernels.
template <int D>
TRELLIS_FUNCTION u32 input(const u32* in, const nd_item<D>& item, Index more = 0) {
  return in[(item.global_linear_id() + more) % inputs];
}

// In a separate file, which the plugin does not compile.
u32 outside(u32 a, u32 b) noexcept;
// Not noexcept, as far as the compiler knows, so it is called differently.
u32 read_outside(const u32* x);

}  // namespace trellis::conformance

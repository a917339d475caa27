// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A loop over small kernels that is launched once: its threads stay on the device, and meet where one kernel would end
// and the next begin. Meeting takes at most a microsecond, a kernel of a stream two to four.
//   struct Body {
//     template <class Team>
//     TRELLIS_FUNCTION void operator()(Team& team) const {
//       for (int turn = 0; turn < turns; ++turn) {
//         team.each(tiles, [&](int tile) { ... });
//         team.meet();
//         const double total = team.template sum<S>(tiles, [&](int tile) { return term; });
//       }
//     }
//   };
//   const Resident<Exec> resident(space);
//   if (resident.takes(threads)) resident.run(kernel, threads, lanes, Body{...}, bytes);
// There is a thread for each lane of each tile. All threads run the body, and must take the same path from one of these
// calls to the next:
//   each(tiles, f)            f(tile) for each lane of each tile, as in tile_policy.hpp; all calls give a tile to the
//                             same threads
//   each(tiles, vectors, f)   f(tile, vector)
//   each_number(count, f)     f(i), 0 <= i < count, for a few scalars
//   once(f)                   f() in one thread
//   sum<S>(tiles, f)          the exact sum of the terms f(tile) -> S, a lane type over double, known to all threads.
//                             The same bits as the sums of tile_policy.hpp. All threads have called f, so what it read
//                             may be overwritten, but only after meet() do others see what was written.
//   meet()                    all threads now see what any has written
//   memory()                  at most `bytes` of fast memory for what a thread reads again and again; less, if there is
//                             not so much (thread_memory.hpp)
//   Team::one_tile_each       each thread has one tile at most, so what it knows of that can stay in its registers from
//                             one call to the next (OwnVector in solver/resident_bodies.hpp)
// memory_each(threads): so many bytes can be asked for that each thread surely gets them.
// takes(): false on hosts, which gain nothing by this, if each kernel must be reported to a listener or a dry run,
// within a graph (graph.hpp), for devices that cannot do it, and for more threads than are on the device at once. On a
// host run() calls the body with a team that dispatches each part, so that a body can be tested anywhere. A body runs
// in order with the kernels of the space; the host does not wait for it. One Resident serves one stream at a time.

#include "trellis/core/device/thread_memory.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis {

namespace backend {

// The parts of a body as separate kernels.
template <ExecutionSpace Exec>
class DispatchingTeam {
 public:
  static constexpr bool one_tile_each = false;

  DispatchingTeam(const Kernel& kernel, const Exec& space, int lanes) : kernel_(kernel), space_(space), lanes_(lanes) {}

  template <class F>
  void each(int tiles, const F& f) const {
    parallel_for(kernel_, TilePolicy<Exec>(space_, tiles, lanes_), f);
  }
  template <class F>
  void each(int tiles, int vectors, const F& f) const {
    parallel_for(kernel_, TilePolicy<Exec>(space_, tiles, lanes_, vectors), f);
  }
  template <class F>
  void each_number(int count, const F& f) const {
    for (int i = 0; i < count; ++i) f(i);
  }
  template <class F>
  void once(const F& f) const {
    f();
  }
  template <class S, class F>
  double sum(int tiles, const F& f) const {
    return exact_sums_of_vectors<S>(kernel_, TilePolicy<Exec>(space_, tiles, lanes_, 1),
                                    [&](int tile, int) { return f(tile); })[0];
  }
  void meet() const {}
  ThreadMemory memory() const { return {}; }

 private:
  Kernel kernel_;
  Exec space_;
  int lanes_;
};

}  // namespace backend

template <ExecutionSpace Exec>
class Resident {
 public:
  explicit Resident(const Exec& space = {}) : space_(space) {}
  bool takes(Index /*threads*/) const { return false; }
  unsigned memory_each(Index /*threads*/) const { return 0; }
  template <class Body>
  void run(const Kernel& kernel, Index /*threads*/, int lanes, const Body& body, unsigned /*bytes*/ = 0) const {
    backend::DispatchingTeam<Exec> team(kernel, space_, lanes);
    body(team);
  }

 private:
  Exec space_;
};

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(resident.hpp)
#endif

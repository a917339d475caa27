// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work-group kernels: the work-items of a group run concurrently, wait for one another and share memory.
//   LocalMemory memory;
//   const auto tile = memory.array<float>(256);
//   parallel_for("reverse", nd_range<1>{n, 256}.with(memory), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
//     float* const t = item.local(tile);
//     t[item.local_id(0)] = a[item.global_id(0)];
//     item.barrier();
//     b[item.global_id(0)] = t[255 - item.local_id(0)];
//   });
// nd_range<D, Exec>{global, local}: the number of work-items in total and per group; integers for D = 1, lists {x, y},
// {x, y, z} for 2 and 3. Dimension 0 runs fastest. What a work-item can do is in nd_item.hpp, memory in
// local_memory.hpp. Kernels are noexcept. Groups run in any order, and do not wait for one another. The same source
// runs in every space.
//
// On a GPU a group is a block. On hosts groups are distributed to the threads of the space, and a group's work-items
// run in a way (WorkItems, backend/work_group.hpp) that is chosen at compile time; Cuda ignores it:
//   nd_range<1>{n, 64}.by(work_items<WorkItems::fibers>)
// The plugin's ways exist in files that it compiles (trellis_spmd_sources). In the library's ways a work-item has a
// stack of 64 KiB (256 under sanitizers), and the program ends if that overflows, unless the work-item is a thread or
// meets no barrier; a barrier must not be inside an exception handler.
//
// Throws Error before anything runs: sizes below 1; global sizes that are not multiples of local ones; more than 1024
// work-items in a group; more local memory than 1 MiB on a host and 48 KiB on a GPU; more than a GPU's grids and blocks
// can have (2^31 groups in x, 65536 in y and z, 64 work-items in z); a way of the plugin without it. While groups run:
// a barrier that not all work-items of a group meet, naming both places (the library's ways find this, in debug and
// release builds); no memory left for local<T>() or for stacks. Some of the other groups may then have run, and
// resources held by the group's work-items are not released.
//
// Cost: a kernel that meets no barrier is a loop over the work-items of a group. A barrier takes 6 to 9 ns per
// work-item with fibers and 2 to 20 us with threads (groups of 8 to 1024 on two cores of a Zen 4), and 20 ns more when
// a fiber begins and ends.

#include <concepts>
#include <type_traits>

#include "trellis/core/backend/host_groups.hpp"
#include "trellis/core/backend/work_group.hpp"
#include "trellis/core/kernel.hpp"
#include "trellis/core/local_memory.hpp"
#include "trellis/core/nd_item.hpp"
#include "trellis/core/spaces.hpp"
#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(nd_range.hpp)
#endif

namespace trellis {

namespace backend {
// In a build whose kernels run on a device: its space.
template <class Exec>
inline constexpr bool is_device =
    std::is_same_v<Exec, DefaultExecutionSpace> && !std::is_same_v<Exec, DefaultHostExecutionSpace>;
}  // namespace backend

template <WorkItems Way>
struct WorkItemsConstant {};
template <WorkItems Way>
inline constexpr WorkItemsConstant<Way> work_items{};

// The number of work-items in each dimension: an integer, or a list of D.
template <int D>
struct Sizes {
  template <std::integral... N>
    requires(sizeof...(N) == D)
  Sizes(N... n) : at{backend::checked_size(n)...} {}
  Index at[D];
};

template <int D, class Exec = DefaultExecutionSpace, WorkItems Way = WorkItems::automatic>
class nd_range {
  static_assert(D >= 1 && D <= 3, "nd_range has 1 to 3 dimensions");
  static_assert(std::is_same_v<typename Exec::memory_space, HostSpace> || backend::is_device<Exec>,
                "nd_range runs in Serial, OpenMP and Cuda");

 public:
  using execution_space = Exec;
  static constexpr int dimensions = D;
  static constexpr WorkItems way = Way;

  nd_range(const Sizes<D>& global, const Sizes<D>& local) : nd_range(Exec{}, global, local) {}
  nd_range(const Exec& space, const Sizes<D>& global, const Sizes<D>& local)
      : space_(space), global_(global), local_(local) {
    backend::require_valid_nd_range(Exec::name, backend::is_device<Exec>, D, global.at, local.at);
  }

  nd_range with(const LocalMemory& memory) const {
    backend::require_valid_local_memory(Exec::name, backend::is_device<Exec>, memory.bytes());
    nd_range result = *this;
    result.local_bytes_ = memory.bytes();
    return result;
  }
  template <WorkItems W>
  nd_range<D, Exec, W> by(WorkItemsConstant<W>) const {
    nd_range<D, Exec, W> result(space_, global_, local_);
    result.local_bytes_ = local_bytes_;
    return result;
  }

  const Exec& space() const { return space_; }
  Index global_range(int d = 0) const { return global_.at[d]; }
  Index local_range(int d = 0) const { return local_.at[d]; }
  Index group_range(int d = 0) const { return global_.at[d] / local_.at[d]; }
  std::size_t local_bytes() const { return local_bytes_; }

 private:
  template <int, class, WorkItems>
  friend class nd_range;

  Exec space_;
  Sizes<D> global_, local_;
  std::size_t local_bytes_ = 0;
};

template <int D, class Exec, WorkItems Way, class F>
void parallel_for(const Kernel& kernel, const nd_range<D, Exec, Way>& range, const F& f) {
  if constexpr (backend::is_device<Exec>) {
#if defined(TRELLIS_DEVICE_BACKEND)
    backend::run_device_groups(kernel, range, f);
#endif
  } else {
    backend::run_host_groups<D, Way>(kernel, range, !std::is_same_v<Exec, Serial>, f);
  }
}

}  // namespace trellis

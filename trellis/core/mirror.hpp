// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies of data, the only ones that Trellis makes, and mirrors.
//   deep_copy(dst, src)            every element, across layouts and memory spaces, static and run-time extents
//   deep_copy(dst, value)          the same value everywhere
//   deep_copy(space, dst, src)     in order with the kernels of that execution space instance, without waiting;
//   deep_copy(space, dst, value)   the space must be able to access both Views
//   create_mirror([Space{},] view)                a new View in that memory space (HostSpace), same extents and layout
//                                                 (contiguous if it was strided)
//   create_mirror_view([Space{},] view)           the view itself if it is already in that space (or, with no space
//                                                 named, if the host can access it), otherwise create_mirror
//   create_mirror_view_and_copy([Space{},] view)  the same, with its values
// deep_copy without a space waits for all previous kernels and is complete when it returns. Copying a view to itself
// does nothing; for views that overlap otherwise the result is undefined. Throws Error, naming both labels, if extents
// differ. Cost: one read and one write of the data, by all threads; between spaces, a different layout also needs a
// temporary.

#include "trellis/core/device/copy_timer.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

// Copies contiguous bytes: between host pointers by all threads; with a device at either end, through its driver.
// Chosen by the types of the spaces: a backend with its own memory space adds its own overloads.
void copy_bytes(HostSpace, void* to, HostSpace, const void* from, std::size_t bytes);

namespace detail {

[[noreturn]] void copy_extents_differ(const Allocation* to, const Allocation* from, int r, Index found, Index expected);

// The execution space that works on a memory space: its own if it names one, the host's if the host can access it.
template <class Memory>
struct WorkerOf {
  using type = std::conditional_t<can_access<DefaultHostExecutionSpace, Memory>, DefaultHostExecutionSpace,
                                  DefaultExecutionSpace>;
};
template <class Memory>
  requires requires { typename Memory::execution_space; }
struct WorkerOf<Memory> {
  using type = typename Memory::execution_space;
};
template <class Memory>
using worker_of = typename WorkerOf<Memory>::type;

// A space that can access both, or void.
template <class To, class From>
using worker_of_both = std::conditional_t<can_access<worker_of<To>, From>, worker_of<To>,
                                          std::conditional_t<can_access<worker_of<From>, To>, worker_of<From>, void>>;

template <class Layout>
struct Contiguous {
  using type = Layout;
};
template <>
struct Contiguous<LayoutStride> {
  using type = LayoutRight;
};
template <int W>
struct Contiguous<LayoutTiledStride<W>> {
  using type = LayoutTiled<W>;
};
template <class Layout>
inline constexpr bool is_contiguous = std::is_same_v<typename Contiguous<Layout>::type, Layout>;

// Loops over the indices from dimension R on; i holds those before it.
template <int R, class E, class F, class... I>
TRELLIS_INLINE void loop_from(const E& shape, const F& f, I... i) {
  if constexpr (R == E::rank) {
    f(i...);
  } else {
    const Index stop = shape.template get<R>();
    for (Index at = 0; at < stop; ++at) loop_from<R + 1>(shape, f, i..., at);
  }
}

// One unit of work is an index of the first dimension, or of the first two together.
template <class E, class F>
struct EachIndex {
  E shape;
  F f;
  Index units() const { return E::rank == 0 ? 1 : E::rank <= 2 ? shape.extent(0) : shape.extent(0) * shape.extent(1); }
  TRELLIS_FUNCTION void operator()(Index unit) const {
    if constexpr (E::rank == 0) {
      f();
    } else if constexpr (E::rank <= 2) {
      loop_from<1>(shape, f, unit);
    } else {
      const Index inner = shape.template get<1>();
      loop_from<2>(shape, f, unit / inner, unit % inner);
    }
  }
};

template <class Dst, class Src>
struct CopyElement {
  Dst dst;
  Src src;
  template <class... I>
  TRELLIS_FUNCTION void operator()(I... i) const {
    dst(i...) = src(i...);
  }
};

template <class Dst>
struct SetElement {
  Dst dst;
  typename Dst::value_type value;
  template <class... I>
  TRELLIS_FUNCTION void operator()(I... i) const {
    dst(i...) = value;
  }
};

template <class Exec, class V, class F>
void for_each_index(const Kernel& kernel, const Exec& space, const V& view, const F& f) {
  const EachIndex<typename V::extents_type, F> each{view.mapping().extents(), f};
  parallel_for(kernel, RangePolicy<Exec>(space, 0, each.units()), each);
}

template <class Dst, class Src>
void require_same_extents(const Dst& dst, const Src& src) {
  static_assert(Dst::rank == Src::rank, "deep_copy: the views have different ranks");
  static_assert(!std::is_const_v<typename Dst::value_type>, "deep_copy: the destination is read only");
  for (int r = 0; r < Dst::rank; ++r) {
    if (dst.extent(r) != src.extent(r)) {
      copy_extents_differ(dst.owner().get(), src.owner().get(), r, src.extent(r), dst.extent(r));
    }
  }
}

template <class V>
double bytes_of(const V& view) {
  return static_cast<double>(view.size()) * sizeof(typename V::value_type);
}

template <class Exec, class Dst, class Src>
void copy_elements(const Exec& space, const Dst& dst, const Src& src) {
  for_each_index({"trellis::deep_copy", bytes_of(dst) + bytes_of(src)}, space, dst, CopyElement<Dst, Src>{dst, src});
}

}  // namespace detail

template <MemorySpace Space, class D, class L, class M, class A>
auto create_mirror(Space, const BasicView<D, L, M, A>& view) {
  using V = BasicView<D, L, M, A>;
  using Mirror = View<typename V::non_const_type::data_type, typename detail::Contiguous<L>::type, Space>;
  return Mirror(uninitialized, view.label(), view.mapping().extents());
}

template <MemorySpace Space, class D, class L, class M, class A>
auto create_mirror_view(Space space, const BasicView<D, L, M, A>& view) {
  if constexpr (std::is_same_v<Space, M>) {
    return view;
  } else {
    return create_mirror(space, view);
  }
}

template <class DD, class DL, class DM, class DA, class SD, class SL, class SM, class SA>
void deep_copy(const BasicView<DD, DL, DM, DA>& dst, const BasicView<SD, SL, SM, SA>& src) {
  using Dst = BasicView<DD, DL, DM, DA>;
  using Src = BasicView<SD, SL, SM, SA>;
  detail::require_same_extents(dst, src);
  const detail::CopyTimer timer(dst, src, DM::name, SM::name);
  if (dst.size() == 0) return;
  fence();

  constexpr bool same_values = std::is_same_v<typename Dst::value_type, typename Src::non_const_value_type>;
  using Worker = detail::worker_of_both<DM, SM>;
  if constexpr (std::is_same_v<DL, SL> && detail::is_contiguous<DL> && same_values) {
    if (static_cast<const void*>(dst.data()) == static_cast<const void*>(src.data())) return;
    const auto bytes = static_cast<std::size_t>(src.span()) * sizeof(typename Src::value_type);
    copy_bytes(DM{}, dst.data(), SM{}, src.data(), bytes);
  } else if constexpr (!std::is_void_v<Worker>) {
    detail::copy_elements(Worker{}, dst, src);
    Worker{}.fence();
  } else if constexpr (!detail::is_contiguous<SL> || !same_values) {
    // Packed, with the destination's type, where it is; then moved; then laid out.
    using Packed = View<data_type_of<typename Dst::value_type, typename Src::extents_type>,
                        typename detail::Contiguous<SL>::type, SM>;
    const Packed packed(uninitialized, src.label(), src.mapping().extents());
    deep_copy(packed, src);
    deep_copy(dst, packed);
  } else {
    const auto moved = create_mirror(DM{}, src);
    deep_copy(moved, src);
    deep_copy(dst, moved);
  }
}

template <ExecutionSpace Exec, class DD, class DL, class DM, class DA, class SD, class SL, class SM, class SA>
void deep_copy(const Exec& space, const BasicView<DD, DL, DM, DA>& dst, const BasicView<SD, SL, SM, SA>& src) {
  static_assert(can_access<Exec, DM> && can_access<Exec, SM>,
                "deep_copy in an execution space: it must reach both Views; without a space copies go anywhere");
  detail::require_same_extents(dst, src);
  const detail::CopyTimer timer(dst, src, DM::name, SM::name);
  if (dst.size() > 0) detail::copy_elements(space, dst, src);
}

template <ExecutionSpace Exec, class D, class L, class M, class A>
void deep_copy(const Exec& space, const BasicView<D, L, M, A>& view,
               const typename BasicView<D, L, M, A>::value_type& value) {
  using V = BasicView<D, L, M, A>;
  static_assert(!std::is_const_v<typename V::value_type>, "deep_copy: the destination is read only");
  static_assert(can_access<Exec, M>, "deep_copy in an execution space: it must reach the View");
  const detail::CopyTimer timer(view, M::name);
  detail::for_each_index({"trellis::fill", detail::bytes_of(view)}, space, view, detail::SetElement<V>{view, value});
}

template <class D, class L, class M, class A>
void deep_copy(const BasicView<D, L, M, A>& view, const typename BasicView<D, L, M, A>::value_type& value) {
  fence();
  const detail::worker_of<M> worker{};
  deep_copy(worker, view, value);
  worker.fence();
}

template <class D, class L, class M, class A>
auto create_mirror(const BasicView<D, L, M, A>& view) {
  return create_mirror(HostSpace{}, view);
}

template <class D, class L, class M, class A>
auto create_mirror_view(const BasicView<D, L, M, A>& view) {
  if constexpr (M::host_reaches) {
    return view;
  } else {
    return create_mirror(HostSpace{}, view);
  }
}

template <MemorySpace Space, class D, class L, class M, class A>
auto create_mirror_view_and_copy(Space space, const BasicView<D, L, M, A>& view) {
  const auto mirror = create_mirror_view(space, view);
  if constexpr (!std::is_same_v<Space, M>) deep_copy(mirror, view);
  return mirror;
}

template <class D, class L, class M, class A>
auto create_mirror_view_and_copy(const BasicView<D, L, M, A>& view) {
  const auto mirror = create_mirror_view(view);
  if constexpr (!M::host_reaches) deep_copy(mirror, view);
  return mirror;
}

}  // namespace trellis

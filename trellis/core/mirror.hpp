// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies of data, the only ones Trellis makes, and mirrors.
//   deep_copy(dst, src)                 every element, across layouts and memory spaces; static and run-time extents
//   mix deep_copy(view, value)              the same value everywhere create_mirror(view)                 a new View in
//   HostSpace, same extents and layout (contiguous if it was strided) create_mirror(Space{}, view)        the same in
//   that memory space create_mirror_view([Space{},] view) the view itself where it already lies in that space, else
//   create_mirror create_mirror_view_and_copy([Space{},] view)     and its values
// deep_copy waits for all kernels before it and is complete when it returns. A view onto itself is not copied. Views
// that overlap otherwise are undefined. Throws Error, naming both labels, when extents differ. Cost: one read and one
// write of the data, by all threads; another layout in another space costs a temporary as well.

#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

namespace detail {

[[noreturn]] void copy_extents_differ(const Allocation* to, const Allocation* from, int r, Index found, Index expected);

// Contiguous bytes: between host pointers by all threads; with a device at either end, through its driver.
void copy_bytes(HostSpace, void* to, HostSpace, const void* from, std::size_t bytes);
#if defined(TRELLIS_BACKEND_CUDA)
void copy_bytes(CudaSpace, void* to, CudaSpace, const void* from, std::size_t bytes);
void copy_bytes(CudaSpace, void* to, HostSpace, const void* from, std::size_t bytes);
void copy_bytes(HostSpace, void* to, CudaSpace, const void* from, std::size_t bytes);
#endif

// The execution space that works on a memory space.
template <class MemorySpace>
using worker_of = std::conditional_t<can_access<DefaultHostExecutionSpace, MemorySpace>, DefaultHostExecutionSpace,
                                     DefaultExecutionSpace>;

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

template <class V, class F>
void for_each_index(const char* name, const V& view, const F& f) {
  using Exec = worker_of<typename V::memory_space>;
  const EachIndex<typename V::extents_type, F> each{view.mapping().extents(), f};
  parallel_for(name, RangePolicy<Exec>(0, each.units()), each);
  Exec{}.fence();
}

}  // namespace detail

template <class D, class L, class M, class Space>
requires std::is_same_v<Space, HostSpace> || std::is_same_v<Space, CudaSpace>
auto create_mirror(Space, const View<D, L, M>& view) {
  using V = View<D, L, M>;
  using Mirror = View<typename V::non_const_type::data_type, typename detail::Contiguous<L>::type, Space>;
  return Mirror(uninitialized, view.label(), view.mapping().extents());
}

template <class D, class L, class M, class Space>
auto create_mirror_view(Space space, const View<D, L, M>& view) {
  if constexpr (std::is_same_v<Space, M>) {
    return view;
  } else {
    return create_mirror(space, view);
  }
}

template <class DD, class DL, class DM, class SD, class SL, class SM>
void deep_copy(const View<DD, DL, DM>& dst, const View<SD, SL, SM>& src) {
  using Dst = View<DD, DL, DM>;
  using Src = View<SD, SL, SM>;
  static_assert(Dst::rank == Src::rank, "deep_copy: the views have different ranks");
  static_assert(!std::is_const_v<typename Dst::value_type>, "deep_copy: the destination is read only");
  for (int r = 0; r < Dst::rank; ++r) {
    if (dst.extent(r) != src.extent(r)) {
      detail::copy_extents_differ(dst.owner().get(), src.owner().get(), r, src.extent(r), dst.extent(r));
    }
  }
  if (dst.size() == 0) return;
  fence();

  constexpr bool same_values = std::is_same_v<typename Dst::value_type, typename Src::non_const_value_type>;
  if constexpr (std::is_same_v<DL, SL> && detail::is_contiguous<DL> && same_values) {
    if (static_cast<const void*>(dst.data()) == static_cast<const void*>(src.data())) return;
    const auto bytes = static_cast<std::size_t>(src.span()) * sizeof(typename Src::value_type);
    detail::copy_bytes(DM{}, dst.data(), SM{}, src.data(), bytes);
  } else if constexpr (std::is_same_v<DM, SM>) {
    detail::for_each_index("trellis::deep_copy", dst, detail::CopyElement<Dst, Src>{dst, src});
  } else if constexpr (!detail::is_contiguous<SL> || !same_values) {
    // Made contiguous, and of the destination's type, where it lies; then moved; then laid out.
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

template <class D, class L, class M>
void deep_copy(const View<D, L, M>& view, const typename View<D, L, M>::value_type& value) {
  using V = View<D, L, M>;
  static_assert(!std::is_const_v<typename V::value_type>, "deep_copy: the destination is read only");
  fence();
  detail::for_each_index("trellis::fill", view, detail::SetElement<V>{view, value});
}

template <class D, class L, class M>
auto create_mirror(const View<D, L, M>& view) {
  return create_mirror(HostSpace{}, view);
}

template <class D, class L, class M>
auto create_mirror_view(const View<D, L, M>& view) {
  return create_mirror_view(HostSpace{}, view);
}

template <class D, class L, class M, class Space>
auto create_mirror_view_and_copy(Space space, const View<D, L, M>& view) {
  const auto mirror = create_mirror_view(space, view);
  if constexpr (!std::is_same_v<Space, M>) deep_copy(mirror, view);
  return mirror;
}

template <class D, class L, class M>
auto create_mirror_view_and_copy(const View<D, L, M>& view) {
  return create_mirror_view_and_copy(HostSpace{}, view);
}

}  // namespace trellis

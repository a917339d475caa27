// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Views and std::mdspan, if the standard library has it (C++23; otherwise this header is empty).
//   to_mdspan(view)      LayoutRight, LayoutLeft and LayoutStride become layout_right, layout_left, layout_stride;
//                        static extents stay static. Only for host-accessible memory; the View must outlive it.
//   from_mdspan(span)    an unmanaged View of the same memory, layout and extents
// Static extents of a View come last; a span with a different arrangement becomes a View with run-time extents only.

#include <version>

#if defined(__cpp_lib_mdspan)
#include <array>
#include <mdspan>

#include "trellis/core/view.hpp"

namespace trellis {

namespace detail {

template <class Layout>
struct MdspanLayout;
template <>
struct MdspanLayout<LayoutRight> {
  using type = std::layout_right;
};
template <>
struct MdspanLayout<LayoutLeft> {
  using type = std::layout_left;
};
template <>
struct MdspanLayout<LayoutStride> {
  using type = std::layout_stride;
};
template <class Layout>
struct FromMdspanLayout;
template <>
struct FromMdspanLayout<std::layout_right> {
  using type = LayoutRight;
};
template <>
struct FromMdspanLayout<std::layout_left> {
  using type = LayoutLeft;
};
template <>
struct FromMdspanLayout<std::layout_stride> {
  using type = LayoutStride;
};

template <class E>
struct MdspanExtents;
template <Index... E>
struct MdspanExtents<Extents<E...>> {
  using type = std::extents<Index, (E == dynamic_extent ? std::dynamic_extent : static_cast<std::size_t>(E))...>;
};

// Extents of a View for those of a span: an extent is static only if all that follow are static too.
template <class E, class Ranks>
struct ViewExtents;
template <class E, std::size_t... R>
struct ViewExtents<E, std::index_sequence<R...>> {
  static constexpr Index of(std::size_t r) {
    for (std::size_t k = r; k < E::rank(); ++k) {
      if (E::static_extent(k) == std::dynamic_extent) return dynamic_extent;
    }
    return static_cast<Index>(E::static_extent(r));
  }
  using type = Extents<of(R)...>;
};

}  // namespace detail

template <class D, class L, class M, class A>
  requires(M::host_reaches && !A::atomic)
auto to_mdspan(const BasicView<D, L, M, A>& view) {
  using V = BasicView<D, L, M, A>;
  using E = typename detail::MdspanExtents<typename V::extents_type>::type;
  using Mapping = typename detail::MdspanLayout<L>::type::template mapping<E>;
  std::array<Index, V::rank> extents, strides;
  for (int r = 0; r < V::rank; ++r) {
    extents[static_cast<std::size_t>(r)] = view.extent(r);
    strides[static_cast<std::size_t>(r)] = view.stride(r);
  }
  using Span = std::mdspan<typename V::value_type, E, typename detail::MdspanLayout<L>::type>;
  if constexpr (std::is_same_v<L, LayoutStride>) {
    return Span(view.data(), Mapping(E(extents), strides));
  } else {
    return Span(view.data(), Mapping(E(extents)));
  }
}

template <class T, class E, class L>
auto from_mdspan(const std::mdspan<T, E, L>& span) {
  using ViewE = typename detail::ViewExtents<E, std::make_index_sequence<E::rank()>>::type;
  using V = View<data_type_of<T, ViewE>, typename detail::FromMdspanLayout<L>::type, HostSpace>;
  typename V::mapping_type mapping{};
  for (int r = 0; r < V::rank; ++r) {
    if (ViewE::static_extent(r) == dynamic_extent) {
      mapping.shape.run_time[ViewE::dynamic_index(r)] = static_cast<Index>(span.extent(static_cast<std::size_t>(r)));
    }
    if constexpr (std::is_same_v<L, std::layout_stride>) {
      mapping.strides[r] = static_cast<Index>(span.stride(static_cast<std::size_t>(r)));
    }
  }
  return V(span.data_handle(), mapping, Owner());
}

}  // namespace trellis
#endif

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts Kokkos Views to Trellis Views, and back; their contract is in trellis/core/kokkos.hpp.

#include "trellis/core/backend/kokkos/spaces.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

namespace detail {

template <class Layout>
struct KokkosLayout;  // not defined for layouts that Kokkos lacks
template <>
struct KokkosLayout<LayoutRight> {
  using type = ::Kokkos::LayoutRight;
};
template <>
struct KokkosLayout<LayoutLeft> {
  using type = ::Kokkos::LayoutLeft;
};
template <>
struct KokkosLayout<LayoutStride> {
  using type = ::Kokkos::LayoutStride;
};

template <class Layout>
struct LayoutOfKokkos;
template <>
struct LayoutOfKokkos<::Kokkos::LayoutRight> {
  using type = LayoutRight;
};
template <>
struct LayoutOfKokkos<::Kokkos::LayoutLeft> {
  using type = LayoutLeft;
};
template <>
struct LayoutOfKokkos<::Kokkos::LayoutStride> {
  using type = LayoutStride;
};

[[noreturn]] inline void padded(const std::string& label, int r, Index found, Index expected) {
  fail(
      "from_kokkos of '{}': the stride of dimension {} is {}, its layout's without padding is {}; "
      "from_kokkos_strided takes it",
      label, r, found, expected);
}

template <class Layout, class D, class L, class M, class A>
auto to_kokkos_as(const BasicView<D, L, M, A>& view) {
  using V = BasicView<D, L, M, A>;
  using Result =
      ::Kokkos::View<D, Layout, typename backend::KokkosOfMemory<M>::type, ::Kokkos::MemoryTraits<::Kokkos::Unmanaged>>;
  Layout layout;
  for (int r = 0; r < V::rank; ++r) {
    layout.dimension[r] = static_cast<std::size_t>(view.extent(r));
    if constexpr (requires { layout.stride; }) layout.stride[r] = static_cast<std::size_t>(view.stride(r));
  }
  return Result(view.data(), layout);
}

template <class Layout, class KokkosView>
auto from_kokkos_as(const KokkosView& view) {
  using Result =
      BasicView<typename KokkosView::traits::data_type, Layout,
                typename backend::MemoryOfKokkos<typename KokkosView::traits::memory_space>::type, PlainAccess>;
  typename Result::mapping_type mapping{};
  for (int r = 0; r < Result::rank; ++r) {
    if (Result::static_extent(r) != dynamic_extent) continue;
    mapping.shape.run_time[Result::extents_type::dynamic_index(r)] =
        static_cast<Index>(view.extent(static_cast<unsigned>(r)));
  }
  std::size_t strides[max_rank + 1] = {};  // Kokkos appends the total length
  view.stride(strides);
  for (int r = 0; r < Result::rank; ++r) {
    const auto stride = static_cast<Index>(strides[r]);
    if constexpr (requires { mapping.strides; }) {
      mapping.strides[r] = stride;
    } else if (mapping.extents().extent(r) > 1 && mapping.stride(r) != stride && mapping.span() > 0) {
      padded(view.label(), r, stride, mapping.stride(r));
    }
  }
  return Result(view.data(), mapping, Owner{});
}

}  // namespace detail

template <class D, class L, class M, class A>
auto to_kokkos(const BasicView<D, L, M, A>& view) {
  static_assert(
      requires { typename detail::KokkosLayout<L>::type; }, "to_kokkos: Kokkos has no layout like this View's");
  return detail::to_kokkos_as<typename detail::KokkosLayout<L>::type>(view);
}

template <class D, class... P>
auto from_kokkos(const ::Kokkos::View<D, P...>& view) {
  using Layout = typename ::Kokkos::View<D, P...>::traits::array_layout;
  static_assert(
      requires { typename detail::LayoutOfKokkos<Layout>::type; },
      "from_kokkos: Trellis has no layout like this View's");
  return detail::from_kokkos_as<typename detail::LayoutOfKokkos<Layout>::type>(view);
}

template <class D, class... P>
auto from_kokkos_strided(const ::Kokkos::View<D, P...>& view) {
  return detail::from_kokkos_as<LayoutStride>(view);
}

}  // namespace trellis

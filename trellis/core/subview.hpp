// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// subview(view, part...): a View of a part of another's memory, shared with it. One argument per dimension:
//   an integer i     that index alone; the dimension is removed
//   Range{b, e}      the indices b <= i < e, renumbered from 0
//   Strided{b, e, s} every s-th index b, b + s, ... < e, renumbered from 0 (not of the first dimension of a tiled View)
//   ALL              the whole dimension
// Layout of the result: LayoutRight if the parts preserve it (integers, then at most one range, then ALL), likewise
// LayoutLeft (ALL, then at most one range, then integers), otherwise LayoutStride; for LayoutTiled<W>,
// LayoutTiledStride<W> if the first dimension is kept, otherwise LayoutStride. Static extents of trailing ALL
// dimensions stay static. Throws Error, with the label, for parts outside the view and steps below 1. Within a kernel a
// subview costs only index arithmetic.

#include "trellis/core/view.hpp"

namespace trellis {

struct All {};
inline constexpr All ALL;
struct Range {
  Index begin;
  Index end;
};
struct Strided {
  Index begin;
  Index end;
  Index step;
};

namespace detail {

[[noreturn]] void part_out_of_range(const Allocation* allocation, int r, Index begin, Index end, Index extent);
[[noreturn]] void step_below_one(const Allocation* allocation, int r, Index step);

template <class P>
inline constexpr bool is_all = std::is_same_v<P, All>;
template <class P>
inline constexpr bool is_kept = is_all<P> || std::is_same_v<P, Range> || std::is_same_v<P, Strided>;

template <class Layout>
inline constexpr int tile_width = 0;
template <int W>
inline constexpr int tile_width<LayoutTiled<W>> = W;
template <int W>
inline constexpr int tile_width<LayoutTiledStride<W>> = W;

// Properties of a part of a View<..., E, Layout, ...> that are known at compile time.
template <class E, class Layout, class... Parts>
struct Part {
  static constexpr int source_rank = sizeof...(Parts);
  static constexpr int rank = (0 + ... + static_cast<int>(is_kept<Parts>));
  static constexpr bool kept[source_rank] = {is_kept<Parts>...};
  static constexpr bool whole[source_rank] = {is_all<Parts>...};
  static constexpr bool strided[source_rank] = {std::is_same_v<Parts, Strided>...};

  // The dimension of the source that becomes dimension k of the part.
  static constexpr int source_of(int k) {
    int r = 0;
    for (; r < source_rank; ++r) {
      if (kept[r] && k-- == 0) break;
    }
    return r;
  }
  // In a data type run-time extents come first: an extent stays static only if all that follow do.
  static constexpr Index extent_of(int k) {
    for (int j = k; j < rank; ++j) {
      if (!whole[source_of(j)] || E::static_extent(source_of(j)) == dynamic_extent) return dynamic_extent;
    }
    return E::static_extent(source_of(k));
  }
  static constexpr bool stays_right() {
    bool seen = false;
    for (int r = 0; r < source_rank; ++r) {
      if (strided[r] || (seen && !whole[r])) return false;
      seen |= kept[r];
    }
    return std::is_same_v<Layout, LayoutRight>;
  }
  static constexpr bool stays_left() {
    bool seen = false;
    for (int r = source_rank - 1; r >= 0; --r) {
      if (strided[r] || (seen && !whole[r])) return false;
      seen |= kept[r];
    }
    return std::is_same_v<Layout, LayoutLeft>;
  }

  template <int... K>
  static Extents<extent_of(K)...> make_extents(std::integer_sequence<int, K...>);
  using extents = decltype(make_extents(std::make_integer_sequence<int, rank>()));

  static constexpr bool stays_tiled = tile_width<Layout> > 0 && kept[0];
  static_assert(!stays_tiled || !strided[0], "the first dimension of a tiled View has no strided part");
  using layout = std::conditional_t<
      stays_tiled, LayoutTiledStride<stays_tiled ? tile_width<Layout> : 1>,
      std::conditional_t<stays_right(), LayoutRight, std::conditional_t<stays_left(), LayoutLeft, LayoutStride>>>;
};

// The number of indices in a part, given begin <= end and step >= 1.
TRELLIS_FUNCTION inline Index count_of(const Strided& part) {
  return (part.end - part.begin + part.step - 1) / part.step;
}

TRELLIS_FUNCTION inline Strided range_of(All, Index extent) { return {0, extent, 1}; }
TRELLIS_FUNCTION inline Strided range_of(Range range, Index) { return {range.begin, range.end, 1}; }
TRELLIS_FUNCTION inline Strided range_of(Strided range, Index) { return range; }
TRELLIS_FUNCTION inline Strided range_of(Index i, Index) { return {i, i + 1, 1}; }

template <class P>
using part_type = std::conditional_t<is_kept<P>, P, Index>;

}  // namespace detail

template <class D, class L, class M, class A, class... Parts>
  requires(sizeof...(Parts) == BasicView<D, L, M, A>::rank && sizeof...(Parts) > 0 &&
           ((detail::is_kept<Parts> || std::is_convertible_v<Parts, Index>) && ...))
TRELLIS_FUNCTION auto subview(const BasicView<D, L, M, A>& view, Parts... parts) {
  using P = detail::Part<typename BasicView<D, L, M, A>::extents_type, L, detail::part_type<Parts>...>;
  using Result = BasicView<data_type_of<typename BasicView<D, L, M, A>::value_type, typename P::extents>,
                           typename P::layout, M, typename A::of_part>;
  constexpr int rank = P::source_rank;

  Strided range[rank];
  int at = 0;
  ((range[at] = detail::range_of(static_cast<detail::part_type<Parts>>(parts), view.extent(at)), ++at), ...);
#if !defined(TRELLIS_ON_DEVICE)
  for (int r = 0; r < rank; ++r) {
    if (range[r].step < 1) detail::step_below_one(view.owner().get(), r, range[r].step);
    if (range[r].begin < 0 || range[r].begin > range[r].end || range[r].end > view.extent(r)) {
      detail::part_out_of_range(view.owner().get(), r, range[r].begin, range[r].end, view.extent(r));
    }
  }
#endif

  typename Result::mapping_type mapping{};
  for (int k = 0; k < P::rank; ++k) {
    const int r = P::source_of(k);
    if (P::extent_of(k) == dynamic_extent) {
      mapping.shape.run_time[P::extents::dynamic_index(k)] = detail::count_of(range[r]);
    }
    if constexpr (requires { mapping.strides; }) mapping.strides[k] = range[r].step * view.mapping().stride(r);
  }
  if constexpr (P::stays_tiled) {
    // Sites are still counted from the start of the tile: the mapping adds the offset of the part.
    Index first_site = 0;
    if constexpr (requires { view.mapping().first_site; }) first_site = view.mapping().first_site;
    mapping.first_site = first_site + range[0].begin;
    range[0].begin = -first_site;
  }
  const Index offset = [&]<int... R>(std::integer_sequence<int, R...>) {
    return view.mapping()(range[R].begin...);
  }(std::make_integer_sequence<int, rank>());
  return Result(view.data() + offset, mapping, view.owner());
}

}  // namespace trellis

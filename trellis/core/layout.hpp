// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layouts: how an index (i0, i1, ...) becomes an offset into memory. Each is a type whose Mapping<Extents> is a value:
//   LayoutRight         ((i0*e1 + i1)*e2 + i2)...               last index runs fastest, as in C
//   LayoutLeft          i0 + e0*(i1 + e1*(i2 + ...))            first index runs fastest, as in Fortran
//   LayoutTiled<W>      ((i0/W)*C + right(i1...))*W + i0%W      C = e1*e2*...; e0 padded up to a multiple of W
//   LayoutTiled<W, G>   the same with groups of G of a site's components contiguous: with c = right(i1...),
//                       (i0/W)*C*W + c/G*G*W + (i0%W)*G + c%G; G divides C
//   LayoutSideBySide<G> (i0*C/G + c/G)*e1*G + i1*G + c%G        c = right(i2...), C = e2*e3*...: for each group of G
//                                                             components, all i1 contiguous; G divides C
//   LayoutStride        sum of i_r * stride_r                   a part of one of the first two
//   LayoutTiledStride<W>  ((i0+s)/W)*block + (i0+s)%W + sum of i_r * stride_r       a part of a tiled one
// With the SIMD width as W, LayoutTiled suits a CPU; with the size of a warp it is coalesced on a GPU; W = 1 gives an
// array of structures. A mapping has extents(), operator()(i0, ...), span() (the number of elements in memory, padding
// included); static extents fold into the arithmetic. Extents zero are legal.

#include "trellis/core/extents.hpp"

namespace trellis {

struct LayoutRight {
  static constexpr const char* name = "LayoutRight";
  template <class E>
  struct Mapping {
    E shape{};
    TRELLIS_INLINE constexpr const E& extents() const { return shape; }
    TRELLIS_INLINE constexpr Index span() const { return shape.size(); }
    template <class... I>
    TRELLIS_INLINE constexpr Index operator()(I... i) const {
      return horner<0>(0, i...);
    }
    // Continues the sum over indices R, R+1, ...; also used by LayoutTiled for all indices but the first.
    template <int R, class... I>
    TRELLIS_INLINE constexpr Index horner(Index sum, Index first, I... rest) const {
      return horner<R + 1>(sum * shape.template get<R>() + first, rest...);
    }
    template <int R>
    TRELLIS_INLINE constexpr Index horner(Index sum) const {
      return sum;
    }
    TRELLIS_FUNCTION constexpr Index stride(int r) const {
      Index product = 1;
      for (int k = r + 1; k < E::rank; ++k) product *= shape.extent(k);
      return product;
    }
  };
};

struct LayoutLeft {
  static constexpr const char* name = "LayoutLeft";
  template <class E>
  struct Mapping {
    E shape{};
    TRELLIS_INLINE constexpr const E& extents() const { return shape; }
    TRELLIS_INLINE constexpr Index span() const { return shape.size(); }
    template <class... I>
    TRELLIS_INLINE constexpr Index operator()(I... i) const {
      return horner<0>(i...);
    }
    template <int R>
    TRELLIS_INLINE constexpr Index horner() const {
      return 0;
    }
    template <int R, class... I>
    TRELLIS_INLINE constexpr Index horner(Index first, I... rest) const {
      if constexpr (sizeof...(I) == 0) {
        return first;
      } else {
        return first + shape.template get<R>() * horner<R + 1>(rest...);
      }
    }
    TRELLIS_FUNCTION constexpr Index stride(int r) const {
      Index product = 1;
      for (int k = 0; k < r; ++k) product *= shape.extent(k);
      return product;
    }
  };
};

template <int W, int G = 1>
struct LayoutTiled {
  static_assert(W >= 1 && G >= 1, "a tile holds at least one site, a group one component");
  static constexpr const char* name = "LayoutTiled";
  static constexpr int width = W, group = G;
  template <class E>
  struct Mapping {
    E shape{};
    TRELLIS_INLINE constexpr const E& extents() const { return shape; }
    TRELLIS_FUNCTION constexpr Index components() const {
      Index product = 1;
      for (int k = 1; k < E::rank; ++k) product *= shape.extent(k);
      return product;
    }
    TRELLIS_FUNCTION constexpr Index span() const {
      return E::rank == 0 ? 1 : (shape.extent(0) + W - 1) / W * W * components();
    }
    TRELLIS_INLINE constexpr Index operator()() const { return 0; }
    template <class... I>
    TRELLIS_INLINE constexpr Index operator()(Index site, I... component) const {
      // Unsigned, so that division by a power of two becomes a shift.
      const auto s = static_cast<std::uint64_t>(site);
      const typename LayoutRight::Mapping<E> right{shape};
      const Index number = right.template horner<1>(static_cast<Index>(s / W), component...);
      if constexpr (G == 1) return number * W + static_cast<Index>(s % W);
      return number / G * (G * W) + static_cast<Index>(s % W) * G + number % G;
    }
    // The stride of a component (r >= 1) or of the tile (r = 0).
    TRELLIS_FUNCTION constexpr Index stride(int r) const
      requires(G == 1)
    {
      return typename LayoutRight::Mapping<E>{shape}.stride(r) * W;
    }
  };
};

template <int G>
struct LayoutSideBySide {
  static_assert(G >= 1, "a group holds at least one component");
  static constexpr const char* name = "LayoutSideBySide";
  template <class E>
  struct Mapping {
    static_assert(E::rank >= 2, "two indices and the components");
    E shape{};
    TRELLIS_INLINE constexpr const E& extents() const { return shape; }
    TRELLIS_FUNCTION constexpr Index span() const { return shape.size(); }
    template <class... I>
    TRELLIS_INLINE constexpr Index operator()(Index i0, Index i1, I... component) const {
      Index components = 1;
      for (int k = 2; k < E::rank; ++k) components *= shape.extent(k);
      const Index c = typename LayoutRight::Mapping<E>{shape}.template horner<2>(0, component...);
      return (i0 * (components / G) + c / G) * shape.extent(1) * G + i1 * G + c % G;
    }
  };
};

namespace detail {

template <int R, class S>
TRELLIS_INLINE constexpr Index strided_sum(const S&) {
  return 0;
}
template <int R, class S, class... I>
TRELLIS_INLINE constexpr Index strided_sum(const S& strides, Index first, I... rest) {
  return first * strides[R] + strided_sum<R + 1>(strides, rest...);
}

// The offset of the last element, plus one.
template <class E>
TRELLIS_FUNCTION constexpr Index strided_span(const E& shape, const Index* strides) {
  Index last = 0;
  for (int r = 0; r < E::rank; ++r) {
    if (shape.extent(r) == 0) return 0;
    last += (shape.extent(r) - 1) * strides[r];
  }
  return last + 1;
}

}  // namespace detail

struct LayoutStride {
  static constexpr const char* name = "LayoutStride";
  template <class E>
  struct Mapping {
    E shape{};
    Index strides[E::rank == 0 ? 1 : E::rank] = {};
    TRELLIS_INLINE constexpr const E& extents() const { return shape; }
    TRELLIS_FUNCTION constexpr Index span() const { return detail::strided_span(shape, strides); }
    template <class... I>
    TRELLIS_INLINE constexpr Index operator()(I... i) const {
      return detail::strided_sum<0>(strides, i...);
    }
    TRELLIS_FUNCTION constexpr Index stride(int r) const { return strides[r]; }
  };
};

template <int W>
struct LayoutTiledStride {
  static constexpr const char* name = "LayoutTiledStride";
  static constexpr int width = W;
  template <class E>
  struct Mapping {
    E shape{};
    Index strides[E::rank == 0 ? 1 : E::rank] = {};  // strides[0] is that of a tile
    Index first_site = 0;
    TRELLIS_INLINE constexpr const E& extents() const { return shape; }
    TRELLIS_FUNCTION constexpr Index span() const {
      Index last = (first_site + shape.extent(0) - 1) / W * strides[0] + W - 1;
      for (int r = 0; r < E::rank; ++r) {
        if (shape.extent(r) == 0) return 0;
        if (r > 0) last += (shape.extent(r) - 1) * strides[r];
      }
      return last + 1;
    }
    template <class... I>
    TRELLIS_INLINE constexpr Index operator()(Index site, I... i) const {
      const auto s = static_cast<std::uint64_t>(site + first_site);
      return static_cast<Index>(s / W) * strides[0] + static_cast<Index>(s % W) + detail::strided_sum<1>(strides, i...);
    }
    TRELLIS_FUNCTION constexpr Index stride(int r) const { return strides[r]; }
  };
};

}  // namespace trellis

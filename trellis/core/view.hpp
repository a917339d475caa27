// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// View<DataType, Layout, MemorySpace>: a multidimensional array whose memory is shared by its copies
// (semantics: Edwards, Sunderland, "Kokkos: Enabling performance portability across manycore architectures", 2012).
//
//   View<double**[4][3]> a("a", n, m);          allocates n*m*4*3 zeros under the label "a"
//   View<const double**[4][3]> c = a;           same memory, read only; the last view of either kind frees it
//   View<float*, LayoutTiled<8>> t(uninitialized, "t", n);      memory as it comes, no first touch
//   View<double*> u(pointer, n);                unmanaged: the caller keeps the memory alive
//
// Assignment and copying share; copies of data are made by deep_copy (mirror.hpp) alone, parts by subview
// (subview.hpp). Data is zeroed in parallel by the default host execution space, so that with a static schedule the
// thread that touches an element first is the one that RangePolicy gives its first index to. Values are trivially
// copyable. Throws Error, naming the label: extents negative or too large together, no memory, static extents that
// disagree in a conversion; with TRELLIS_BOUNDS_CHECK also any index out of range. Cost: operator() is the layout's
// arithmetic, nothing more. Copying a View is one atomic increment.

#include <cstdio>
#include <string>
#include <type_traits>

#include "trellis/core/allocation.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/layout.hpp"

namespace trellis {

struct Uninitialized {};
inline constexpr Uninitialized uninitialized;

namespace detail {

// Reports index `at` out of `extent` in dimension r. On a device it stops the kernel.
[[noreturn]] void throw_out_of_range(const Allocation* allocation, int r, Index at, Index extent);
TRELLIS_FUNCTION inline void out_of_range(const Allocation* allocation, int r, Index at, Index extent) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(allocation);
  printf("trellis: index %lld of dimension %d is outside [0, %lld)\n", static_cast<long long>(at), r,
         static_cast<long long>(extent));
  __trap();
#else
  throw_out_of_range(allocation, r, at, extent);
#endif
}
// Throws when extents are negative or their product (padded by `pad` elements in the first) times `bytes` overflows.
void check_extents(std::string_view label, const Index* extents, int rank, Index pad, std::size_t bytes);
[[noreturn]] void extents_differ(const Allocation* from, int r, Index found, Index expected);
std::string label_of(const Allocation* allocation);

template <class T>
concept AnIndex = std::is_convertible_v<T, Index>;

template <class Layout>
inline constexpr Index padding = 1;
template <int W>
inline constexpr Index padding<LayoutTiled<W>> = W;

}  // namespace detail

template <class DataType, class Layout = LayoutRight, class MemorySpace = HostSpace>
class View {
 public:
  using data_type = DataType;
  using value_type = data_type_value<DataType>;
  using non_const_value_type = std::remove_const_t<value_type>;
  using extents_type = data_type_extents<DataType>;
  using layout = Layout;
  using memory_space = MemorySpace;
  using mapping_type = typename Layout::template Mapping<extents_type>;
  using const_type = View<data_type_of<const value_type, extents_type>, Layout, MemorySpace>;
  using non_const_type = View<data_type_of<non_const_value_type, extents_type>, Layout, MemorySpace>;
  using HostMirror = View<data_type_of<non_const_value_type, extents_type>, Layout, HostSpace>;

  static constexpr int rank = extents_type::rank;
  static constexpr int rank_dynamic = extents_type::rank_dynamic;
  static_assert(std::is_trivially_copyable_v<value_type>, "Views hold trivially copyable values");
  static_assert(alignof(value_type) <= memory_alignment);

  View() = default;

  // Allocates; one argument for each run-time extent.
  template <detail::AnIndex... I>
  requires(sizeof...(I) == rank_dynamic) explicit View(std::string_view label, I... extents)
      : View(true, label, extents_type{{static_cast<Index>(extents)...}}) {}
  template <detail::AnIndex... I>
  requires(sizeof...(I) == rank_dynamic) View(Uninitialized, std::string_view label, I... extents)
      : View(false, label, extents_type{{static_cast<Index>(extents)...}}) {}

  View(std::string_view label, const extents_type& extents) : View(true, label, extents) {}
  View(Uninitialized, std::string_view label, const extents_type& extents) : View(false, label, extents) {}

  // Does not own: `data` must hold span() elements and outlive every view of it.
  template <class T, detail::AnIndex... I>
  requires(sizeof...(I) == rank_dynamic && std::is_convertible_v<T*, value_type*>) TRELLIS_FUNCTION
      View(T* data, I... extents)
      : data_(data), mapping_{extents_type{{static_cast<Index>(extents)...}}} {}

  // A part of what `owner` keeps alive; for subview().
  TRELLIS_FUNCTION View(value_type* data, const mapping_type& mapping, const Owner& owner)
      : data_(data), mapping_(mapping), owner_(owner) {}

  // View<T> -> View<const T>, and between static and run-time extents of the same values.
  template <class OtherData>
  requires(!std::is_same_v<OtherData, DataType> &&
           std::is_same_v<std::remove_const_t<data_type_value<OtherData>>, non_const_value_type> &&
           std::is_convertible_v<data_type_value<OtherData>*, value_type*> &&
           data_type_extents<OtherData>::rank == rank) TRELLIS_FUNCTION
      View(const View<OtherData, Layout, MemorySpace>& other)
      : data_(other.data()), owner_(other.owner()) {
    if constexpr (std::is_same_v<data_type_extents<OtherData>, extents_type>) {
      mapping_ = other.mapping();
    } else {
      convert_extents(other);
    }
  }

  template <detail::AnIndex... I>
  requires(sizeof...(I) == rank) TRELLIS_INLINE constexpr value_type& operator()(I... i) const {
#if !defined(__CUDACC__)
    static_assert(can_access<DefaultHostExecutionSpace, MemorySpace>,
                  "host code cannot access this View's memory space: use create_mirror_view and deep_copy");
#endif
#if defined(TRELLIS_BOUNDS_CHECK)
    check_bounds(static_cast<Index>(i)...);
#endif
    return data_[mapping_(static_cast<Index>(i)...)];
  }
  TRELLIS_INLINE constexpr value_type& operator[](Index i) const requires(rank == 1) { return (*this)(i); }

  TRELLIS_INLINE constexpr Index extent(int r) const { return mapping_.extents().extent(r); }
  static constexpr Index static_extent(int r) { return extents_type::static_extent(r); }
  TRELLIS_INLINE constexpr Index stride(int r) const { return mapping_.stride(r); }
  // Elements of the index space; elements of memory, padding included.
  TRELLIS_INLINE constexpr Index size() const { return mapping_.extents().size(); }
  TRELLIS_INLINE constexpr Index span() const { return mapping_.span(); }
  TRELLIS_INLINE constexpr value_type* data() const { return data_; }
  TRELLIS_INLINE constexpr const mapping_type& mapping() const { return mapping_; }
  TRELLIS_INLINE constexpr bool is_allocated() const { return data_ != nullptr; }
  TRELLIS_FUNCTION const Owner& owner() const { return owner_; }

  // Views that share this memory; 0 for none and for unmanaged memory.
  long use_count() const { return owner_.get() == nullptr ? 0 : owner_.get()->owners.load(std::memory_order_relaxed); }
  std::string label() const { return detail::label_of(owner_.get()); }

 private:
  View(bool zero, std::string_view label, const extents_type& extents) : mapping_{extents} {
    static_assert(!std::is_const_v<value_type>, "a View of const values can only refer to another View's memory");
    static_assert(
        !requires { mapping_.strides; }, "strided layouts only describe parts of other Views");
    static_assert(
        requires { allocate<MemorySpace>(label, 0, zero); }, "this memory space is not part of this build");
    Index all[rank == 0 ? 1 : rank] = {};
    for (int r = 0; r < rank; ++r) all[r] = extents.extent(r);
    detail::check_extents(label, all, rank, detail::padding<Layout>, sizeof(value_type));
    owner_ = Owner(allocate<MemorySpace>(label, static_cast<std::size_t>(span()) * sizeof(value_type), zero));
    data_ = static_cast<value_type*>(owner_.get()->data);
  }

  template <class OtherView>
  TRELLIS_FUNCTION void convert_extents(const OtherView& other) {
    if constexpr (requires { mapping_.strides; }) {
      for (int r = 0; r < rank; ++r) mapping_.strides[r] = other.mapping().strides[r];
    }
    if constexpr (requires { mapping_.first_site; }) mapping_.first_site = other.mapping().first_site;
    for (int r = 0; r < rank; ++r) {
      if (extents_type::static_extent(r) == dynamic_extent) {
        mapping_.shape.run_time[extents_type::dynamic_index(r)] = other.extent(r);
#if !defined(__CUDA_ARCH__)
      } else if (extents_type::static_extent(r) != other.extent(r)) {
        detail::extents_differ(other.owner().get(), r, other.extent(r), extents_type::static_extent(r));
#endif
      }
    }
  }

  template <class... I>
  TRELLIS_FUNCTION constexpr void check_bounds(I... i) const {
    int r = 0;
    ((i < 0 || i >= extent(r) ? detail::out_of_range(owner_.get(), r, i, extent(r)) : static_cast<void>(0), ++r), ...);
  }

  value_type* data_ = nullptr;
  mapping_type mapping_{};
  Owner owner_;
};

template <class T>
inline constexpr bool is_view = false;
template <class D, class L, class M>
inline constexpr bool is_view<View<D, L, M>> = true;

}  // namespace trellis

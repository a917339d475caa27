// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// View<DataType, Properties...>: a multidimensional array whose memory is shared by its copies (semantics: Edwards and
// Trott, "Kokkos: Enabling performance portability across manycore architectures", 2013). DataType gives the rank, 0 to
// 8, with run-time extents first; properties are a layout, a place and access traits (view_properties.hpp).
//
//   View<double**[4][3]> a("a", n, m);          allocates n*m*4*3 zeros under the label "a"
//   View<const double**[4][3]> c = a;           same memory, read only; the last view of either kind frees it
//   View<float*, LayoutTiled<8>> t(uninitialized, "t", n);      memory neither initialised nor touched
//   View<double**, HostSpace> u(pointer, n, m); unmanaged: the caller keeps the memory alive
//   View<double*, HostSpace> s(span);           the same for a std::span, whose size is checked; views of rank 1 whose
//                                               elements are contiguous convert to one
//
// Assigning and copying a View shares its memory; only deep_copy (mirror.hpp) copies data. subview.hpp makes Views of
// parts, mdspan.hpp a std::mdspan. A View converts to one of const values, to static or run-time extents of the same
// values, to other access traits, and to LayoutStride. Data is zeroed in parallel by the default host execution space,
// so that with a static schedule the thread that touches an element first is the one to which RangePolicy gives its
// first index. Values are trivially copyable. Throws Error, naming the label, if extents are negative or their product
// is too large, if there is no memory, if static extents disagree in a conversion, or if a span has another size; with
// TRELLIS_BOUNDS_CHECK (the default in debug builds) also if an index is out of range. Cost: operator() is the layout's
// arithmetic, nothing more. Copying a View is one atomic increment; within a kernel not even that (allocation.hpp).

#include <cstdio>
#include <span>
#include <string>
#include <type_traits>

#include "trellis/core/atomic.hpp"
#include "trellis/core/backend/thread.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/layout.hpp"
#include "trellis/core/runtime/allocation.hpp"
#include "trellis/core/view_properties.hpp"

namespace trellis {

struct Uninitialized {};
inline constexpr Uninitialized uninitialized;

namespace detail {

// Reports index `at` out of `extent` in dimension r. On a device it stops the kernel.
[[noreturn]] void throw_out_of_range(const Allocation* allocation, int r, Index at, Index extent);
TRELLIS_FUNCTION inline void out_of_range(const Allocation* allocation, int r, Index at, Index extent) {
#if defined(TRELLIS_ON_DEVICE)
  static_cast<void>(allocation);
  printf("trellis: index %lld of dimension %d is outside [0, %lld)\n", static_cast<long long>(at), r,
         static_cast<long long>(extent));
  backend::stop_kernel();
#else
  throw_out_of_range(allocation, r, at, extent);
#endif
}
// Throws if extents are negative, or if their product times `bytes` overflows, the first of them padded to a multiple
// of `pad`.
void check_extents(std::string_view label, const Index* extents, int rank, Index pad, std::size_t bytes);
// Throws if a span of `found` elements is given to a View that needs `needed`.
void check_span(std::size_t found, Index needed);
[[noreturn]] void extents_differ(const Allocation* from, int r, Index found, Index expected);
std::string label_of(const Allocation* allocation);

template <class T>
concept AnIndex = std::is_convertible_v<T, Index>;

template <class Layout>
inline constexpr Index padding = 1;
template <int W, int G>
inline constexpr Index padding<LayoutTiled<W, G>> = W;

template <class Access, class T>
struct ReferenceOf {
  using type = std::conditional_t<Access::random, std::remove_const_t<T>, T&>;
};
template <class Access, class T>
  requires Access::atomic
struct ReferenceOf<Access, T> {
  using type = AtomicReference<T>;
};

// The pointer of a View: a promise to the compiler if its access is Restrict.
template <class Access, class T>
struct PointerOf {
  using type = T*;
};
template <class Access, class T>
  requires Access::restricted
struct PointerOf<Access, T> {
  using type = T* __restrict__;
};

// Throws, on hosts, if a View whose data is not aligned becomes one that says it is.
[[noreturn]] void throw_not_aligned(const Allocation* allocation, const void* data);
template <class Access>
TRELLIS_FUNCTION void require_alignment([[maybe_unused]] const Allocation* allocation,
                                        [[maybe_unused]] const void* data) {
#if !defined(TRELLIS_ON_DEVICE)
  if constexpr (Access::aligned)
    if (reinterpret_cast<std::uintptr_t>(data) % memory_alignment != 0) throw_not_aligned(allocation, data);
#endif
}

// Whether elements of a View of rank 1 are contiguous.
template <class Layout>
inline constexpr bool is_dense_line = std::is_same_v<Layout, LayoutRight> || std::is_same_v<Layout, LayoutLeft>;
template <int W>
inline constexpr bool is_dense_line<LayoutTiled<W>> = true;

// Whether the same indices lead to the same places, or `To` can describe where they lead.
template <class From, class To, int Rank>
inline constexpr bool layout_converts =
    std::is_same_v<From, To> ||
    (std::is_same_v<To, LayoutStride> && (std::is_same_v<From, LayoutRight> || std::is_same_v<From, LayoutLeft>)) ||
    (Rank <= 1 && is_dense_line<From> && (std::is_same_v<To, LayoutRight> || std::is_same_v<To, LayoutLeft>));

}  // namespace detail

// A View with all its properties spelled out; code that takes any View deduces these four.
template <class DataType, class Layout, class MemorySpace, class Access>
class BasicView {
 public:
  using data_type = DataType;
  using value_type = data_type_value<DataType>;
  using non_const_value_type = std::remove_const_t<value_type>;
  using extents_type = data_type_extents<DataType>;
  using layout = Layout;
  using memory_space = MemorySpace;
  using access = Access;
  using mapping_type = typename Layout::template Mapping<extents_type>;
  // What operator() returns; a value if the access is RandomAccess.
  using reference = typename detail::ReferenceOf<Access, value_type>::type;
  using const_type = BasicView<data_type_of<const value_type, extents_type>, Layout, MemorySpace, Access>;
  using non_const_type = BasicView<data_type_of<non_const_value_type, extents_type>, Layout, MemorySpace, PlainAccess>;
  using HostMirror = BasicView<data_type_of<non_const_value_type, extents_type>, Layout, HostSpace, PlainAccess>;

  static constexpr int rank = extents_type::rank;
  static constexpr int rank_dynamic = extents_type::rank_dynamic;
  static_assert(std::is_trivially_copyable_v<value_type>, "Views hold trivially copyable values");
  static_assert(alignof(value_type) <= memory_alignment);
  static_assert(!Access::random || std::is_const_v<value_type>, "a View with RandomAccess is of const values");

  BasicView() = default;

  // Allocates; one argument for each run-time extent.
  template <detail::AnIndex... I>
    requires(sizeof...(I) == rank_dynamic)
  explicit BasicView(std::string_view label, I... extents)
      : BasicView(true, label, extents_type{{static_cast<Index>(extents)...}}) {}
  template <detail::AnIndex... I>
    requires(sizeof...(I) == rank_dynamic)
  BasicView(Uninitialized, std::string_view label, I... extents)
      : BasicView(false, label, extents_type{{static_cast<Index>(extents)...}}) {}

  BasicView(std::string_view label, const extents_type& extents) : BasicView(true, label, extents) {}
  BasicView(Uninitialized, std::string_view label, const extents_type& extents) : BasicView(false, label, extents) {}

  // Does not own: `data` must hold span() elements and outlive every view of it.
  template <class T, detail::AnIndex... I>
    requires(sizeof...(I) == rank_dynamic && std::is_convertible_v<T*, value_type*>)
  TRELLIS_FUNCTION BasicView(T* data, I... extents)
      : data_(data), mapping_{extents_type{{static_cast<Index>(extents)...}}} {
    detail::require_alignment<Access>(nullptr, data);
  }

  // A part of what `owner` keeps alive; for subview().
  TRELLIS_FUNCTION BasicView(value_type* data, const mapping_type& mapping, const Owner& owner)
      : data_(data), mapping_(mapping), owner_(owner) {
    detail::require_alignment<Access>(owner_.get(), data);
  }

  // Also unmanaged, for a std::span, which must have span() elements.
  template <class T, std::size_t N, detail::AnIndex... I>
    requires(sizeof...(I) == rank_dynamic && std::is_convertible_v<T*, value_type*> && MemorySpace::host_reaches)
  BasicView(std::span<T, N> data, I... extents)
      : data_(data.data()), mapping_{extents_type{{static_cast<Index>(extents)...}}} {
    detail::require_alignment<Access>(nullptr, data_);
    detail::check_span(data.size(), span());
  }
  template <class T, std::size_t N>
    requires(rank == 1 && rank_dynamic == 1 && std::is_convertible_v<T*, value_type*> && MemorySpace::host_reaches &&
             detail::is_dense_line<Layout>)
  BasicView(std::span<T, N> data) : BasicView(data.data(), static_cast<Index>(data.size())) {}

  // View<T> -> View<const T>; between static and run-time extents, layouts and traits as described above.
  template <class OtherData, class OtherLayout, class OtherAccess>
    requires(!std::is_same_v<BasicView<OtherData, OtherLayout, MemorySpace, OtherAccess>, BasicView> &&
             std::is_same_v<std::remove_const_t<data_type_value<OtherData>>, non_const_value_type> &&
             std::is_convertible_v<data_type_value<OtherData>*, value_type*> &&
             data_type_extents<OtherData>::rank == rank && detail::layout_converts<OtherLayout, Layout, rank>)
  TRELLIS_FUNCTION BasicView(const BasicView<OtherData, OtherLayout, MemorySpace, OtherAccess>& other)
      : data_(other.data()), owner_(other.owner()) {
    detail::require_alignment<Access>(owner_.get(), data_);
    if constexpr (std::is_same_v<typename BasicView<OtherData, OtherLayout, MemorySpace, OtherAccess>::mapping_type,
                                 mapping_type>) {
      mapping_ = other.mapping();
    } else {
      convert_extents(other);
    }
  }

  operator std::span<value_type>() const
    requires(rank == 1 && detail::is_dense_line<Layout> && MemorySpace::host_reaches && !Access::atomic)
  {
    return {data_, static_cast<std::size_t>(size())};
  }

  template <detail::AnIndex... I>
    requires(sizeof...(I) == rank)
  TRELLIS_INLINE constexpr reference operator()(I... i) const {
    static_assert(MemorySpace::host_reaches || !backend::host_code_alone,
                  "host code cannot access this View's memory space: use create_mirror_view and deep_copy");
    if constexpr (backend::out_of_reach<MemorySpace>) backend::refuse_access<MemorySpace>(owner_.get());
#if defined(TRELLIS_BOUNDS_CHECK)
    check_bounds(static_cast<Index>(i)...);
#endif
    const Index at = mapping_(static_cast<Index>(i)...);
    if constexpr (Access::random)
      return backend::load_read_only(pointer() + at);
    else if constexpr (Access::atomic)
      return reference(pointer() + at);
    else if constexpr (Access::restricted && !Access::aligned)
      return data_[at];  // through the member, which carries the promise
    else
      return pointer()[at];
  }
  TRELLIS_INLINE constexpr reference operator[](Index i) const
    requires(rank == 1)
  {
    return (*this)(i);
  }

  TRELLIS_INLINE constexpr Index extent(int r) const { return mapping_.extents().extent(r); }
  static constexpr Index static_extent(int r) { return extents_type::static_extent(r); }
  TRELLIS_INLINE constexpr Index stride(int r) const { return mapping_.stride(r); }
  // The number of elements of the index space, and of those in memory, padding included.
  TRELLIS_INLINE constexpr Index size() const { return mapping_.extents().size(); }
  TRELLIS_INLINE constexpr Index span() const { return mapping_.span(); }
  TRELLIS_INLINE constexpr value_type* data() const { return data_; }
  TRELLIS_INLINE constexpr const mapping_type& mapping() const { return mapping_; }
  TRELLIS_INLINE constexpr bool is_allocated() const { return data_ != nullptr; }
  TRELLIS_FUNCTION const Owner& owner() const { return owner_; }

  // The number of Views that share this memory; 0 if there is none or it is unmanaged.
  long use_count() const { return owner_.get() == nullptr ? 0 : owner_.get()->owners.load(std::memory_order_relaxed); }
  std::string label() const { return detail::label_of(owner_.get()); }

 private:
  BasicView(bool zero, std::string_view label, const extents_type& extents) : mapping_{extents} {
    static_assert(!std::is_const_v<value_type>, "a View of const values can only refer to another View's memory");
    static_assert(!requires { mapping_.strides; }, "strided layouts only describe parts of other Views");
    static_assert(
        requires { allocate(MemorySpace{}, label, std::size_t{}, zero); },
        "this memory space is not part of this build");
    Index all[rank == 0 ? 1 : rank] = {};
    for (int r = 0; r < rank; ++r) all[r] = extents.extent(r);
    detail::check_extents(label, all, rank, detail::padding<Layout>, sizeof(value_type));
    const auto bytes = static_cast<std::size_t>(span()) * sizeof(value_type);
    owner_ = Owner(detail::allocate_for_view<MemorySpace>(label, bytes, zero));
    data_ = static_cast<value_type*>(owner_.get()->data);
  }

  template <class OtherView>
  TRELLIS_FUNCTION void convert_extents(const OtherView& other) {
    if constexpr (requires { mapping_.strides; }) {
      for (int r = 0; r < rank; ++r) mapping_.strides[r] = other.mapping().stride(r);
    }
    if constexpr (requires { mapping_.first_site; }) mapping_.first_site = other.mapping().first_site;
    for (int r = 0; r < rank; ++r) {
      if (extents_type::static_extent(r) == dynamic_extent) {
        mapping_.shape.run_time[extents_type::dynamic_index(r)] = other.extent(r);
#if !defined(TRELLIS_ON_DEVICE)
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

  TRELLIS_INLINE constexpr auto pointer() const {
    if constexpr (Access::aligned)
      return static_cast<value_type*>(__builtin_assume_aligned(data_, memory_alignment));
    else
      return data_;
  }

  typename detail::PointerOf<Access, value_type>::type data_ = nullptr;
  mapping_type mapping_{};
  Owner owner_;
};

template <class DataType, class... P>
using View = BasicView<DataType, typename detail::Properties<P...>::layout,
                       typename detail::Properties<P...>::memory_space, typename detail::Properties<P...>::access>;

// On the host, whatever the default space is.
template <class DataType, class... P>
using HostView = View<DataType, HostSpace, P...>;

template <class T>
inline constexpr bool is_view = false;
template <class D, class L, class M, class A>
inline constexpr bool is_view<BasicView<D, L, M, A>> = true;

}  // namespace trellis

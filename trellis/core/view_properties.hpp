// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Properties of a View<DataType, Properties...>, in any order and each at most once:
//   a layout              LayoutRight, LayoutLeft, LayoutTiled<W>, ... or a user's own (a type with a Mapping<Extents>)
//   a place               a memory space, or an execution space, which means its memory
//   access traits, any number of these:
//     RandomAccess      the view is only read, in any order; a GPU then reads through its read-only cache. Elsewhere it
//                       means the same as const.
//     Atomic            every access to an element is atomic (atomic.hpp): operator() returns an AtomicReference
//     Restrict          a promise: while a kernel runs, elements that it reaches through this view, and that anybody
//                       writes, are reached through no other view. Compilers may keep them in registers meanwhile.
//                       Nothing can check this, and GCC makes no use of it.
//     Aligned           a promise: data() is a multiple of memory_alignment, as all that Views allocate is. It is
//                       checked when such a view is made on the host, which throws Error.
//   RandomAccess and Atomic exclude each other.
// By default the place is that of the default execution space, and the layout depends on the place: on hosts the last
// index runs fastest (LayoutRight), on a GPU the first (LayoutLeft), since usually the first is distributed to threads.

#include <type_traits>

#include "trellis/core/base/first_of.hpp"
#include "trellis/core/layout.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

// Access traits of one View together.
template <bool Random, bool IsAtomic, bool Restricted, bool IsAligned>
struct AccessTraits {
  static constexpr bool is_access_trait = true;
  static constexpr bool random = Random, atomic = IsAtomic, restricted = Restricted, aligned = IsAligned;
  static_assert(!random || !atomic, "a View with RandomAccess is only read: it cannot also be Atomic");
  using of_part = AccessTraits<Random, IsAtomic, Restricted, false>;  // a part may begin anywhere
};
using PlainAccess = AccessTraits<false, false, false, false>;
using RandomAccess = AccessTraits<true, false, false, false>;
using Atomic = AccessTraits<false, true, false, false>;
using Restrict = AccessTraits<false, false, true, false>;
using Aligned = AccessTraits<false, false, false, true>;

namespace detail {

template <class P>
inline constexpr bool is_layout = requires { typename P::template Mapping<Extents<>>; };
template <class P>
inline constexpr bool is_place = ExecutionSpace<P> || MemorySpace<P>;
template <class P>
inline constexpr bool is_access_trait = requires { P::is_access_trait; };

template <class P>
struct MemoryOf {
  using type = P;
};
template <ExecutionSpace P>
struct MemoryOf<P> {
  using type = typename P::memory_space;
};

template <class T>
struct IsLayout : std::bool_constant<is_layout<T>> {};
template <class T>
struct IsPlace : std::bool_constant<is_place<T>> {};

// The traits of A and of all access traits among P.
template <class A, class... P>
struct AllTraits {
  using type = A;
};
template <class A, class First, class... Rest>
struct AllTraits<A, First, Rest...> : AllTraits<A, Rest...> {};
template <class A, class First, class... Rest>
  requires is_access_trait<First>
struct AllTraits<A, First, Rest...>
    : AllTraits<AccessTraits<A::random || First::random, A::atomic || First::atomic, A::restricted || First::restricted,
                             A::aligned || First::aligned>,
                Rest...> {};

template <class Memory>
struct DefaultLayout {
  using type = LayoutRight;
};
template <class Memory>
  requires requires { typename Memory::default_layout; }
struct DefaultLayout<Memory> {
  using type = typename Memory::default_layout;
};

template <class... P>
struct Properties {
  static_assert(((is_layout<P> || is_place<P> || is_access_trait<P>) && ...),
                "a View's properties are layouts, memory or execution spaces, and access traits");
  static_assert((0 + ... + int(is_layout<P>)) <= 1, "a View has one layout");
  static_assert((0 + ... + int(is_place<P>)) <= 1, "a View lies in one memory space");
  using memory_space = typename MemoryOf<typename FirstOf<IsPlace, DefaultMemorySpace, P...>::type>::type;
  using layout = typename FirstOf<IsLayout, typename DefaultLayout<memory_space>::type, P...>::type;
  using access = typename AllTraits<PlainAccess, P...>::type;
};

}  // namespace detail
}  // namespace trellis

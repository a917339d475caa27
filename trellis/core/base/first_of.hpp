// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// FirstOf<Is, Default, P...>::type: the first P for which Is<P>::value, otherwise Default. Properties of Views and of
// policies stand in any order; so they are found.

#include <type_traits>

namespace trellis::detail {

template <template <class> class Is, class Default, class... P>
struct FirstOf {
  using type = Default;
};
template <template <class> class Is, class Default, class First, class... Rest>
struct FirstOf<Is, Default, First, Rest...>
    : std::conditional<Is<First>::value, First, typename FirstOf<Is, Default, Rest...>::type> {};

}  // namespace trellis::detail

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Extents of an index space, each fixed at compile time or at run time, and their notation as a data type:
// `double**[4][3]` has rank 4: two run-time extents, then 4 and 3. Ranks 0 to 8. Only the run-time extents are stored.

#include <array>
#include <utility>

#include "trellis/core/config.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

inline constexpr Index dynamic_extent = -1;
inline constexpr int max_rank = 8;

template <Index... E>
struct Extents {
  static constexpr int rank = sizeof...(E);
  static constexpr int rank_dynamic = (0 + ... + static_cast<int>(E == dynamic_extent));
  static_assert(rank <= max_rank, "views have at most 8 dimensions");

  static constexpr Index static_extent(int r) {
    const Index all[] = {E..., 0};
    return all[r];
  }
  // The number of run-time extents before r.
  static constexpr int dynamic_index(int r) {
    int count = 0;
    for (int k = 0; k < r; ++k) count += static_extent(k) == dynamic_extent;
    return count;
  }

  // Extent R, as a constant if it is static.
  template <int R>
  TRELLIS_INLINE constexpr Index get() const {
    constexpr Index fixed = static_extent(R);
    if constexpr (fixed != dynamic_extent) {
      return fixed;
    } else {
      constexpr int at = dynamic_index(R);
      return run_time[at];
    }
  }
  TRELLIS_FUNCTION constexpr Index extent(int r) const {
    return [&]<int... R>(std::integer_sequence<int, R...>) {
      Index found = 1;
      ((r == R ? static_cast<void>(found = get<R>()) : static_cast<void>(0)), ...);
      return found;
    }(std::make_integer_sequence<int, rank>());
  }
  TRELLIS_FUNCTION constexpr Index size() const {
    return [&]<int... R>(std::integer_sequence<int, R...>) {
      return (Index{1} * ... * get<R>());
    }(std::make_integer_sequence<int, rank>());
  }

  Index run_time[rank_dynamic == 0 ? 1 : rank_dynamic] = {};
};

namespace detail {

template <class T, Index... E>
struct ParseDataType {
  using value_type = T;
  using extents = Extents<E...>;
};
template <class T, std::size_t N, Index... E>
struct ParseDataType<T[N], E...> : ParseDataType<T, E..., static_cast<Index>(N)> {};
template <class T, Index... E>
struct ParseDataType<T*, E...> : ParseDataType<T, dynamic_extent, E...> {};

template <class T, Index... E>
struct MakeDataType {
  using type = T;
};
template <class T, Index First, Index... Rest>
struct MakeDataType<T, First, Rest...> {
  using type = typename MakeDataType<T, Rest...>::type[First];
};
template <class T, Index... Rest>
struct MakeDataType<T, dynamic_extent, Rest...> : MakeDataType<T*, Rest...> {};

template <class T, class E>
struct DataTypeOf;
template <class T, Index... E>
struct DataTypeOf<T, Extents<E...>> : MakeDataType<T, E...> {};

}  // namespace detail

// `const double**[3]` -> const double, and Extents<dynamic_extent, dynamic_extent, 3>.
template <class DataType>
using data_type_value = typename detail::ParseDataType<DataType>::value_type;
template <class DataType>
using data_type_extents = typename detail::ParseDataType<DataType>::extents;

// The inverse: the data type of a value type and extents (run-time ones first).
template <class T, class E>
using data_type_of = typename detail::DataTypeOf<T, E>::type;

}  // namespace trellis

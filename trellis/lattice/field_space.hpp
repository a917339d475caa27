// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where fields live and their kernels run: the default execution space. On a GPU a field stays there; the host accesses
// single sites (GaugeField::link(), ParityField::at(); slow, for tests and sources) and complete copies (files).

#include <array>
#include <span>
#include <vector>

#include "trellis/core/mirror.hpp"
#include "trellis/core/simd.hpp"

namespace trellis {

using FieldSpace = DefaultExecutionSpace;
using FieldMemory = FieldSpace::memory_space;

template <class DataType, class... Properties>
using FieldView = View<DataType, FieldMemory, Properties...>;

// Tiles of W sites, with a site's numbers grouped as suits the machine.
template <int W, int Group = lane_group>
using FieldLayout = LayoutTiled<W, Group>;
// True if the vectors of several fields lie side by side, [tile][pair of numbers][field][2]: with one lane,
// neighbouring threads of a GPU work on neighbouring fields, not sites. A CPU build can turn this on for tests.
template <int W>
inline constexpr bool fields_side_by_side =
#if defined(TRELLIS_DEVICE_BACKEND) || defined(TRELLIS_FIELDS_SIDE_BY_SIDE)
    W == 1;
#else
    false;
#endif
template <int W, int Group = lane_group>
using FieldsLayout = std::conditional_t<fields_side_by_side<W>, LayoutSideBySide<2>, FieldLayout<W, Group>>;
// The same for fields with an odd number of components.
template <int W>
using SingleLayout = LayoutTiled<W>;

// A host table, copied to where kernels can read it; the table itself if they can read host memory.
template <class V>
auto in_field_memory(const V& table) {
  return create_mirror_view_and_copy(FieldMemory{}, table);
}

// The offset of number k of a lane within a block of a field.
template <class V>
constexpr int place_in_block(int k, int lane) {
  constexpr int group = V::layout::group;
  return k / group * group * V::layout::width + lane * group + k % group;
}

// The offset of number k of field n within a site, where `fields` fields lie side by side.
constexpr int place_side_by_side(int k, int n, int fields) { return 2 * (k / 2 * fields + n) + k % 2; }

// The numbers of one site. If the host cannot access fields, the numbers are copied: for tests and sources, not for
// loops over a field.
namespace field_detail {

// Calls f(numbers) with `size` numbers that the host can access, and writes them back if they may have changed.
template <class V, class F>
void with_numbers(const V& field, Index first, int size, bool changes, const F& f) {
  using T = typename V::value_type;
  T* const data = field.data() + first;
  if constexpr (can_access<DefaultHostExecutionSpace, FieldMemory>) {
    f(data);
  } else {
    std::vector<T> numbers(static_cast<std::size_t>(size));
    const std::size_t bytes = numbers.size() * sizeof(T);
    fence();
    copy_bytes(HostSpace{}, numbers.data(), FieldMemory{}, data, bytes);
    f(numbers.data());
    if (changes) copy_bytes(FieldMemory{}, data, HostSpace{}, numbers.data(), bytes);
  }
}

// f(first, size, place), place(k) being that of number k of field n at a site: its block in memory, and the lane within
// it.
template <int Reals, class V, class F>
void with_places(const V&, Index site, int n, int fields, const F& f) {
  if constexpr (std::is_same_v<typename V::layout, LayoutSideBySide<2>>) {
    f(site * fields * Reals, fields * Reals, [=](int k) { return place_side_by_side(k, n, fields); });
  } else {
    constexpr int lanes = V::layout::width;
    const int lane = int(site % lanes);
    f((site / lanes * fields + n) * (Reals * lanes), Reals * lanes, [=](int k) { return place_in_block<V>(k, lane); });
  }
}

}  // namespace field_detail

// For field n of `fields`, at the site with this place.
template <int Reals, class V>
std::array<double, Reals> read_site(const V& field, Index site, int n, int fields) {
  std::array<double, Reals> values;
  field_detail::with_places<Reals>(field, site, n, fields, [&](Index first, int size, const auto& place) {
    field_detail::with_numbers(field, first, size, false, [&](const auto* numbers) {
      for (int k = 0; k < Reals; ++k) values[std::size_t(k)] = double(numbers[place(k)]);
    });
  });
  return values;
}
template <class V, std::size_t Reals>
void write_site(const V& field, Index site, int n, int fields, std::span<const double, Reals> values) {
  field_detail::with_places<int(Reals)>(field, site, n, fields, [&](Index first, int size, const auto& place) {
    field_detail::with_numbers(field, first, size, true, [&](auto* numbers) {
      for (int k = 0; k < int(Reals); ++k) numbers[place(k)] = typename V::value_type(values[std::size_t(k)]);
    });
  });
}

// The same for a field with one number per site.
template <class V>
double read_single(const V& field, Index place) {
  double value = 0;
  field_detail::with_numbers(field, place, 1, false, [&](const auto* number) { value = double(*number); });
  return value;
}
template <class V>
void write_single(const V& field, Index place, double value) {
  field_detail::with_numbers(field, place, 1, true, [&](auto* number) { *number = typename V::value_type(value); });
}

// True if host code can access fields, and their kernels are loops; otherwise each number has its own thread.
inline constexpr bool fields_on_host = kernels_on_host;

}  // namespace trellis

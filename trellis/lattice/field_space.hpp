// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where fields live and their kernels run: the default execution space. On a GPU a field stays there; the host sees
// single sites (GaugeField::link(), ParityField::at(), slow, for tests and sources) and whole copies (files).

#include <array>
#include <span>

#include "trellis/core/mirror.hpp"
#include "trellis/core/simd.hpp"

namespace trellis {

using FieldSpace = DefaultExecutionSpace;
using FieldMemory = FieldSpace::memory_space;

template <class DataType, class... Properties>
using FieldView = View<DataType, FieldMemory, Properties...>;

// Tiles of W sites, a site's numbers grouped as the machine likes them.
template <int W, int Group = lane_group>
using FieldLayout = LayoutTiled<W, Group>;
// The same for fields of an odd count of numbers.
template <int W>
using SingleLayout = LayoutTiled<W>;

// A host's table where kernels reach it; the table itself where that is the same place.
template <class V>
auto in_field_memory(const V& table) {
  return create_mirror_view_and_copy(FieldMemory{}, table);
}

// Where number k of a lane stands in a block of a field.
template <class V>
constexpr int place_in_block(int k, int lane) {
  constexpr int group = V::layout::group;
  return k / group * group * V::layout::width + lane * group + k % group;
}

// The numbers of one lane of a block: `Reals` numbers of each of the W sites of a tile, the block-th such in memory.
// Where the host does not reach fields a whole block is copied: for tests and sources, not for fields.
namespace field_detail {

// Calls f(block) with the block's numbers where the host reaches them, and writes them back if they may have changed.
template <int Reals, class V, class F>
void with_block(const V& field, Index block, bool changes, const F& f) {
  using T = typename V::value_type;
  constexpr int size = Reals * V::layout::width;
  T* const data = field.data() + block * size;
  if constexpr (can_access<DefaultHostExecutionSpace, FieldMemory>) {
    f(data);
  } else {
    T numbers[size];
    fence();
    copy_bytes(HostSpace{}, numbers, FieldMemory{}, data, sizeof numbers);
    f(numbers);
    if (changes) copy_bytes(FieldMemory{}, data, HostSpace{}, numbers, sizeof numbers);
  }
}

}  // namespace field_detail

template <int Reals, class V>
std::array<double, Reals> read_site(const V& field, Index block, int lane) {
  std::array<double, Reals> values;
  field_detail::with_block<Reals>(field, block, false, [&](const auto* numbers) {
    for (int k = 0; k < Reals; ++k) values[std::size_t(k)] = double(numbers[place_in_block<V>(k, lane)]);
  });
  return values;
}
template <class V, std::size_t Reals>
void write_site(const V& field, Index block, int lane, std::span<const double, Reals> values) {
  field_detail::with_block<int(Reals)>(field, block, true, [&](auto* numbers) {
    for (int k = 0; k < int(Reals); ++k)
      numbers[place_in_block<V>(k, lane)] = typename V::value_type(values[std::size_t(k)]);
  });
}

// The same of a field of one number a site.
template <class V>
double read_single(const V& field, Index block, int lane) {
  double value = 0;
  field_detail::with_block<1>(field, block, false, [&](const auto* numbers) { value = double(numbers[lane]); });
  return value;
}
template <class V>
void write_single(const V& field, Index block, int lane, double value) {
  field_detail::with_block<1>(field, block, true,
                              [&](auto* numbers) { numbers[lane] = typename V::value_type(value); });
}

}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A field's numbers in host memory: accessing a GPU's memory site by site is slow. Values that are set reach the field
// in write(); at() may not see them before. Sites must have the field's parity.

#include "trellis/lattice/parity_field.hpp"

namespace trellis::test {

template <class V>
class HostVectors {
 public:
  explicit HostVectors(const V& field)
      : field_(field), values_(create_mirror_view_and_copy(HostSpace{}, field.view())) {
    if constexpr (fixed) scales_ = create_mirror_view_and_copy(HostSpace{}, field.scales());
  }

  std::array<double, V::reals> at(const Coordinate& x, int n = 0) const {
    std::array<double, V::reals> values;
    for (int k = 0; k < V::reals; ++k) {
      if constexpr (fixed)
        values[k] = float(values_(site(x), n, k)) * scales_(site(x), n);
      else
        values[k] = values_(site(x), n, k);
    }
    return values;
  }
  void set(const Coordinate& x, std::span<const double, V::reals> values, int n = 0) const {
    if constexpr (fixed)
      field_.set(x, values, n);  // the field knows how to store them
    else
      for (int k = 0; k < V::reals; ++k) values_(site(x), n, k) = typename V::scalar(values[k]);
  }
  void write() const {
    if constexpr (!fixed) deep_copy(field_.view(), values_);
  }

 private:
  static constexpr bool fixed = is_fixed_point<typename V::scalar>;

  Index site(const Coordinate& x) const {
    const Lattice& lattice = field_.lattice();
    return lattice.index(x) - field_.parity() * lattice.volume() / 2;
  }

  V field_;
  decltype(create_mirror_view(HostSpace{}, std::declval<typename V::view_type>())) values_;
  decltype(create_mirror_view(HostSpace{}, std::declval<typename V::scales_type>())) scales_;
};

}  // namespace trellis::test

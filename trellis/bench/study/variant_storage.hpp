// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links, factors and vectors as a body of variant_bodies.hpp expects them: each number of a one-lane field is stored in
// the row (tile, or hop of a tile), component, lane and part where the variant keeps it. The host places them, and
// copies them to where kernels run if it cannot write there.

#include "trellis/bench/study/variant_bodies.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::bench::study {

template <class T>
class VariantStorage {
 public:
  // lattice: the one with the variant's tiles; sites: the one of the one-lane fields.
  VariantStorage(const CompiledBody<T>& body, const Lattice& lattice, const Lattice& sites);

  void place(const WilsonLinks<T, 1>& links);
  void place(const SpinorField<T, 1>& psi);
  SpinorField<T, 1> vectors(int parity) const;

  const CompiledBody<T>& body() const { return body_; }
  const Lattice& lattice() const { return lattice_; }
  const Lattice& sites() const { return sites_; }
  bool holds_right_hand_sides() const { return body_.choice.filling == Filling::right_hand_sides; }
  const FieldView<T*, LayoutRight>& links(int out_parity) const { return links_[out_parity]; }
  const FieldView<T*, LayoutRight>& spinors(int parity) const { return spinors_[parity]; }

  // All arguments except those that change from one application to the next: stores and distances.
  BodyArguments<T> arguments(int out_parity) const;
  // In the order of memory; the order, and what belongs to it, is left to the caller.
  Walk walk() const;

 private:
  void place_factors(const WilsonLinks<T, 1>& links);
  template <class F>
  void for_each_vector_number(int parity, const HostView<T*>& of_field, const F& f) const;

  CompiledBody<T> body_;
  Lattice lattice_, sites_;
  VirtualNode node_;
  HostView<std::int32_t*> site_;         // [tile][lane of the lattice]: the site in one-lane fields
  FieldView<T*, LayoutRight> links_[2];  // for the hops to each parity
  FieldView<T*, LayoutRight> spinors_[2];
  FieldView<std::uint8_t*, LayoutRight> marks_;    // [tile]
  FieldView<std::int32_t*, LayoutRight> numbers_;  // [tile][8]
  FieldView<T*, LayoutRight> factors_;
  FieldView<std::int32_t*, LayoutRight> lanes_;  // [shift][table_width]
  FieldView<std::int32_t*, LayoutRight> rows_;   // [y + z extent_y]: the first tile of a row of x, at t = 0
};

}  // namespace trellis::bench::study

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a solver requires of an operator that acts on vectors V = ParityField<T, Reals, W>. If A is Hermitian and
// positive:
//   std::vector<double> a(const V& in, const V& out);
// out_n <- A in_n for each of the in.count() vectors, returning Re <in_n, A in_n> of each: an exact sum, computed while
// the operator's last pass still has the numbers in registers. An operator that can leave its sums where kernels read
// them also has
//   a(const V& in, const V& out, const FieldSums& products);
// so that the host need not wait for them. Any other operator (GeneralOperator):
//   a.apply(const V& in, const V& out);            out_n <- A in_n
//   a.apply_adjoint(const V& in, const V& out);    out_n <- A^dagger in_n
// and a call operator, if there is one, is A^dagger A. The result for vector n depends neither on the number of vectors
// nor on its place among them.
//
// An operator that does depend on the place (Shifted) also has a member part(places): the operator on those vectors
// alone.

#include <concepts>
#include <span>
#include <vector>

#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::solver {

template <class A, class V>
concept HermitianOperator = requires(const A& a, const V& in, const V& out) {
  { a(in, out) } -> std::convertible_to<std::vector<double>>;
};

template <class A, class V>
concept GeneralOperator = requires(const A& a, const V& in, const V& out) {
  a.apply(in, out);
  a.apply_adjoint(in, out);
};

template <class A>
concept ActsByPlace = requires(const A& a, const std::vector<int>& places) {
  { a.part(places) } -> std::same_as<A>;
};

template <class A, class V>
concept LeavesProducts =
    requires(const A& a, const V& in, const V& out, const FieldSums& products) { a(in, out, products); };

template <class A, class V>
  requires HermitianOperator<A, V>
void apply_with_products(const A& a, const V& in, const V& out, const FieldSums& products) {
  if constexpr (LeavesProducts<A, V>)
    a(in, out, products);
  else
    products.set(a(in, out));
}

// For whoever does not need the products: the host does not wait for them.
template <class A, class V>
void apply_without_products(const A& a, const V& in, const V& out) {
  if constexpr (LeavesProducts<A, V>)
    a(in, out, FieldSums(in.count()));
  else
    a(in, out);
}

// The operator restricted to some of the vectors.
template <class A>
decltype(auto) part_of(const A& a, const std::vector<int>& places) {
  if constexpr (ActsByPlace<A>)
    return a.part(places);
  else
    return (static_cast<void>(places), static_cast<const A&>(a));
}

}  // namespace trellis::solver

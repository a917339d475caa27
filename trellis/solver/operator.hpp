// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a solver knows of an operator that acts on vectors V = ParityField<T, Reals, W>. Where A is Hermitian and
// positive:
//   std::vector<double> a(const V& in, const V& out);
// out_n <- A in_n for each of the in.count() vectors, and Re <in_n, A in_n> of each is returned: an exact sum, made
// while the last pass of the operator still holds the numbers. One whose sums can stay where kernels find them has
//   a(const V& in, const V& out, const FieldSums& products);
// besides, and the host need not wait for it. Any other (GeneralOperator):
//   a.apply(const V& in, const V& out);            out_n <- A in_n
//   a.apply_adjoint(const V& in, const V& out);    out_n <- A^dagger in_n
// and a call operator, if there is one, is A^dagger A. What happens to vector n depends neither on how many vectors
// there are nor on its place among them.
//
// An operator that does treat vectors by their place (Shifted) has a member part(places) besides: the operator on those
// vectors alone.

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

// The operator on some of the vectors.
template <class A>
decltype(auto) part_of(const A& a, const std::vector<int>& places) {
  if constexpr (ActsByPlace<A>)
    return a.part(places);
  else
    return (static_cast<void>(places), static_cast<const A&>(a));
}

}  // namespace trellis::solver

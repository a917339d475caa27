// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a solver knows of an operator: A is Hermitian and positive and acts on vectors V = ParityField<T, Reals, W>.
//   std::vector<double> a(const V& in, const V& out);
// out_n <- A in_n for each of the in.count() vectors, and Re <in_n, A in_n> of each is returned: an exact sum, made
// while the last pass of the operator still holds the numbers. What happens to vector n depends neither on how many
// vectors there are nor on its place among them.
//
// An operator that does treat vectors by their place (Shifted) has a member part(places) besides: the operator on those
// vectors alone.

#include <concepts>
#include <span>
#include <vector>

#include "trellis/lattice/parity_field.hpp"

namespace trellis::solver {

template <class A, class V>
concept HermitianOperator = requires(const A& a, const V& in, const V& out) {
  { a(in, out) } -> std::convertible_to<std::vector<double>>;
};

template <class A>
concept ActsByPlace = requires(const A& a, const std::vector<int>& places) {
  { a.part(places) } -> std::same_as<A>;
};

// The operator on some of the vectors.
template <class A>
decltype(auto) part_of(const A& a, const std::vector<int>& places) {
  if constexpr (ActsByPlace<A>)
    return a.part(places);
  else
    return (static_cast<void>(places), static_cast<const A&>(a));
}

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A + s_n for vector n, where A is another operator. R 2 W 1 more than A.
// Refers to A, which must outlive it.

#include "trellis/solver/algebra/vector_algebra.hpp"
#include "trellis/solver/operator.hpp"

namespace trellis::solver {

template <class A>
class Shifted {
 public:
  Shifted(const A& a, std::vector<double> shifts) : a_(&a), shifts_(std::move(shifts)) {}

  template <class V>
    requires LeavesProducts<A, V>
  void operator()(const V& in, const V& out, const FieldSums& products) const {
    require_count(in.count());
    (*a_)(in, out, products);
    add_shift(shifts_, in, out, products);
  }
  template <class V>
    requires HermitianOperator<A, V>
  std::vector<double> operator()(const V& in, const V& out) const {
    require_count(in.count());
    const FieldSums products(in.count());
    apply_with_products(*a_, in, out, products);
    add_shift(shifts_, in, out, products);
    return products.values();
  }

  Shifted part(const std::vector<int>& places) const {
    std::vector<double> shifts;
    for (const int n : places) shifts.push_back(shifts_.at(n));
    return Shifted(*a_, std::move(shifts));
  }

 private:
  void require_count(int vectors) const {
    if (vectors != static_cast<int>(shifts_.size()))
      fail("shifted operator: {} shifts for {} vectors", shifts_.size(), vectors);
  }

  const A* a_;
  std::vector<double> shifts_;
};

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A + s_n for vector n: an operator made of another one. R 2 W 1 more than A.
// It refers to A, which must outlive it.

#include "trellis/solver/operator.hpp"
#include "trellis/solver/vector_algebra.hpp"

namespace trellis::solver {

template <class A>
class Shifted {
 public:
  Shifted(const A& a, std::vector<double> shifts) : a_(&a), shifts_(std::move(shifts)) {}

  template <class V>
  requires HermitianOperator<A, V> std::vector<double>
  operator()(const V& in, const V& out) const {
    if (in.count() != static_cast<int>(shifts_.size()))
      fail("shifted operator: {} shifts for {} vectors", shifts_.size(), in.count());
    std::vector<double> products = (*a_)(in, out);
    const std::vector<double> norms = add_shift(shifts_, in, out);
    for (int n = 0; n < in.count(); ++n) products[n] += shifts_[n] * norms[n];
    return products;
  }

  Shifted part(const std::vector<int>& places) const {
    std::vector<double> shifts;
    for (const int n : places) shifts.push_back(shifts_.at(n));
    return Shifted(*a_, std::move(shifts));
  }

 private:
  const A* a_;
  std::vector<double> shifts_;
};

}  // namespace trellis::solver

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Python has no lane counts: a value of a class template over <double, W> whose W is known only at run time. What is
// done with it is a generic function, compiled for each lane count of the libraries (core/lanes.hpp).

#include <utility>
#include <variant>

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::python {

template <template <class, int> class F>
class AnyLanes {
 public:
  template <int W>
  explicit AnyLanes(F<double, W> value) : lanes_(W), value_(std::move(value)) {}

  // f(value)
  template <class Visitor>
  auto visit(Visitor&& f) const {
    return with_lanes(lanes_, [&]<int W>() { return f(get<W>()); });
  }
  // Throws unless W is its lane count.
  template <int W>
  const F<double, W>& get() const {
    return std::get<F<double, W>>(value_);
  }

 private:
  int lanes_;
#define TRELLIS_ALTERNATIVE(W) F<double, W>,
  std::variant<TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_ALTERNATIVE) std::monostate> value_;
#undef TRELLIS_ALTERNATIVE
};

}  // namespace trellis::python

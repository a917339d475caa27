// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations of group algorithms (nd_item.hpp): op(a, b), and identity<T>(), which an exclusive scan begins with. Any
// functor of two values will do; only exclusive scans need an identity.

#include <limits>

#include "trellis/core/config.hpp"

namespace trellis {

struct Plus {
  template <class T>
  TRELLIS_FUNCTION static constexpr T identity() {
    return T{};
  }
  template <class T>
  TRELLIS_FUNCTION constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

struct Multiplies {
  template <class T>
  TRELLIS_FUNCTION static constexpr T identity() {
    return T{1};
  }
  template <class T>
  TRELLIS_FUNCTION constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a * b);
  }
};

struct Minimum {
  template <class T>
  TRELLIS_FUNCTION static constexpr T identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  template <class T>
  TRELLIS_FUNCTION constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

struct Maximum {
  template <class T>
  TRELLIS_FUNCTION static constexpr T identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  template <class T>
  TRELLIS_FUNCTION constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

}  // namespace trellis

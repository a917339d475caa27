// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The framework of the tour programs: each states facts, and fails with a message if one of them does not hold.

#include <cmath>
#include <cstdio>
#include <exception>

#include "trellis/core/error.hpp"

namespace tour {

inline void expect(bool holds, const char* fact) {
  if (!holds) trellis::fail("this does not hold: {}", fact);
}

// Written so that NaN fails.
inline void expect_near(double found, double expected, double most_apart, const char* fact) {
  if (!(std::abs(found - expected) <= most_apart)) {
    trellis::fail("this does not hold: {} (found {}, expected {})", fact, found, expected);
  }
}

template <class F>
int run(const F& program) {
  try {
    program();
    return 0;
  } catch (const trellis::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}

}  // namespace tour

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Adds up seconds of work: seconds += the time that f() takes, device work included.

#include <chrono>
#include <type_traits>

#include "trellis/core/spaces.hpp"

namespace trellis {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <class F>
auto timed(double& seconds, F&& f) {
  struct Adder {
    double& sum;
    Stopwatch watch{};
    ~Adder() { sum += watch.seconds(); }
  };
  const Adder adder{seconds};
  if constexpr (std::is_void_v<decltype(f())>) {
    f();
    fence();
  } else {
    auto result = f();
    fence();
    return result;
  }
}

}  // namespace trellis

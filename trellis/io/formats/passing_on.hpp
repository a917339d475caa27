// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bytes go to a sink piece after piece, in a thread of its own, while the next piece is prepared:
//
//   PassingOn on(sink);
//   for (...) { fill(on.next(bytes)); on.pass(first); }
//   on.finish();
//
// pass() and finish() throw what the sink threw. Memory: two pieces.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <span>
#include <utility>
#include <vector>

#include "trellis/core/base/signals_blocked.hpp"

namespace trellis::io {

class PassingOn {
 public:
  using Sink = std::function<void(std::int64_t first, std::span<const std::byte> bytes)>;
  explicit PassingOn(Sink sink) : sink_(std::move(sink)) {}

  std::span<std::byte> next(std::size_t bytes) {
    next_.resize(bytes);
    return next_;
  }
  void pass(std::int64_t first) {
    finish();
    std::swap(next_, under_way_);
    const SignalsBlocked blocked;
    passing_ = std::async(std::launch::async, [this, first] { sink_(first, under_way_); });
  }
  void finish() {
    if (passing_.valid()) passing_.get();
  }

 private:
  Sink sink_;
  std::vector<std::byte> next_, under_way_;
  std::future<void> passing_;  // must be last: waits for the thread, which uses the others
};

}  // namespace trellis::io

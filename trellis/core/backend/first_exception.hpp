// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The exception that the caller of a kernel gets if several parts of it, in different threads, have thrown: that of the
// lowest part.

#include <exception>
#include <mutex>

#include "trellis/core/spaces.hpp"

namespace trellis::backend {

class FirstException {
 public:
  void keep(Index part) {
    const std::lock_guard lock(mutex_);
    if (!held_ || part < part_) {
      held_ = std::current_exception();
      part_ = part;
    }
  }
  void rethrow() const {
    if (held_) [[unlikely]]
      std::rethrow_exception(held_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr held_;
  Index part_ = 0;
};

}  // namespace trellis::backend

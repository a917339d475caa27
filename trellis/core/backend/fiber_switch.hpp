// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For core's own sources: switching from fiber to fiber within one thread, by Boost.Context's jump. Sanitizers are
// told, since they keep track of the current stack.

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "trellis/core/backend/fiber_stacks.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define TRELLIS_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TRELLIS_FIBER_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TRELLIS_FIBER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRELLIS_FIBER_TSAN 1
#endif
#endif
#if defined(TRELLIS_FIBER_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(TRELLIS_FIBER_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace trellis::backend {

// A place to jump to: a waiting fiber, or the thread that runs them all. The one that jumps passes the address of its
// context.
struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
#if defined(TRELLIS_FIBER_ASAN)
  const void* low = nullptr;
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
#endif
#if defined(TRELLIS_FIBER_TSAN)
  void* sanitizer = nullptr;
#endif

  // Makes this the fiber of the running thread, before it jumps to others.
  void adopt_thread() {
#if defined(TRELLIS_FIBER_TSAN)
    sanitizer = __tsan_get_current_fiber();
#endif
  }
  void make(const FiberStack& stack, void (*entry)(boost::context::detail::transfer_t)) {
    context = boost::context::detail::make_fcontext(stack.low + stack.bytes, stack.bytes, entry);
#if defined(TRELLIS_FIBER_ASAN)
    low = stack.low;
    bytes = stack.bytes;
#endif
#if defined(TRELLIS_FIBER_TSAN)
    sanitizer = __tsan_create_fiber(0);
#endif
  }
  void unmake() {
#if defined(TRELLIS_FIBER_TSAN)
    if (sanitizer != nullptr) __tsan_destroy_fiber(sanitizer);
#endif
  }
};

// Leaves `self`, and returns when something jumps back to it.
inline void jump(Fiber& self, Fiber& to) {
#if defined(TRELLIS_FIBER_ASAN)
  __sanitizer_start_switch_fiber(&self.fake_stack, to.low, to.bytes);
#endif
#if defined(TRELLIS_FIBER_TSAN)
  __tsan_switch_to_fiber(to.sanitizer, 0);
#endif
  const auto from = boost::context::detail::jump_fcontext(to.context, &self.context);
  Fiber& last = *static_cast<Fiber*>(from.data);
  last.context = from.fctx;
#if defined(TRELLIS_FIBER_ASAN)
  __sanitizer_finish_switch_fiber(self.fake_stack, &last.low, &last.bytes);
#endif
}

// The same for a caller that ends with after_wait(), so that no function returns between the kernels of two fibers.
inline boost::context::detail::transfer_t jump_and_return(Fiber& self, Fiber& to) {
#if defined(TRELLIS_FIBER_SANITIZER)
  jump(self, to);
  return {nullptr, nullptr};
#else
  return boost::context::detail::jump_fcontext(to.context, &self.context);
#endif
}

// Must be called first in a fiber's entry. Returns the fiber that jumped to it.
inline Fiber& arrived(const boost::context::detail::transfer_t& from) {
  Fiber& last = *static_cast<Fiber*>(from.data);
  last.context = from.fctx;
#if defined(TRELLIS_FIBER_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &last.low, &last.bytes);
#endif
  return last;
}

}  // namespace trellis::backend

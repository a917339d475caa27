// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a dispatch, an allocation or a copy checks before it begins: is there a listener, and has the program called
// finalize()? Both are bits of one process-wide word, so that the answer "neither" costs one relaxed load.

#include <atomic>
#include <string>

namespace trellis::runtime_detail {

inline constexpr unsigned listening = 1;  // a profile is active or a listener is registered
inline constexpr unsigned finalized = 2;  // finalize() was called

// Set until the environment (TRELLIS_PROFILE, TRELLIS_TRACE) has been read, which the first event does: that needs no
// constructor of a static object, which might run after the first dispatch.
inline constinit std::atomic<unsigned> state = listening;

inline bool quiet() { return state.load(std::memory_order_relaxed) == 0; }

// One listener more (+1) or less (-1).
void listeners_changed(int by);

// Reads the environment once; later calls do nothing.
void ask_environment();

// Whether finalize() was called. Reads the environment if that was not done yet.
bool has_ended();
[[noreturn]] void fail_ended(const std::string& what);

// Throws Error("<what()> after finalize()") if finalize() was called.
template <class What>
void require_running(const What& what) {
  if (has_ended()) fail_ended(what());
}

// For a dispatch, and for one without work, which is not reported.
void require_running_kernel(const char* name);
inline void empty_dispatch(const char* name) {
  if (!quiet()) [[unlikely]]
    require_running_kernel(name);
}

}  // namespace trellis::runtime_detail

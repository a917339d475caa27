// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a dispatch, an allocation or a copy asks before it begins: does anybody listen, and has the program ended its
// use of Trellis? Both are bits of one process-wide word, so that the answer "neither" costs one relaxed load.

#include <atomic>
#include <string>

namespace trellis::runtime_detail {

inline constexpr unsigned listening = 1;  // a profile is active or a listener is registered
inline constexpr unsigned finalized = 2;  // finalize() was called

// Somebody listens until the environment was asked (TRELLIS_PROFILE, TRELLIS_TRACE), which the first event does: that
// needs no constructor of a static object, whose turn might come after the first dispatch.
inline constinit std::atomic<unsigned> state = listening;

inline bool quiet() { return state.load(std::memory_order_relaxed) == 0; }

// One more (+1) or one less (-1) who wants to hear.
void listeners_changed(int by);

// Once; later calls do nothing.
void ask_environment();

// Whether finalize() was called. Asks the environment if nobody did.
bool has_ended();
[[noreturn]] void fail_ended(const std::string& what);

// Throws Error("<what()> after finalize()") if it is too late.
template <class What>
void require_running(const What& what) {
  if (has_ended()) fail_ended(what());
}

// For a dispatch, and one with nothing to do, which no one hears of.
void require_running_kernel(const char* name);
inline void empty_dispatch(const char* name) {
  if (!quiet()) [[unlikely]]
    require_running_kernel(name);
}

}  // namespace trellis::runtime_detail

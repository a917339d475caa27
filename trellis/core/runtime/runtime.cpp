// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/runtime.hpp"

#include <exception>
#include <mutex>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/standard_streams.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/profile/profile_environment.hpp"
#include "trellis/core/profile/profile_events.hpp"
#include "trellis/core/runtime/allocation.hpp"
#include "trellis/core/runtime/runtime_state.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

namespace runtime_detail {
namespace {

constinit std::mutex listeners_mutex;
constinit int listeners = 1;  // stands for the environment, which was not read yet

constinit std::mutex phase_mutex;
constinit bool was_initialized = false;

bool ended() { return (state.load(std::memory_order_acquire) & finalized) != 0; }

}  // namespace

void listeners_changed(int by) {
  const std::lock_guard lock(listeners_mutex);
  listeners += by;
  if (listeners > 0) {
    state.fetch_or(listening, std::memory_order_relaxed);
  } else {
    state.fetch_and(~listening, std::memory_order_relaxed);
  }
}

void ask_environment() {
  static std::once_flag asked;
  std::call_once(asked, [] {
    profile_detail::follow_environment();
    listeners_changed(-1);
  });
}

bool has_ended() {
  ask_environment();
  return ended();
}

void fail_ended(const std::string& what) { fail("{} after finalize()", what); }

void require_running_kernel(const char* name) {
  require_running([&] { return fmt::format("kernel '{}': dispatched", name); });
}

}  // namespace runtime_detail

using namespace runtime_detail;

void initialize() {
  const std::lock_guard lock(phase_mutex);
  if (ended()) fail("initialize() after finalize(): a program can be initialised only once");
  if (was_initialized) fail("initialize() was called already");
  was_initialized = true;
  ask_environment();
}

void finalize() {
  const std::lock_guard lock(phase_mutex);
  if (ended()) fail("finalize() was called already");
  if (profile_detail::this_thread.in_kernel || backend::kernel_depth > 0) fail("finalize() was called by a kernel");
  ask_environment();
  std::exception_ptr failed;
  try {
    fence();
  } catch (...) {
    failed = std::current_exception();
  }
  if (const auto labels = detail::labels_on_device(); !labels.empty())
    print_to_stderr(fmt::format("trellis: warning: finalize(): {} View{} alive in memory of a device: {}\n",
                                labels.size(), labels.size() == 1 ? " is" : "s are", joined(labels, ", ")));
  profile_detail::report_environment();
  state.fetch_or(finalized, std::memory_order_release);
  if (failed) std::rethrow_exception(failed);
}

bool is_initialized() {
  const std::lock_guard lock(phase_mutex);
  return was_initialized;
}

bool is_finalized() { return ended(); }

Runtime::~Runtime() {
  if (is_finalized()) return;
  try {
    finalize();
  } catch (const std::exception& error) {
    print_to_stderr(fmt::format("trellis: error: {}\n", error.what()));
  }
}

}  // namespace trellis

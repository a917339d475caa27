// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile_environment.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "trellis/core/base/standard_streams.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/profile/profile_events.hpp"
#include "trellis/core/profile/profile_table.hpp"
#include "trellis/core/profile/profile_trace.hpp"

namespace trellis::profile_detail {
namespace {

struct Followed {
  std::optional<ProfileTable> table;
  std::optional<ProfileTrace> trace;
  std::string trace_file;
  std::optional<Listening> table_listens, trace_listens;
  std::terminate_handler terminate_before = nullptr;
  std::atomic<bool> reported = false, writes_trace = true;
};

// Never destroyed: other threads may still report events when the program exits.
Followed& followed() {
  static Followed& only = *new Followed;
  return only;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string with_process_number(std::string name) {
  if (const auto at = name.find("%p"); at != std::string::npos) name.replace(at, 2, std::to_string(::getpid()));
  return std::filesystem::absolute(name).string();
}

void write_all() {
  auto& all = followed();
  if (all.reported.exchange(true)) return;
  try {
    settle_kernel_times();
    if (all.table) {
      const auto text = all.table->text();
      std::fflush(stdout);
      std::fwrite(text.data(), 1, text.size(), stderr);
    }
    if (all.trace && all.writes_trace) {
      all.trace->write(all.trace_file);
      if (const auto dropped = all.trace->dropped(); dropped > 0)
        print_to_stderr(fmt::format("trellis: warning: {}: holds the first {} events; {} later ones were dropped\n",
                                    all.trace_file, all.trace->kept(), dropped));
    }
  } catch (const std::exception& error) {
    print_to_stderr(fmt::format("trellis: warning: {}\n", error.what()));
  }
}

[[noreturn]] void report_and_terminate() {
  write_all();
  if (followed().terminate_before != nullptr) followed().terminate_before();
  std::abort();
}

}  // namespace

void follow_environment() {
  auto& all = followed();
  if (const auto value = variable("TRELLIS_PROFILE"); value == "1") {
    all.table.emplace();
    all.table_listens.emplace(all.table->listener());
  } else if (!value.empty() && value != "0") {
    print_to_stderr(fmt::format("trellis: warning: TRELLIS_PROFILE is '{}'; it must be 0 or 1\n", value));
  }
  if (const auto value = variable("TRELLIS_TRACE"); !value.empty()) {
    try {
      all.trace_file = with_process_number(value);
      if (all.writes_trace &&
          (!std::filesystem::exists(all.trace_file) || std::filesystem::is_regular_file(all.trace_file))) {
        ProfileTrace().write(all.trace_file + ".try");  // fail now, not after hours of work
        std::filesystem::remove(all.trace_file + ".try");
      }
      all.trace.emplace();
      all.trace_listens.emplace(all.trace->listener());
    } catch (const std::exception& error) {
      print_to_stderr(fmt::format("trellis: warning: TRELLIS_TRACE: {}\n", error.what()));
    }
  }
  if (!all.table && !all.trace) return;
  std::atexit(report_environment);
  all.terminate_before = std::set_terminate(report_and_terminate);
}

void leave_trace_to_others() { followed().writes_trace = false; }

ProfileTrace* trace_of_environment() {
  auto& all = followed();
  settle_kernel_times();
  return all.trace ? &*all.trace : nullptr;
}

std::string trace_file_of_environment() { return followed().trace_file; }

void report_environment() {
  write_all();
  if (this_thread.in_hook) return;  // a hook called exit(): its listener cannot be removed now
  followed().table_listens.reset();
  followed().trace_listens.reset();
}

}  // namespace trellis::profile_detail

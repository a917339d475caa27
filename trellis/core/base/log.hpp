// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Logging, through spdlog, which only log.cpp includes.
// start_logging() sends "[time] level: message" to stderr, at the level that the environment variable
// TRELLIS_LOG names: trace, debug, info (the default), warn, error or off. Throws InputError for any other word.
// log_warning("{} of {} ranks", 2, 4): a line at the level of warnings, formatted by fmt::format.

#include <fmt/format.h>

namespace trellis {

void start_logging();
void stop_logging();  // nothing is printed from now on, as with TRELLIS_LOG=off

namespace log_detail {
void warning(fmt::string_view format, fmt::format_args args);
}
template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  log_detail::warning(format, fmt::make_format_args(args...));
}

}  // namespace trellis

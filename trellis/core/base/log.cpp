// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string>

#include "trellis/core/error.hpp"

namespace trellis {

void start_logging() {
  const char* const wanted = std::getenv("TRELLIS_LOG");
  const std::string name = wanted == nullptr || *wanted == '\0' ? "info" : wanted;
  const spdlog::level::level_enum level = spdlog::level::from_str(name);  // also "off" for unknown names
  if (level == spdlog::level::off && name != "off") {
    fail_input("TRELLIS_LOG is '{}'; it must be trace, debug, info, warn, error or off", name);
  }
  auto logger = std::make_shared<spdlog::logger>("trellis", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_level(level);
  logger->set_pattern("[%H:%M:%S.%e] %l: %v");
  spdlog::set_default_logger(std::move(logger));
}

void stop_logging() { spdlog::set_level(spdlog::level::off); }

void log_detail::warning(fmt::string_view format, fmt::format_args args) { spdlog::warn(fmt::vformat(format, args)); }

}  // namespace trellis

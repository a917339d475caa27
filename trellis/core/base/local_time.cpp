// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/base/local_time.hpp"

#include <ctime>

namespace trellis {

std::string local_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[64];
  return {text, ::localtime_r(&now, &parts) == nullptr ? 0 : std::strftime(text, sizeof text, format, &parts)};
}

}  // namespace trellis

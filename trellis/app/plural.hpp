// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// "1 file", "2 files".

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace trellis::app {

inline std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace trellis::app

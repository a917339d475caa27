// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// "1 file", "2 files"; "1 trajectory", "2 trajectories".

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace trellis {

inline std::string plural(std::int64_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  return noun.ends_with("ry") ? fmt::format("{} {}ies", count, noun.substr(0, noun.size() - 1))
                              : fmt::format("{} {}s", count, noun);
}

// With a verb: "1 link is", "2 links are".
inline std::string plural(std::int64_t count, std::string_view noun, std::string_view of_one,
                          std::string_view of_several) {
  return fmt::format("{} {}", plural(count, noun), count == 1 ? of_one : of_several);
}

}  // namespace trellis

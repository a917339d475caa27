// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/size_option.hpp"

#include <charconv>

#include "trellis/core/error.hpp"

namespace trellis::app {

Coordinate parse_size(const std::string& text, const std::string& option) {
  return parse_four(text, option, "x,y,z,t such as 8,8,8,16");
}

Coordinate parse_four(const std::string& text, const std::string& option, const std::string& example, int least) {
  Coordinate size{};
  const char *at = text.data(), *end = text.data() + text.size();
  for (std::size_t i = 0; i < 4; ++i) {
    const auto [stop, code] = std::from_chars(at, end, size[i]);
    const bool good = code == std::errc() && size[i] >= least && size[i] <= 65536;
    const bool separated = i == 3 ? stop == end : stop != end && (*stop == ',' || *stop == 'x');
    if (!good || !separated) fail_input("{}: found '{}', expected {}", option, text, example);
    at = i == 3 ? stop : stop + 1;
  }
  return size;
}

}  // namespace trellis::app

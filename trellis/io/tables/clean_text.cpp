// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/tables/clean_text.hpp"

namespace trellis::io {

std::string clean(std::string_view text) {
  std::string s(text);
  for (char& c : s) {
    if (c == '\n' || c == '\t') c = ' ';
    if (c < ' ' || c > '~') c = '?';
  }
  return s;
}

std::string clip(std::string_view text) {
  auto s = clean(text);
  if (s.size() > 90) s = s.substr(0, 87) + "...";
  return s;
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/tables/clean_text.hpp"

#include <algorithm>
#include <cstddef>

namespace trellis::io {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The bytes of the printable character beyond ASCII that the text begins with; 0 if that is none.
std::size_t bytes_of_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return 0;
  if (!std::ranges::all_of(text.substr(1, bytes - 1), continues)) return 0;
  unsigned code = first & (0xffU >> (bytes + 1));
  for (const char c : text.substr(1, bytes - 1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  const bool controls = code < 0xa0, is_surrogate = code >= 0xd800 && code < 0xe000;
  const bool is_longer_than_needed = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  return controls || is_surrogate || is_longer_than_needed || code > 0x10ffff ? 0 : bytes;
}

template <class Keep>
std::string cleaned(std::string_view text, const Keep& keep) {
  std::string s;
  while (!text.empty()) {
    std::size_t bytes = 1;
    if (const char c = text[0]; c == '\n' || c == '\t') {
      s += ' ';
    } else if (c >= ' ' && c <= '~') {
      s += c;
    } else if (const auto more = bytes_of_character(text); more > 0) {
      bytes = more;
      s += keep(text.substr(0, bytes));
    } else {
      s += '?';
    }
    text.remove_prefix(bytes);
  }
  return s;
}

}  // namespace

std::string clean(std::string_view text) {
  return cleaned(text, [](std::string_view character) { return character; });
}

std::string clip(std::string_view text) {
  auto s = clean(text);
  if (s.size() <= 90) return s;
  std::size_t end = 87;
  while (continues(s[end])) --end;
  return s.substr(0, end) + "...";
}

std::string clean_ascii(std::string_view text) {
  return cleaned(text, [](std::string_view) { return '?'; });
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// joined(size, "x"): the items of a range as text with a separator, "8x8x8x4". Like fmt::join, which is compiled again
// wherever it is called.

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace trellis {

namespace joined_detail {
void append(std::string& text, std::string_view item);
void append(std::string& text, long long item);
void append(std::string& text, double item);
}  // namespace joined_detail

template <class Range>
std::string joined(const Range& items, std::string_view between) {
  std::string text;
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) text += between;
    is_first = false;
    using Item = std::remove_cvref_t<decltype(item)>;
    if constexpr (std::integral<Item>)
      joined_detail::append(text, static_cast<long long>(item));
    else
      joined_detail::append(text, item);
  }
  return text;
}

}  // namespace trellis

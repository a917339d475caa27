// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words in the options of benchmarks.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "trellis/app/input/nearest.hpp"

namespace trellis::app {

// The value that a word has in a table of NamedValues; throws InputError with the nearest name.
template <class Table>
auto choice(const std::string& where, const std::string& option, const std::string& word, const Table& names) {
  for (const auto& [name, value] : names)
    if (name == word) return value;
  fail_input("{}: --{}: found '{}'{}", where, option, word, suggestion(word, names_of(names)));
}

// What is listed twice is timed once: where it is first.
template <class... Lists>
void keep_each_once(Lists&... lists) {
  const auto keep = [](auto& list) {
    std::remove_reference_t<decltype(list)> once;
    for (auto& one : list)
      if (std::ranges::find(once, one) == once.end()) once.push_back(one);
    list = std::move(once);
  };
  (keep(lists), ...);
}

}  // namespace trellis::app

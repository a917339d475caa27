// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A word as a shell reads it, for commands that are printed.

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace trellis::app {

// In single quotes, unless it needs none.
inline std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_./+-=:,@%").find(char(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string safe = "'";
  for (const char c : word) safe += c == '\'' ? "'\\''" : std::string(1, c);
  return safe + "'";
}

}  // namespace trellis::app

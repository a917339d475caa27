// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/nearest.hpp"
#include "trellis/core/base/joined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace trellis::app {
namespace {

char plain(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '-' ? '_' : c;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // Rows i-2, i-1 and i of the table of distances between the first i letters of a and the first j of b.
  std::vector<int> two_before(b.size() + 1), before(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_before, before);
    std::swap(before, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = plain(a[i - 1]) == plain(b[j - 1]) ? 0 : 1;
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + change});
      if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) && plain(a[i - 2]) == plain(b[j - 1])) {
        row[j] = std::min(row[j], two_before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  int best_distance = 0;
  for (const auto& candidate : candidates) {
    const auto [shorter, longer] = std::minmax({word.size(), candidate.size()});
    if (3 * (longer - shorter) > longer) continue;  // too different in length already
    const int distance = edit_distance(word, candidate);
    if (3 * distance > static_cast<int>(longer)) continue;
    if (best == nullptr || distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? "" : *best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  if (const auto near = nearest(word, candidates); !near.empty()) return fmt::format("; did you mean '{}'?", near);
  if (candidates.empty()) return "";
  return fmt::format("; known are {}", joined(candidates, ", "));
}

}  // namespace trellis::app

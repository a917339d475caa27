// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Suggests the known word that the user probably meant.

#include <span>
#include <string>
#include <string_view>

#include "trellis/core/base/named.hpp"

namespace trellis::app {

// Insertions, deletions, substitutions and swaps of neighbours that turn a into b (optimal string alignment distance).
// Upper and lower case count as equal; so do '-' and '_'.
int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to the word (the first of several); empty if none is near enough to be a typo, that is, if more
// than a third of the longer word would have to change.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'x'?", or "; known are a, b, c" if nothing is close, or "" if there are no candidates.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

// The entry of a table (core/base/named.hpp) that an option names; throws InputError with the suggestion.
template <class Table>
const auto& option_named(std::string_view option, const Table& table, std::string_view word) {
  for (const auto& entry : table)
    if (entry.name == word) return entry;
  fail_input("unknown {} '{}'{}", option, word, suggestion(word, names_of(table)));
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which known word did the user mean?

#include <span>
#include <string>
#include <string_view>

namespace trellis::app {

// Insertions, deletions, substitutions and swaps of neighbours that lead from a to b (optimal string alignment).
// Letters that differ only in case count as equal; '-' and '_' too.
int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to the word, the first of several; empty if none is near enough to be a slip: more than a third
// of the longer word would have to change.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'x'?", or if nothing is near "; known are a, b, c", or if there is nothing at all "".
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace trellis::app

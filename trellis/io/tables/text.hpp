// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small text helpers of the file readers. Text from a file is never trusted: what enters a message goes through
// printable().

#include <optional>
#include <string>
#include <string_view>

#include "trellis/io/gauge_file.hpp"

namespace trellis::io {

// Removes blanks, line ends and NULs at both ends.
std::string_view trim(std::string_view text);

// At most 60 characters; each byte that is not printable ASCII becomes '.'.
std::string printable(std::string_view text);

// The complete text, except surrounding blanks, as a number; empty if it is not one or does not fit.
std::optional<int> parse_int(std::string_view text);
std::optional<double> parse_double(std::string_view text);

// A decimal number as a Claim in units of `scale` (0.3333 converts tr to tr/3); empty if it is not a finite number.
std::optional<Claim> parse_claim(std::string_view key, std::string_view text, double scale = 1);

// Appends the "key = value" lines of `text` to `header`.
void parse_key_values(std::string_view text, std::vector<std::pair<std::string, std::string>>& header);

// The value of a key; null if there is none.
const std::string* find_key(const std::vector<std::pair<std::string, std::string>>& header, std::string_view key);

}  // namespace trellis::io

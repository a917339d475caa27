// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Text from a file, or a file's name, for a terminal or for JSON, which must be UTF-8; and for headers, which are
// ASCII.

#include <string>
#include <string_view>

namespace trellis::io {

// Line ends become blanks, other control characters and bytes that are not UTF-8 '?'.
std::string clean(std::string_view text);

// The same, at most 90 bytes.
std::string clip(std::string_view text);

// The same as clean(), and each character beyond ASCII becomes '?'.
std::string clean_ascii(std::string_view text);

}  // namespace trellis::io

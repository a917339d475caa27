// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Text from a file, for a terminal or for JSON, which must be UTF-8.

#include <string>
#include <string_view>

namespace trellis::io {

// Line ends become blanks, other bytes than printable ASCII '?'.
std::string clean(std::string_view text);

// The same, at most 90 characters.
std::string clip(std::string_view text);

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/base/joined.hpp"

#include <fmt/format.h>

namespace trellis::joined_detail {

void append(std::string& text, std::string_view item) { text += item; }
void append(std::string& text, long long item) { text += fmt::format("{}", item); }
void append(std::string& text, double item) { text += fmt::format("{}", item); }

}  // namespace trellis::joined_detail

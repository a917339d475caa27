// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lattice size on the command line: "8,8,8,16" or "8x8x8x16", in the order x, y, z, t.

#include <string>

#include "trellis/comm/coordinate.hpp"

namespace trellis::app {

// Throws InputError, which names the option, unless the text is four integers from 1 to 65536.
Coordinate parse_size(const std::string& text, const std::string& option = "--size");
// The same for another option, from `least` on; its error message shows `example`.
Coordinate parse_four(const std::string& text, const std::string& option, const std::string& example, int least = 1);

}  // namespace trellis::app

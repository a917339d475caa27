// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace trellis {

// The current date and time, in the machine's zone, as std::strftime formats them: "%Y-%m-%d" is "2026-11-24". At
// most 63 characters.
std::string local_time(const char* format);

}  // namespace trellis

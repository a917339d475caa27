// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this program is: its version, where it comes from and what it was built for.

#include <string>

namespace trellis::app {

// "0.1.0".
std::string version_number();

// The program's name and version, "trellis 0.1.0": what files say of their origin.
std::string version_text();

// The same with commit, backend, compiler and instruction set, in one line.
std::string version_line();

// The commit that was built, "1a2b3c4d5e6f", with "-dirty" where files were changed; "unknown" where there was no git.
const char* commit();

// The instruction set of this program, and why this one.
std::string instruction_set_text();

// Was this program built as one of several, for several instruction sets?
bool is_portable();

}  // namespace trellis::app

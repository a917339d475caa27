// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// This program's version, origin and build.

#include <string>

namespace trellis::app {

// "0.1.0".
std::string version_number();

// Name and version, "trellis 0.1.0": how files name their origin.
std::string version_text();

// The same with commit, backend, compiler and instruction set, on one line.
std::string version_line();

// The commit that was built, "1a2b3c4d5e6f", with "-dirty" if files were changed; "unknown" if there was no git.
const char* commit();

// Its date, "2026-01-31T12:00:00+01:00"; empty if there was no git.
const char* commit_date();

// The instruction set of this program, and why it was chosen.
std::string instruction_set_text();

// True if this program was built as one of several, for several instruction sets.
bool is_portable();

}  // namespace trellis::app

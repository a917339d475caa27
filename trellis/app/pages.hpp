// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Man pages and shell completions, generated from the options that the parser knows, so that they always agree with
// --help.

#include <string>
#include <vector>

#include "trellis/app/command_line.hpp"

namespace trellis::app {

// A command and its parents, outermost first: trellis, bench, dslash.
using CommandPath = std::vector<const CommandDescription*>;

// All commands, each followed by its subcommands; `program`, their root, comes first.
std::vector<CommandPath> all_commands(const CommandDescription& program);
std::vector<CommandPath> all_commands(const CommandDescription&& program) = delete;

// The names of a path with a separator: "trellis bench dslash".
std::string name_of(const CommandPath& path, const std::string& between);

// The section 1 page of a command, in roff's man macros.
std::string man_page(const CommandPath& path);

// The script for a shell; `shell` is bash, zsh or fish, otherwise InputError.
std::string completions(const CommandDescription& program, const std::string& shell);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Man pages and completions of shells, made of what the parser knows of commands and options, so that they cannot say
// anything else than --help does.

#include <string>
#include <vector>

#include "trellis/app/command_line.hpp"

namespace trellis::app {

// A command and those it lies within, the outermost first: trellis, bench, dslash.
using CommandPath = std::vector<const CommandDescription*>;

// All commands, those within a command after it; `program`, of which they are parts, comes first.
std::vector<CommandPath> all_commands(const CommandDescription& program);
std::vector<CommandPath> all_commands(const CommandDescription&& program) = delete;

// The names of a path with something between them: "trellis bench dslash".
std::string name_of(const CommandPath& path, const std::string& between);

// The page of section 1 of a command, in the man macros of roff.
std::string man_page(const CommandPath& path);

// The script that a shell reads; `shell` is bash, zsh or fish, or InputError is thrown.
std::string completions(const CommandDescription& program, const std::string& shell);

}  // namespace trellis::app

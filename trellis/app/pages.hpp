// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Man pages and completions of shells, made of what the parser knows of commands and options, so that they cannot say
// anything else than --help does.

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trellis::app {

// A command and those it lies within, the outermost first: trellis, bench, dslash.
using CommandPath = std::vector<const CLI::App*>;

// All commands, those within a command after it; `program` comes first.
std::vector<CommandPath> all_commands(const CLI::App& program);

// The names of a path with something between them: "trellis bench dslash".
std::string name_of(const CommandPath& path, const std::string& between);

std::vector<const CLI::Option*> options_of(const CLI::App& command);
std::vector<const CLI::Option*> positionals_of(const CLI::App& command);
std::vector<const CLI::App*> subcommands_of(const CLI::App& command);

// "--json", "-h"; and does a value follow?
std::vector<std::string> flags_of(const CLI::Option& option);
bool takes_value(const CLI::Option& option);

// The page of section 1 of a command, in the man macros of roff.
std::string man_page(const CommandPath& path);

// The script that a shell reads; `shell` is bash, zsh or fish, or InputError is thrown.
std::string completions(const CLI::App& program, const std::string& shell);

}  // namespace trellis::app

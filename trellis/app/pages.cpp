// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis man, trellis completions.
#include "trellis/app/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "trellis/app/command.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

void add_all(const CommandDescription& command, const CommandPath& outer, std::vector<CommandPath>& all) {
  CommandPath path = outer;
  path.push_back(&command);
  all.push_back(path);
  for (const auto& inner : command.commands) add_all(inner, path, all);
}

void write_page(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush()) fail("{}: cannot be written", file.string());
}

struct ManOptions {
  std::vector<std::string> words;
  std::string directory;
};

int run_man(const CommandDescription& program, const ManOptions& options) {
  std::string wanted = "trellis";
  for (const auto& word : options.words) wanted += " " + word;
  std::vector<std::string> names;
  for (const auto& path : all_commands(program)) {
    if (!options.directory.empty()) {
      write_page(std::filesystem::path(options.directory) / (name_of(path, "-") + ".1"), man_page(path));
    } else if (name_of(path, " ") == wanted) {
      fmt::print("{}", man_page(path));
      return 0;
    }
    names.push_back(name_of(path, " "));
  }
  if (options.directory.empty()) fail_input("there is no command '{}'{}", wanted, suggestion(wanted, names));
  return 0;
}

}  // namespace

std::vector<CommandPath> all_commands(const CommandDescription& program) {
  std::vector<CommandPath> all;
  add_all(program, {}, all);
  return all;
}

std::string name_of(const CommandPath& path, const std::string& between) {
  std::string name;
  for (const auto* command : path) name += (name.empty() ? "" : between) + command->name;
  return name;
}

void add_man(const Command& program, Action& action) {
  auto options = std::make_shared<ManOptions>();
  const auto command = program.add_subcommand("man", "Print the man page of a command");
  command.add_option("COMMAND", options->words, "the command, and its subcommand; without any, the program's own page");
  command.add_option("--directory", options->directory, "write the pages of all commands to this folder");
  command.footer("Example: trellis man run | man -l -");
  command.callback(
      [options, program, &action] { action = [options, program] { return run_man(program.describe(), *options); }; });
}

void add_completions(const Command& program, Action& action) {
  auto shell = std::make_shared<std::string>();
  const auto command = program.add_subcommand("completions", "Print the completions of this program for a shell");
  command.add_option("SHELL", *shell, "bash, zsh or fish").required();
  command.footer(
      "bash: put `eval \"$(trellis completions bash)\"` into ~/.bashrc; fish: write them to\n"
      "~/.config/fish/completions/trellis.fish; zsh: to a file _trellis in a folder of $fpath.\n"
      "Example: trellis completions bash");
  command.callback([shell, program, &action] {
    action = [shell, program] {
      fmt::print("{}", completions(program.describe(), *shell));
      return 0;
    };
  });
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis man, trellis completions.
#include "trellis/app/pages.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "trellis/app/command.hpp"
#include "trellis/app/nearest.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

void add_all(const CLI::App& command, const CommandPath& outer, std::vector<CommandPath>& all) {
  CommandPath path = outer;
  path.push_back(&command);
  all.push_back(path);
  for (const auto* inner : subcommands_of(command)) add_all(*inner, path, all);
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

int run_man(const CLI::App& program, const ManOptions& options) {
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

std::vector<CommandPath> all_commands(const CLI::App& program) {
  std::vector<CommandPath> all;
  add_all(program, {}, all);
  return all;
}

std::string name_of(const CommandPath& path, const std::string& between) {
  std::string name;
  for (const auto* command : path) name += (name.empty() ? "" : between) + command->get_name();
  return name;
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* inner) { return !inner->get_name().empty(); });
}

std::vector<std::string> flags_of(const CLI::Option& option) {
  std::vector<std::string> flags;
  for (const auto& name : option.get_snames()) flags.push_back("-" + name);
  for (const auto& name : option.get_lnames()) flags.push_back("--" + name);
  return flags;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

void add_man(const Command& program, Action& action) {
  auto options = std::make_shared<ManOptions>();
  const auto command = program.add_subcommand("man", "Print the man page of a command");
  command.add_option("COMMAND", options->words, "the command, and the one within it; the program's own page if none");
  command.add_option("--directory", options->directory, "write the pages of all commands into this folder");
  command.footer("Example: trellis man run | man -l -");
  const auto* parser = &program.parser();
  command.callback([options, parser, &action] { action = [options, parser] { return run_man(*parser, *options); }; });
}

void add_completions(const Command& program, Action& action) {
  auto shell = std::make_shared<std::string>();
  const auto command = program.add_subcommand("completions", "Print the completions of this program for a shell");
  command.add_option("SHELL", *shell, "bash, zsh or fish").required();
  command.footer(
      "bash: put `eval \"$(trellis completions bash)\"` into ~/.bashrc; fish: write them to\n"
      "~/.config/fish/completions/trellis.fish; zsh: to a file _trellis in a folder of $fpath.\n"
      "Example: trellis completions bash");
  const auto* parser = &program.parser();
  command.callback([shell, parser, &action] {
    action = [shell, parser] {
      fmt::print("{}", completions(*parser, *shell));
      return 0;
    };
  });
}

}  // namespace trellis::app

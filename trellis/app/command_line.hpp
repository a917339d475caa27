// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// CLI11 under its own names, compiled in one file: its headers and checks took longer than all the commands' own code.
// Command and Option are handles of what the parser owns, to be copied; what each of their functions does is CLI11's
// own documentation. A description is a value, for all that shows commands and is no parser.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trellis::app {

// An option, or an argument that is known by its position.
struct OptionDescription {
  std::vector<std::string> flags;  // "-h", "--json"; none if only its position counts
  std::string name;                // of an argument: "FILE"
  std::string text;
  std::string value;          // what stands for its value: what the command calls it, or its type
  std::string default_value;  // as --help shows it; empty if there is none
  bool takes_value = false;
  bool several = false;  // values
  bool required = false;
};

struct CommandDescription {
  std::string name, text, footer;
  bool requires_subcommand = false;
  std::vector<OptionDescription> options, positionals;
  std::vector<CommandDescription> commands;  // within it

  // The command of this name within it, or null.
  const CommandDescription* find(const std::string& word) const;
};

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option required() const;
  Option capture_default_str() const;
  Option delimiter(char between) const;
  Option option_text(const std::string& text) const;

 private:
  CLI::Option* option_;
};

class Command {
 public:
  Command(CLI::App& app, std::string called_as) : app_(&app), called_as_(std::move(called_as)) {}

  Command add_subcommand(const std::string& name, const std::string& description) const;
  Option add_flag(const std::string& name, bool& value, const std::string& description) const;
  // T is std::string, int, std::int64_t, double, or a vector of strings or ints.
  template <class T>
  Option add_option(const std::string& name, T& value, const std::string& description) const;
  void footer(const std::string& text) const;
  void callback(std::function<void()> f) const;
  // A subcommand of this one was on the command line.
  bool has_subcommand() const;

  // What has been added so far.
  CommandDescription describe() const;
  // The program as it was called, for lines that the user may copy: it need not be on the search path.
  const std::string& called_as() const { return called_as_; }

 private:
  CLI::App* app_;
  std::string called_as_;
};

// The parser of a program whose first word is a subcommand. Every Command of it lives as long as this does.
class CommandLine {
 public:
  // --version prints `version`.
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();

  Command program(const std::string& called_as);

  // Sets the values of all options and calls the callbacks of the commands that were named. The exit code, if nothing
  // is left to do: --help or --version was asked for, and printed. InputError: the words are wrong.
  std::optional<int> parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> parser_;
};

}  // namespace trellis::app

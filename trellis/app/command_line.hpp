// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// CLI11 under names of our own, compiled in one file: its headers and checks took longer to compile than all commands.
// Command and Option are handles to what the parser owns, and may be copied; CLI11's documentation describes their
// functions. A description is plain data, for code that lists commands without parsing.

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

// An option, or an argument known by its position.
struct OptionDescription {
  std::vector<std::string> flags;  // "-h", "--json"; none for a positional argument
  std::string name;                // of an argument: "FILE"
  std::string text;
  std::string value;          // the placeholder for its value: the command's own, or its type
  std::string default_value;  // as --help shows it; empty if there is none
  bool takes_value = false;
  bool several = false;  // takes several values
  bool required = false;
};

struct CommandDescription {
  std::string name, text, footer;
  bool requires_subcommand = false;
  std::vector<OptionDescription> options, positionals;
  std::vector<CommandDescription> commands;  // its subcommands

  // The subcommand of this name, or null.
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
  // T is std::string, int, std::int64_t, double, an optional of the last two, or a vector of strings or ints.
  template <class T>
  Option add_option(const std::string& name, T& value, const std::string& description) const;
  void footer(const std::string& text) const;
  void callback(std::function<void()> f) const;
  // True if a subcommand of this one was on the command line.
  bool has_subcommand() const;
  // The flags of its options that were on the command line, once it has been read: "--json".
  std::vector<std::string> given() const;

  // What has been added so far.
  CommandDescription describe() const;
  // The program's name as the user typed it, for commands that can be copied: it need not be on the search path.
  const std::string& called_as() const { return called_as_; }

 private:
  CLI::App* app_;
  std::string called_as_;
};

// The parser of a program whose first word is a subcommand. Every Command of it lives as long as the parser.
class CommandLine {
 public:
  // --version prints `version`.
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();

  Command program(const std::string& called_as);

  // Sets all options and calls the callbacks of the commands that were named. Returns an exit code if nothing is left
  // to do, because --help or --version was given and printed. Throws InputError for a wrong command line.
  std::optional<int> parse(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> parser_;
};

}  // namespace trellis::app

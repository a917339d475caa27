// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// CLI11 under its own names, compiled in one file: its headers and checks took longer than all the commands' own code.
// Handles of what the parser owns, to be copied; what each function does is CLI11's own documentation.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trellis::app {

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
  explicit Command(CLI::App& app, std::string called_as = "trellis") : app_(&app), called_as_(std::move(called_as)) {}

  Command add_subcommand(const std::string& name, const std::string& description) const;
  Option add_flag(const std::string& name, bool& value, const std::string& description) const;
  // T is std::string, int, std::int64_t, double, or a vector of strings or ints.
  template <class T>
  Option add_option(const std::string& name, T& value, const std::string& description) const;
  void footer(const std::string& text) const;
  void callback(std::function<void()> f) const;
  // A subcommand of this one was on the command line.
  bool has_subcommand() const;

  CLI::App& parser() const { return *app_; }
  // The program as it was called, for lines that the user may copy: it need not be on the search path.
  const std::string& called_as() const { return called_as_; }

 private:
  CLI::App* app_;
  std::string called_as_;
};

}  // namespace trellis::app

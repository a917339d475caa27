// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "trellis/app/input/nearest.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

OptionDescription description_of(const CLI::Option& option) {
  OptionDescription result;
  for (const auto& name : option.get_snames()) result.flags.push_back("-" + name);
  for (const auto& name : option.get_lnames()) result.flags.push_back("--" + name);
  result.name = option.get_name(true);
  result.text = option.get_description();
  result.value = option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
  result.default_value = option.get_default_str();
  result.takes_value = option.get_items_expected_max() > 0;
  result.several = option.get_items_expected_max() > 1;
  result.required = option.get_required();
  return result;
}

CommandDescription description_of(const CLI::App& command) {
  CommandDescription result;
  result.name = command.get_name();
  result.text = command.get_description();
  result.footer = command.get_footer();
  result.requires_subcommand = command.get_require_subcommand_min() > 0;
  for (const auto* option : command.get_options()) {
    if (option->nonpositional()) result.options.push_back(description_of(*option));
    if (option->get_positional()) result.positionals.push_back(description_of(*option));
  }
  for (const auto* inner : command.get_subcommands([](const CLI::App* c) { return !c->get_name().empty(); }))
    result.commands.push_back(description_of(*inner));
  return result;
}

// CLI11's message about an unknown word suggests no alternative.
void refuse_unknown_words(const CommandDescription& program, int argc, char** argv) {
  if (argc < 2) return;
  const std::string first = argv[1];
  if (first.starts_with("-")) return;
  const auto* command = program.find(first);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const auto& known : program.commands) names.push_back(known.name);
    fail_input("unknown subcommand '{}'{}", first, suggestion(first, names));
  }
  const auto* inner = argc > 2 ? command->find(argv[2]) : nullptr;
  if (inner != nullptr) command = inner;
  std::vector<std::string> options;
  for (const auto& option : command->options) {
    for (const auto& flag : option.flags) {
      if (flag.starts_with("--")) options.push_back(flag);
    }
  }
  for (int i = 2; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (word == "--") break;
    if (word.starts_with("--") && std::find(options.begin(), options.end(), word) == options.end())
      fail_input("{}: unknown option '{}'{}", first, word, suggestion(word, options));
  }
}

// "trellis bench dslash": the leading words of the command line that name a command.
std::string known_part(const CommandDescription& program, int argc, char** argv) {
  std::string words = program.name;
  const auto* command = &program;
  for (int i = 1; i < argc; ++i) {
    command = command->find(argv[i]);
    if (command == nullptr) break;
    words += " " + command->name;
  }
  return words;
}

}  // namespace

const CommandDescription* CommandDescription::find(const std::string& word) const {
  const auto at =
      std::find_if(commands.begin(), commands.end(), [&](const CommandDescription& c) { return c.name == word; });
  return at == commands.end() ? nullptr : &*at;
}

Option Option::required() const { return Option(option_->required()); }
Option Option::capture_default_str() const { return Option(option_->capture_default_str()); }
Option Option::delimiter(char between) const { return Option(option_->delimiter(between)); }
Option Option::option_text(const std::string& text) const { return Option(option_->option_text(text)); }

Command Command::add_subcommand(const std::string& name, const std::string& description) const {
  return Command(*app_->add_subcommand(name, description), called_as_);
}
Option Command::add_flag(const std::string& name, bool& value, const std::string& description) const {
  return Option(app_->add_flag(name, value, description));
}
template <class T>
Option Command::add_option(const std::string& name, T& value, const std::string& description) const {
  return Option(app_->add_option(name, value, description));
}
void Command::footer(const std::string& text) const { app_->footer(text); }
void Command::callback(std::function<void()> f) const { app_->callback(std::move(f)); }
bool Command::has_subcommand() const { return !app_->get_subcommands().empty(); }
std::vector<std::string> Command::given() const {
  std::vector<std::string> flags;
  for (const auto* option : app_->get_options())
    if (option->count() > 0) flags.push_back(option->get_name());
  return flags;
}
CommandDescription Command::describe() const { return description_of(*app_); }

#define TRELLIS_INSTANTIATE(T) template Option Command::add_option(const std::string&, T&, const std::string&) const;
TRELLIS_INSTANTIATE(std::string)
TRELLIS_INSTANTIATE(int)
TRELLIS_INSTANTIATE(std::int64_t)
TRELLIS_INSTANTIATE(double)
TRELLIS_INSTANTIATE(std::optional<std::int64_t>)
TRELLIS_INSTANTIATE(std::optional<double>)
TRELLIS_INSTANTIATE(std::vector<std::string>)
TRELLIS_INSTANTIATE(std::vector<int>)
#undef TRELLIS_INSTANTIATE

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version)
    : parser_(std::make_unique<CLI::App>(description, name)) {
  parser_->set_version_flag("--version", version, "Print the version and exit");
  parser_->require_subcommand(1);
}
CommandLine::~CommandLine() = default;

Command CommandLine::program(const std::string& called_as) { return Command(*parser_, called_as); }

std::optional<int> CommandLine::parse(int argc, char** argv) {
  const auto known = description_of(*parser_);
  refuse_unknown_words(known, argc, argv);
  try {
    parser_->parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return parser_->exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    fail_input("{}; see {} --help", error.what(), known_part(known, argc, argv));
  }
  return std::nullopt;
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Commands and options are completed from what the parser knows, everything else as file names.
#include <fmt/format.h>

#include "trellis/app/pages.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

std::vector<std::string> all_flags(const CommandDescription& command) {
  std::vector<std::string> all;
  for (const auto& option : command.options)
    for (const auto& flag : option.flags) all.push_back(flag);
  return all;
}

std::vector<std::string> names_within(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const auto& inner : command.commands) names.push_back(inner.name);
  return names;
}

// In single quotes, which all three shells understand; `colons` escapes them as zsh's _describe wants.
std::string quoted(const std::string& text, bool colons = false) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else if (c == ':' && colons) {
      result += "\\:";
    } else {
      result += c;
    }
  }
  return result + "'";
}

// The first sentence of a description: a completion is one line.
std::string brief(const std::string& text) { return text.substr(0, text.find(" (")); }

std::string bash(const CommandDescription& program) {
  std::string text =
      "# bash completions of trellis, written by `trellis completions bash`\n"
      "_trellis() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} path=trellis i words\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$path ${COMP_WORDS[i]}\" in\n";
  std::string known, cases;
  for (const auto& path : all_commands(program)) {
    const auto name = name_of(path, " ");
    if (path.size() > 1) known += (known.empty() ? "" : " | ") + quoted(name);
    const auto within = names_within(*path.back());
    cases += fmt::format("    {})\n      words={}\n", quoted(name), quoted(joined(within, " ")));
    cases += fmt::format("      [[ $word != -* ]] || words={};;\n", quoted(joined(all_flags(*path.back()), " ")));
  }
  text += "      " + known + ") path+=\" ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n";
  text += "  case $path in\n" + cases + "  esac\n";
  // -o default: file names where there is nothing else to complete.
  return text + "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -o default -F _trellis trellis\n";
}

std::string zsh_function(const CommandPath& path) {
  const auto& command = *path.back();
  std::string text = fmt::format("_{}() {{\n", name_of(path, "_"));
  std::string arguments;
  for (const auto& option : command.options) {
    for (const auto& flag : option.flags) {
      std::string about = option.text;
      for (auto at = about.find_first_of("[]"); at != std::string::npos; at = about.find_first_of("[]", at + 2))
        about.insert(at, "\\");
      arguments +=
          " \\\n    " + quoted(fmt::format("{}[{}]{}", flag, about, option.takes_value ? ":value:_files" : ""));
    }
  }
  if (command.commands.empty()) return text + "  _arguments" + arguments + " \\\n    '*:file:_files'\n}\n";
  text += "  local line state commands\n  _arguments -C" + arguments +
          " \\\n    '1: :->command' '*::argument:->argument'\n";
  text += "  case $state in\n    command)\n      commands=(\n";
  for (const auto& inner : command.commands) text += "        " + quoted(inner.name + ":" + brief(inner.text)) + "\n";
  text += "      )\n      _describe command commands ;;\n    argument)\n      case $line[1] in\n";
  for (const auto& inner : command.commands)
    text += fmt::format("        {0}) _{1}_{0} ;;\n", inner.name, name_of(path, "_"));
  return text + "      esac ;;\n  esac\n}\n";
}

std::string zsh(const CommandDescription& program) {
  std::string text = "#compdef trellis\n# zsh completions of trellis, written by `trellis completions zsh`\n";
  for (const auto& path : all_commands(program)) text += zsh_function(path);
  // When found in $fpath, the file is the function; when sourced, it defines the function.
  return text + "if [[ $funcstack[1] == _trellis ]]; then\n  _trellis \"$@\"\nelse\n  compdef _trellis trellis\nfi\n";
}

// When a line of fish's completions applies: the words of the path are there, and none that goes deeper.
std::string fish_condition(const CommandPath& path) {
  std::string words;
  for (std::size_t i = 1; i < path.size(); ++i)
    words += fmt::format("{}__fish_seen_subcommand_from {}", words.empty() ? "" : "; and ", path[i]->name);
  const auto within = joined(names_within(*path.back()), " ");
  if (path.size() == 1) return "__fish_use_subcommand";
  return within.empty() ? words : words + "; and not __fish_seen_subcommand_from " + within;
}

std::string fish(const CommandDescription& program) {
  std::string text = "# fish completions of trellis, written by `trellis completions fish`\n";
  for (const auto& path : all_commands(program)) {
    const auto begin = fmt::format("complete -c trellis -n {}", quoted(fish_condition(path)));
    for (const auto& inner : path.back()->commands)
      text += fmt::format("{} -f -a {} -d {}\n", begin, inner.name, quoted(brief(inner.text)));
    for (const auto& option : path.back()->options) {
      text += begin;
      for (const auto& flag : option.flags)
        text += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      text += fmt::format("{} -d {}\n", option.takes_value ? " -r" : "", quoted(option.text));
    }
  }
  return text;
}

}  // namespace

std::string completions(const CommandDescription& program, const std::string& shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  fail_input("no completions for '{}': only for bash, zsh and fish", shell);
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "trellis/app/pages.hpp"
#include "trellis/app/version.hpp"

namespace trellis::app {
namespace {

// Escapes text for roff, so that no character or start of a line is taken for a command.
std::string plain(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    begins = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '`' || c == '\'' || c == '^' || c == '~') {
      result += c == '`' ? "\\(ga" : c == '\'' ? "\\(aq" : c == '^' ? "\\(ha" : "\\(ti";
    } else {
      result += c;
    }
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string synopsis(const CommandPath& path) {
  const auto& command = *path.back();
  std::string text = bold(name_of(path, " ")) + " [" + italic("OPTIONS") + "]";
  for (const auto& option : command.positionals) {
    std::string name = italic(option.name);
    if (option.several) name += "...";
    text += option.required ? " " + name : " [" + name + "]";
  }
  if (!command.commands.empty()) text += command.requires_subcommand ? " COMMAND" : " [COMMAND]";
  return text + "\n";
}

std::string entry(const std::string& head, const std::string& text) { return ".TP\n" + head + "\n" + text + "\n"; }

std::string entry_of(const OptionDescription& option) {
  std::string head;
  for (const auto& flag : option.flags) head += (head.empty() ? "" : ", ") + bold(flag);
  if (head.empty()) head = italic(option.name);
  std::string text = plain(option.text);
  if (!option.flags.empty() && option.takes_value) {
    head += " " + italic(option.value);
    if (option.several) head += " ...";
    const auto& given = option.default_value;
    if (!given.empty() && given != "[]" && given != "\"\"") text += " (default: " + plain(given) + ")";
  }
  return entry(head, text.empty() ? "\\&" : text);
}

// The lines at the end of --help; examples keep their form.
std::string remarks(const CommandDescription& command) {
  std::string text, examples, line;
  const std::string begin = "Example: ", footer = command.footer + "\n";
  for (const char c : footer) {
    if (c != '\n') {
      line += c;
    } else {
      if (line.starts_with(begin)) {
        examples += (examples.empty() ? ".EX\n" : ".PP\n.EX\n") + plain(line.substr(begin.size())) + "\n.EE\n";
      } else if (!line.empty()) {
        text += plain(line) + "\n";
      }
      line.clear();
    }
  }
  return (text.empty() ? "" : ".SH NOTES\n" + text) + (examples.empty() ? "" : ".SH EXAMPLES\n" + examples);
}

// docs/manual.md says more about each.
const std::pair<const char*, const char*> variables[] = {
    {"OMP_NUM_THREADS", "how many threads compute"},
    {"TRELLIS_CUDA_POOL", "0: freed GPU memory is returned immediately"},
    {"TRELLIS_ISA",
     "in a portable program, the instruction set to use, e.g. x86-64-v2, instead of the best that the "
     "processor has; `trellis info` shows it"},
    {"TRELLIS_LOG", "level of the log on standard error: trace, debug, info, warn, error or off"},
    {"TRELLIS_OVERLAP", "1: kernels run while messages are in flight, even between processes on one machine"},
    {"TRELLIS_PROFILE", "1: print a table of kernels at the end"},
    {"TRELLIS_SHARE_GPUS", "1: several processes may share a GPU"},
    {"TRELLIS_TRACE", "a file for a timeline of kernels, copies and allocations"},
    {"TRELLIS_TRANSPORT", "peers, nccl or staged: how messages travel between GPUs"},
    {"TRELLIS_TUNING_CACHE", "the file in which `trellis tune` keeps its results"},
    {"TRELLIS_WATCHDOG", "seconds after which the job ends if processes still wait for another one (300; 0: never)"},
};

// Sections that every page has.
std::string program_sections() {
  std::string text = ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : variables) text += entry(bold(name), plain(meaning));
  text += ".SH EXIT STATUS\n";
  text += entry(bold("0"), "success");
  text += entry(bold("1"), "an error: a full disk, a damaged file, a solver that does not converge");
  text += entry(bold("2"), "something is wrong with the command line, the input or a file that it names");
  text += entry(bold("3"), "a run was stopped by its time budget or its stop file, with a checkpoint");
  text += entry(bold("130") + ", " + bold("143"),
                "stopped by Ctrl\\-C, by SIGTERM; by other signals: 128 and their number");
  return text;
}

}  // namespace

std::string man_page(const CommandPath& path) {
  const auto& command = *path.back();
  const std::string name = name_of(path, "-");
  std::string upper;
  for (const char c : name) upper += c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  std::string text = fmt::format(".TH {} 1 \"\" \"{}\" \"Trellis\"\n", upper, version_text());
  // A title is one short line: text after a colon or in brackets is left to the description.
  std::string title = command.text;
  if (path.size() == 1) title = "lattice QCD: gauge ensembles, measurements, files";
  title = title.substr(0, title.find(" ("));
  text += ".SH NAME\n" + plain(name) + " \\- " + plain(title) + "\n";
  text += ".SH SYNOPSIS\n" + synopsis(path);
  text += ".SH DESCRIPTION\n" + plain(command.text) + (command.text.ends_with(".") ? "\n" : ".\n");
  if (!command.positionals.empty()) text += ".SH ARGUMENTS\n";
  for (const auto& option : command.positionals) text += entry_of(option);
  text += ".SH OPTIONS\n";
  for (const auto& option : command.options) text += entry_of(option);
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const auto& inner : command.commands)
    text += entry(fmt::format("\\fB{}\\fR(1)", plain(name + "-" + inner.name)), plain(inner.text));
  text += remarks(command);
  if (path.size() == 1) return text + program_sections();
  return text + ".SH SEE ALSO\n.BR trellis (1)\n";
}

}  // namespace trellis::app

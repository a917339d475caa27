// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>

#include "trellis/app/command.hpp"
#include "trellis/app/job.hpp"
#include "trellis/app/nearest.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/backend/instruction_set.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/log.hpp"
#include "trellis/core/waiting_threads.hpp"

namespace {

using namespace trellis;

// CLI11's complaint about a word that it does not know names no alternative.
void refuse_unknown_words(const CLI::App& program, int argc, char** argv) {
  if (argc < 2) return;
  const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
  std::vector<std::string> names;
  for (const auto* command : commands) names.push_back(command->get_name());
  const std::string first = argv[1];
  if (!first.starts_with("-") && std::find(names.begin(), names.end(), first) == names.end()) {
    fail_input("unknown subcommand '{}'{}", first, app::suggestion(first, names));
  }
  for (const CLI::App* command : commands) {
    if (command->get_name() != first) continue;
    const auto within = command->get_subcommands([&](const CLI::App* c) { return argc > 2 && c->check_name(argv[2]); });
    if (!within.empty()) command = within[0];
    std::vector<std::string> options;
    for (const auto* option : command->get_options()) {
      for (const auto& name : option->get_lnames()) options.push_back("--" + name);
    }
    for (int i = 2; i < argc; ++i) {
      const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
      if (word == "--") break;
      if (word.starts_with("--") && std::find(options.begin(), options.end(), word) == options.end()) {
        fail_input("{}: unknown option '{}'{}", first, word, app::suggestion(word, options));
      }
    }
  }
}

// "trellis bench dslash": as much of the command line as names a command.
std::string known_part(const CLI::App& program, int argc, char** argv) {
  std::string words = "trellis";
  const CLI::App* command = &program;
  for (int i = 1; i < argc; ++i) {
    const auto next = command->get_subcommands([&](const CLI::App* c) { return c->check_name(argv[i]); });
    if (next.empty()) break;
    command = next[0];
    words += " " + command->get_name();
  }
  return words;
}

int run(int argc, char** argv) {
  CLI::App program("Trellis: lattice QCD. Generates gauge ensembles, measures on them, reads and writes their files.",
                   "trellis");
  program.set_version_flag("--version", app::version_line(), "Print the version and exit");
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::simple);
  program.footer(
      "`trellis SUBCOMMAND --help` explains each, with an example.\nThe level of the log, on stderr, is set by "
      "TRELLIS_LOG (trace, debug, info, warn, error, off).\nTRELLIS_PROFILE=1 prints a table of kernels at the end, "
      "TRELLIS_TRACE=file.json writes a timeline.");
  std::string command_line;
  for (int i = 1; i < argc; ++i) command_line += fmt::format("{} ", argv[i]);
  app::Action action;
  const app::Command commands(program, argc > 0 ? argv[0] : "trellis");
  app::add_run(commands, action);
  app::add_measure(commands, action);
  app::add_inspect(commands, action);
  app::add_convert(commands, action);
  app::add_verify(commands, action);
  app::add_bench(commands, action);
  app::add_plan(commands, action);
  app::add_tune(commands, action);
  app::add_info(commands, action);
  app::add_man(commands, action);
  app::add_completions(commands, action);
  refuse_unknown_words(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    fail_input("{}; see {} --help", error.what(), known_part(program, argc, argv));
  }
  start_logging();
  if (!app::job().is_first()) spdlog::set_level(spdlog::level::off);
  app::job().require_same("the command line", command_line);
  app::share_processors();
  return action();
}

}  // namespace

int main(int argc, char** argv) {
  trellis::let_waiting_threads_yield(argv);
  // A file that reaches the limit on its size is an error with a message, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    comm::Session session(argc, argv);
    app::let_first_rank_speak();
    backend::require_instruction_set();
    return run(argc, argv);
  } catch (const Error& error) {
    comm::Session::abort(error.exit_code(), error.what());
  } catch (const std::exception& error) {
    comm::Session::abort(1, error.what());
  }
}

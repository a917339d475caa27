// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <csignal>
#include <exception>

#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/backend/instruction_set.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/log.hpp"
#include "trellis/core/standard_streams.hpp"
#include "trellis/core/waiting_threads.hpp"

namespace {

using namespace trellis;

int run(int argc, char** argv) {
  app::CommandLine line(
      "trellis", "Trellis: lattice QCD. Generates gauge ensembles, measures on them, reads and writes their files.",
      app::version_line());
  const auto program = line.program(argc > 0 ? argv[0] : "trellis");
  program.footer(
      "`trellis SUBCOMMAND --help` explains each, with an example.\nThe level of the log, on stderr, is set by "
      "TRELLIS_LOG (trace, debug, info, warn, error, off).\nTRELLIS_PROFILE=1 prints a table of kernels at the end, "
      "TRELLIS_TRACE=file.json writes a timeline.");
  std::string command_line;
  for (int i = 1; i < argc; ++i) command_line += fmt::format("{} ", argv[i]);
  app::Action action;
  app::add_run(program, action);
  app::add_measure(program, action);
  app::add_inspect(program, action);
  app::add_convert(program, action);
  app::add_repair(program, action);
  app::add_verify(program, action);
  app::add_bench(program, action);
  app::add_plan(program, action);
  app::add_tune(program, action);
  app::add_info(program, action);
  app::add_man(program, action);
  app::add_completions(program, action);
  if (const auto code = line.parse(argc, argv)) return *code;
  start_logging();
  if (!app::job().is_first()) stop_logging();
  app::job().require_same("the command line", command_line);
  app::share_processors();
  const int code = action();
  if (code == 0) require_printed();
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  open_closed_streams();
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

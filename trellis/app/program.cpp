// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/program.hpp"

#include <fmt/format.h>

#include <csignal>
#include <exception>

#include "trellis/app/command.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/timeline.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/backend/instruction_set.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/base/standard_streams.hpp"
#include "trellis/core/base/waiting_threads.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

int run_line(int argc, char** argv) {
  CommandLine line("trellis",
                   "Trellis: lattice QCD. Generates gauge ensembles, measures on them, reads and writes their files.",
                   version_line());
  const auto program = line.program(argc > 0 ? argv[0] : "trellis");
  program.footer(
      "`trellis SUBCOMMAND --help` explains each, with an example.\nThe level of the log, on stderr, is set by "
      "TRELLIS_LOG (trace, debug, info, warn, error, off).\nTRELLIS_PROFILE=1 prints a table of kernels at the end, "
      "TRELLIS_TRACE=file.json writes a timeline.");
  std::string command_line;
  for (int i = 1; i < argc; ++i) command_line += fmt::format("{} ", argv[i]);
  Action action;
  add_new(program, action);
  add_run(program, action);
  add_measure(program, action);
  add_analyse(program, action);
  add_report(program, action);
  add_inspect(program, action);
  add_convert(program, action);
  add_metadata(program, action);
  add_solve(program, action);
  add_reproduce(program, action);
  add_repair(program, action);
  add_verify(program, action);
  add_bench(program, action);
  add_plan(program, action);
  add_tune(program, action);
  add_rational(program, action);
  add_info(program, action);
  add_man(program, action);
  add_completions(program, action);
  if (const auto code = line.parse(argc, argv)) return *code;
  start_logging();
  if (!job().is_first()) stop_logging();
  job().require_same("the command line", command_line);
  share_processors();
  const int code = action();
  if (code == 0 && !(broken_pipes_are_ignored() && reader_is_gone())) require_printed();
  return code;
}

}  // namespace

int run_program(int argc, char** argv, std::vector<measure::Observable> own) {
  open_closed_streams();
  let_waiting_threads_yield(argv);
  // A file that reaches the file size limit is an error with a message, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    comm::Session session(argc, argv);
    let_first_rank_speak();
    const JobTimeline timeline(job());
    backend::require_instruction_set();
    for (auto& observable : own) measure::add_observable(std::move(observable));
    const int code = run_line(argc, argv);
    timeline.write();
    return code;
  } catch (const Error& error) {
    comm::Session::abort(error.exit_code(), error.what());
  } catch (const std::exception& error) {
    comm::Session::abort(1, error.what());
  }
}

}  // namespace trellis::app

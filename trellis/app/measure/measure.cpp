// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis measure INPUT: measures observables on existing configuration files.
#include "trellis/app/command.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/measure/measure_files.hpp"

namespace trellis::app {

void add_measure(const Command& program, Action& action) {
  auto file = std::make_shared<std::string>(), ranks = std::make_shared<std::string>();
  const auto command = program.add_subcommand("measure", "Measure observables on configuration files");
  command.add_option("INPUT", *file, "the input, TOML; docs/manual.md explains every key").required();
  command.add_option("--ranks", *ranks, "grid of the job's ranks, instead of [machine] ranks").option_text("1x1x2x4");
  auto bind = std::make_shared<std::string>("none");
  command.add_option("--bind", *bind, bind_help).option_text("none|core|socket");
  auto check = std::make_shared<bool>(false);
  command.add_flag("--check", *check,
                   "check everything that is checked before work starts, print a summary, and write nothing");
  command.footer(
      observables_help() +
      "Called again, it skips the files that are already in the table.\n"
      "Exit code: 0 all files have been measured, 2 something is wrong with the input, 1 another error, 130 stopped by "
      "Ctrl-C,\n143 by SIGTERM.\n"
      "Example: trellis measure examples/flow.toml");
  command.callback([file, ranks, bind, check, called_as = command.called_as(), &action] {
    action = [file, ranks, bind, check, called_as] {
      auto input = read_shared_measure_input(*file);
      if (!ranks->empty()) set_ranks(input.machine, *ranks);
      bind_threads_of_rank(*bind);
      require_devices();
      if (*check) return check_measure(input, standard_console());
      return measure_files(input, called_as + " measure " + *file, standard_console());
    };
  });
}

}  // namespace trellis::app

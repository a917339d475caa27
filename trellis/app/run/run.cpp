// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis run INPUT: a Monte Carlo run, from its input to its files.
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "trellis/app/command.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/run/check_run.hpp"
#include "trellis/app/run/run_chain.hpp"
#include "trellis/app/run/run_ensemble.hpp"
#include "trellis/app/tune/choose_algorithm.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {

void add_run(const Command& program, Action& action) {
  auto file = std::make_shared<std::string>();
  const auto command = program.add_subcommand("run", "Generate gauge configurations by Monte Carlo, or continue a run");
  command.add_option("INPUT", *file, "the input, TOML; docs/manual.md explains every key").required();
  auto grace = std::make_shared<double>(std::numeric_limits<double>::quiet_NaN());
  command
      .add_option("--grace", *grace,
                  "seconds between a stop signal and the kill that follows: a trajectory that would take longer is "
                  "abandoned (the last finished state is saved immediately in any case)")
      .option_text("SECONDS");
  auto watch = std::make_shared<std::optional<std::int64_t>>();
  command
      .add_option("--watch", *watch,
                  "show the report of the run while it is going, to browsers on this machine, at "
                  "http://127.0.0.1:PORT/; 0: any free port")
      .option_text("PORT");
  auto bind = std::make_shared<std::string>("none");
  command.add_option("--bind", *bind, bind_help).option_text("none|core|socket");
  auto check = std::make_shared<bool>(false);
  command.add_flag("--check", *check,
                   "check everything that is checked before work starts (input, files, memory, disk), print a summary, "
                   "and write nothing");
  auto again = std::make_shared<bool>(false);
  command.add_flag("--choose-again", *again,
                   "for algorithm.kind = \"auto\": first choose integrators and steps again, from the chain's last "
                   "checkpoint; they are used from its next trajectory on");
  command.footer(
      observables_help() +
      "Called again, it continues from the last checkpoint, with the bits of a run that was never interrupted.\n"
      "Exit code: 0 all trajectories are done, or chain.stop_when is fulfilled; 2 something is wrong with the\n"
      "input; 1 another error; 3 stopped by the time budget or the stop file; 130 by Ctrl-C, 143 by SIGTERM,\n"
      "128 + its number by HUP, USR1, USR2 or XCPU (each with a checkpoint).\n"
      "Example: trellis run examples/quenched.toml");
  command.callback([file, grace, watch, bind, check, again, called_as = command.called_as(), &action] {
    action = [file, grace, watch, bind, check, again, called_as] {
      if (*grace < 0) fail_input("--grace: found {}, expected seconds, at least 0", *grace);
      RunOptions options;
      if (!std::isnan(*grace)) options.grace_seconds = *grace;
      if (const auto port = *watch) {
        if (*port < 0 || *port > 65535) fail_input("--watch: found {}, expected a port, 0 to 65535", *port);
        options.watch_port = static_cast<std::uint16_t>(*port);
      }
      const auto input = read_shared_run_input(*file);
      bind_threads_of_rank(*bind);
      require_devices();
      // Where an algorithm is to be chosen, with the memory of that.
      require_memory(*again ? input : with_earlier_algorithm(input).value_or(input));
      io::on_first_rank(job(), "look for other chains", [&] { require_no_copy_of_a_chain(input); });
      if (*check) return check_run(with_earlier_algorithm(input).value_or(input), standard_console());
      const auto console = standard_console();
      if (input.chains > 0) return run_ensemble(input, called_as, called_as + " run " + *file, console, options);
      const Stopwatch since_start;
      const Tell tell = [&](const std::string& text) { console.write(text + "\n"); };
      const auto run = [&](InputToRun chosen, bool may_choose_again) {
        options.seconds_before = since_start.seconds();
        options.chosen = input.algorithm.automatic;
        options.may_choose_again = may_choose_again;
        return run_chain(chosen.input, called_as, called_as + " run " + *file, console, options,
                         std::move(chosen.lock));
      };
      try {
        if (*again) {
          const auto chain = chain_to_choose_again(input);
          if (!chain.complete)
            return run(with_algorithm_chosen_again(input, chain.input, since_start.seconds(), tell), false);
          tell("Nothing is chosen again: the chain has no trajectories left.");
          return run({chain.input, nullptr}, false);
        }
        auto chosen = with_chosen_algorithm(input, tell);
        const RunInput chain = chosen.input;
        const int code = run(std::move(chosen), input.algorithm.automatic);
        if (code != steps_do_not_fit) return code;
        return run(with_algorithm_chosen_again(input, chain, since_start.seconds(), tell), false);
      } catch (const ChoiceStopped& stopped) {
        console.write(fmt::format("{}\n", stopped.what()));
        return stopped.exit_code();
      }
    };
  });
}

}  // namespace trellis::app

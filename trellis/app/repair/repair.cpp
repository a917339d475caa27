// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis repair FOLDER: takes a damaged results folder back to its last intact state.
#include "trellis/app/repair/repair_folder.hpp"

#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"

namespace trellis::app {

void add_repair(const Command& program, Action& action) {
  auto options = std::make_shared<RepairOptions>();
  auto directory = std::make_shared<std::string>(), input = std::make_shared<std::string>();
  const auto command = program.add_subcommand(
      "repair", "Check the files of a run or a measurement, and go back to the last intact state");
  command.add_option("FOLDER", *directory, "the folder with the results").required();
  command.add_option("--name", options->name, "output.name of the run, where the folder holds several");
  command.add_option("--input", *input, "the input it was started with, where NAME.resolved.toml is damaged");
  command.add_flag("--dry-run", options->dry_run, "only report what would be done");
  command.add_flag("--accept-loss", options->accept_loss,
                   "continue from the newest state, without the table rows that are lost");
  command.footer(
      "Exit code: 0 the state from which the run continues is intact, 1 saved configurations are damaged,\n"
      "2 no results folder, or an input of another run.\n"
      "Replaced files are kept in FOLDER/set-aside-1. The next `trellis run` recomputes what is lost, with the\n"
      "same bits.\n"
      "Example: trellis repair quenched-results --dry-run");
  command.callback([options, directory, input, &action] {
    action = [options, directory, input] {
      options->directory = *directory;
      options->input = *input;
      return by_first_rank([&] { return repair_folder(*options, standard_console()); });
    };
  });
}

}  // namespace trellis::app

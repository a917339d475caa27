// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis new: writes an input to start from.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/new/new_input.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

// Questions go to stderr: the input may go to stdout.
std::optional<std::string> answer_from_terminal(const std::string& question) {
  fmt::print(stderr, "{}", question);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

int run(NewInput choices, bool has_choices, const std::string& output, const std::string& called_as) {
  if (job().size() > 1) fail_input("new writes an input, which takes one process; this job has {}", job().size());
  if (!output.empty() && std::filesystem::exists(output))
    fail_input("--output {}: exists already; nothing is overwritten", output);
  require_output_file("new: --output", output);
  if (!has_choices) {
    if (::isatty(STDIN_FILENO) != 1)
      fail_input("new: there is no terminal for questions; give --lattice and the other options of `{} new --help`",
                 called_as);
    ask(choices, answer_from_terminal);
  }
  const auto text = new_input(choices, output.empty() ? "input.toml" : output);
  if (output.empty()) {
    fmt::print("{}", text);
  } else {
    write_text_file(output, text);
    fmt::print("Wrote {}. Next: {} run --check {}\n", output, called_as, output);
  }
  return 0;
}

}  // namespace

void add_new(const Command& program, Action& action) {
  auto choices = std::make_shared<NewInput>();
  auto output = std::make_shared<std::string>();
  const auto command = program.add_subcommand("new", "Write a commented input, from a few questions or options");
  command.add_option("--output", *output, "the file to write; otherwise the input is printed").option_text("FILE");
  command.add_option("--lattice", choices->lattice, "size x,y,z,t");
  command.add_option("--action", choices->action, "wilson, symanzik, iwasaki or dbw2");
  command.add_option("--beta", choices->beta, "coupling");
  command.add_option(
      "--spacing", choices->spacing,
      "lattice spacing in fm, instead of --beta: with --pion-mass, or without quarks for the Wilson action");
  command.add_option("--pion-mass", choices->pion_mass,
                     "in MeV: 2+1 flavours with a physical strange quark, from a published line of constant physics");
  command.add_option("--flavours", choices->flavours, "NAME=MASS:TASTES, separated by spaces; masses in lattice units");
  command.add_option("--trajectories", choices->trajectories, "total number; default: 1000");
  command.footer(
      "Without options it asks on the terminal. What it writes passes `trellis run --check`.\n"
      "Example: trellis new --lattice 32,32,32,64 --pion-mass 135 --spacing 0.0989 --output physical.toml");
  command.callback([choices, output, called_as = command.called_as(), &action] {
    action = [choices, output, called_as] {
      const bool has_choices = !choices->lattice.empty() || !choices->action.empty() || choices->beta ||
                               choices->spacing || choices->pion_mass || !choices->flavours.empty() ||
                               choices->trajectories;
      return run(*choices, has_choices, *output, called_as);
    };
  });
}

}  // namespace trellis::app

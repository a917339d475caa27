// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The subcommands of `trellis`. Each function adds one to the program: its options, its help with an example, and its
// action, which main() calls after reading the command line. The action returns the exit code; what it throws, main()
// prints as "trellis: error: ...", exiting with the error's code: 2 for the user's mistakes, 1 for anything else.
// A new subcommand is a file with such a function, and a line in program.cpp.

#include <functional>
#include <string>

#include "trellis/app/command_line.hpp"
#include "trellis/app/version.hpp"

namespace trellis::app {

using Action = std::function<int()>;

void add_new(const Command& program, Action& action);
void add_run(const Command& program, Action& action);
void add_measure(const Command& program, Action& action);
void add_analyse(const Command& program, Action& action);
void add_report(const Command& program, Action& action);
void add_inspect(const Command& program, Action& action);
void add_solve(const Command& program, Action& action);
void add_reproduce(const Command& program, Action& action);
void add_repair(const Command& program, Action& action);
void add_convert(const Command& program, Action& action);
void add_metadata(const Command& program, Action& action);
void add_verify(const Command& program, Action& action);
void add_bench(const Command& program, Action& action);
void add_bench_staggered(const Command& bench, Action& action);   // trellis bench staggered
void add_bench_dslash(const Command& bench, Action& action);      // trellis bench dslash
void add_bench_dispatch(const Command& bench, Action& action);    // trellis bench dispatch
void add_bench_files(const Command& bench, Action& action);       // trellis bench files
void add_bench_machine(const Command& bench, Action& action);     // trellis bench machine
void add_bench_scaling(const Command& bench, Action& action);     // trellis bench scaling
void add_bench_trajectory(const Command& bench, Action& action);  // trellis bench trajectory
void add_bench_nersc(const Command& bench, Action& action);       // trellis bench nersc
void add_bench_compare(const Command& bench, Action& action);     // trellis bench compare
void add_bench_spmd(const Command& bench, Action& action);        // trellis bench spmd
void add_plan(const Command& program, Action& action);
void add_tune(const Command& program, Action& action);
void add_rational(const Command& program, Action& action);
void add_info(const Command& program, Action& action);
void add_man(const Command& program, Action& action);
void add_completions(const Command& program, Action& action);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The subcommands of `trellis`. Each function adds one to the program: its options, its help with an example, and what
// it does, a call that main() makes after the command line was read. Its value is the exit code; what it throws, main()
// prints as "trellis: error: ...", and exits with the error's code: 2 for what the user gave, 1 for anything else.
// A new subcommand is a file with such a function, and a line in main.cpp.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace trellis::app {

using Action = std::function<int()>;

void add_run(CLI::App& program, Action& action);
void add_measure(CLI::App& program, Action& action);
void add_inspect(CLI::App& program, Action& action);
void add_convert(CLI::App& program, Action& action);
void add_verify(CLI::App& program, Action& action);
void add_bench(CLI::App& program, Action& action);
void add_bench_staggered(CLI::App& bench, Action& action);  // trellis bench staggered
void add_bench_dslash(CLI::App& bench, Action& action);     // trellis bench dslash
void add_bench_dispatch(CLI::App& bench, Action& action);   // trellis bench dispatch
void add_bench_machine(CLI::App& bench, Action& action);    // trellis bench machine
void add_bench_scaling(CLI::App& bench, Action& action);    // trellis bench scaling
void add_plan(CLI::App& program, Action& action);
void add_tune(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);

// The program's name and version, "trellis 0.1.0".
std::string version_text();

}  // namespace trellis::app

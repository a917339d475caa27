// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The whole `trellis` program as a function, so that a program of your own can add observables to it
// (measure/observable.hpp, examples/own_observable):
//
//   int main(int argc, char** argv) { return trellis::app::run_program(argc, argv, {my_observable()}); }

#include <vector>

#include "trellis/measure/observable.hpp"

namespace trellis::app {

// All that main() does; returns the exit code. Exceptions, including an observable that cannot be added, are printed as
// "trellis: error: ...". Call it once, before anything that starts threads: it may make the system load the program
// again (core/base/waiting_threads.hpp).
int run_program(int argc, char** argv, std::vector<measure::Observable> own = {});

}  // namespace trellis::app

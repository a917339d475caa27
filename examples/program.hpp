// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The frame of a program's main(): reads the command line, runs, and turns errors into one line and an exit code
// (2: wrong options; 1: the work itself failed, including its checks; 0: success).
//   CLI::App app("What it does.", "stream");
//   app.add_option(...);
//   return examples::run_program(app, argc, argv, [&] { ... });

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "trellis/core/error.hpp"

namespace examples {

// For an option's value. (CLI11's own check says "not in range 0.000000 to" followed by three hundred digits.)
inline CLI::Validator positive() {
  return {[](std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && value > 0 ? std::string() : text + " is not above 0";
          },
          "POSITIVE"};
}

template <class F>
int run_program(CLI::App& app, int argc, char** argv, F&& f) {
  try {
    app.parse(argc, argv);
    f();
    return 0;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "{}: error: {}\n", app.get_name(), e.what());
    return 2;
  } catch (const trellis::Error& e) {
    fmt::print(stderr, "{}: error: {}\n", app.get_name(), e.what());
    return e.exit_code();
  }
}

}  // namespace examples

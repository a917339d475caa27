// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The heat equation, with Trellis and by hand in turn. README.md explains the numbers.
#include "examples/heat/measure.hpp"
#include "examples/program.hpp"
#include "trellis/core/spaces.hpp"

int main(int argc, char** argv) {
  examples::heat::Settings settings;
  std::string json, machine;
  int threads = 0;
  CLI::App app("The heat equation on a square by explicit Euler, with Trellis and by hand.", "heat");
  app.add_option("--size", settings.sizes, "points per side, one or more sizes")
      ->check(CLI::Range(4, 65534))
      ->capture_default_str();
  app.add_option("--steps", settings.steps, "steps per timed call")->check(examples::positive())->capture_default_str();
  app.add_option("--r", settings.r, "dt / h^2")->check(CLI::Range(1e-6, 0.25))->capture_default_str();
  app.add_option("--repetitions", settings.repetitions, "timed calls")
      ->check(examples::positive())
      ->capture_default_str();
  app.add_flag("--ways", settings.ways, "also teams, and flat ranges of lines and of points");
  app.add_option("--threads", threads, "threads on a CPU; default: all")->check(examples::positive());
  app.add_option("--json", json, "also write the table to this file, for examples/figures.py");
  app.add_option("--machine", machine, "description of the machine for the figure");
  return examples::run_program(app, argc, argv, [&] {
    examples::require_writable(json);
    if (threads > 0) trellis::set_thread_count(threads);
    auto result = examples::heat::measure(settings);
    result.setup = fmt::format(
        "{} steps per call, double, {}, {}, {}", settings.steps, trellis::DefaultExecutionSpace::name,
        examples::counted(trellis::concurrency(), "thread"), examples::counted(settings.repetitions, "repetition"));
    result.machine = machine;
    examples::print(result);
    if (!json.empty()) examples::write_json(result, json);
  });
}

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The loops of BabelStream, with Trellis and by hand in turn. README.md explains the numbers.
#include "examples/program.hpp"
#include "examples/stream/measure.hpp"
#include "trellis/core/spaces.hpp"

int main(int argc, char** argv) {
  examples::stream::Settings settings;
  std::string precision = "double", json, machine;
  int threads = 0;
  CLI::App app("Bandwidth of copy, mul, add, triad and dot, with Trellis and by hand.", "stream");
  app.add_option("--size", settings.size, "numbers per array, a multiple of 16")
      ->check(examples::positive())
      ->capture_default_str();
  app.add_option("--precision", precision, "float or double")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  app.add_option("--repetitions", settings.repetitions, "timed calls of each loop")
      ->check(examples::positive())
      ->capture_default_str();
  app.add_option("--threads", threads, "threads on a CPU; default: all")->check(examples::positive());
  app.add_option("--json", json, "also write the table to this file, for examples/figures.py");
  app.add_option("--machine", machine, "description of the machine for the figure");
  return examples::run_program(app, argc, argv, [&] {
    examples::require_writable(json);
    if (threads > 0) trellis::set_thread_count(threads);
    auto result = precision == "double" ? examples::stream::measure<double>(settings)
                                        : examples::stream::measure<float>(settings);
    result.setup = fmt::format(
        "3 arrays of {} numbers of type {}, {}, {}, {}", settings.size, precision, trellis::DefaultExecutionSpace::name,
        examples::counted(trellis::concurrency(), "thread"), examples::counted(settings.repetitions, "repetition"));
    result.machine = machine;
    examples::print(result);
    fmt::print("All arrays and dot products are right.\n");
    if (!json.empty()) examples::write_json(result, json);
  });
}

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Trellis through Kokkos, compared with Kokkos itself. README.md explains the numbers.
#include <Kokkos_Core.hpp>

#include "examples/kokkos/measure.hpp"
#include "examples/program.hpp"

int main(int argc, char** argv) {
  examples::kokkos::Settings settings;
  std::string json, machine;
  CLI::App app(
      "Triad, dot and a 7-point stencil in Kokkos' own API, with Trellis through Kokkos, and with Trellis alone.",
      "through_kokkos");
  app.add_option("--size", settings.size, "numbers per array of triad and dot")
      ->check(examples::positive())
      ->capture_default_str();
  app.add_option("--side", settings.side, "points per side of the stencil's grid, edges included")
      ->check(CLI::Range(3, 2048))
      ->capture_default_str();
  app.add_option("--repetitions", settings.repetitions, "timed calls of each loop")
      ->check(examples::positive())
      ->capture_default_str();
  app.add_option("--json", json, "also write the table to this file");
  app.add_option("--machine", machine, "description of the machine for the figure");
  return examples::run_program(app, argc, argv, [&] {
    examples::require_writable(json);
    const ::Kokkos::ScopeGuard kokkos;
    auto result = examples::kokkos::measure(settings);
    result.setup = fmt::format("{} numbers, {}^3 points, {} repetitions, Kokkos {}.{} {}; by hand is Kokkos' own API",
                               settings.size, settings.side, settings.repetitions, KOKKOS_VERSION / 10000,
                               KOKKOS_VERSION / 100 % 100, ::Kokkos::DefaultExecutionSpace::name());
    result.machine = machine;
    examples::print(result);
    fmt::print("All results are right.\n");
    if (!json.empty()) examples::write_json(result, json);
  });
}

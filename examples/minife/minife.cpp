// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The command line of the program; measure.hpp does the work.
#include "examples/minife/measure.hpp"
#include "examples/program.hpp"
#include "trellis/core/spaces.hpp"

int main(int argc, char** argv) {
  CLI::App app(
      "Finite elements: assembles a heat problem on a mesh of hexahedra and solves it with conjugate gradients, in "
      "Trellis and by hand, and checks the solution.",
      "minife");
  examples::minife::Settings settings;
  int threads = 0;
  std::string json, machine;
  const auto elements = CLI::Range(8L, 1024L);
  app.add_option("--nx", settings.nx, "Elements along x, a multiple of 4")->check(elements)->capture_default_str();
  app.add_option("--ny", settings.ny, "Elements along y; default: as along x")->check(elements);
  app.add_option("--nz", settings.nz, "Elements along z; default: as along x")->check(elements);
  app.add_option("--distortion", settings.distortion, "How far nodes are moved from a regular grid")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--iterations", settings.iterations, "Steps of the timed conjugate gradient")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--tolerance", settings.tolerance, "Relative residual of the checked solves")
      ->check(CLI::Range(1e-14, 1e-4))
      ->capture_default_str();
  app.add_option("--repetitions", settings.repetitions, "Timed calls of each version")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("!--best-layout-only", settings.layouts, "Leave out the layouts that do not suit this machine");
  app.add_option("--threads", threads, "Threads on a CPU; default: all")->check(CLI::Range(1, 4096));
  app.add_option("--machine", machine, "Title of the figure: processor, compiler");
  app.add_option("--json", json, "File for the results, drawn by examples/figures.py");
  return examples::run_program(app, argc, argv, [&] {
    if (threads > 0) trellis::set_thread_count(threads);
    examples::Result result = examples::minife::measure(settings);
    result.machine = machine;
    examples::print(result);
    if (!json.empty()) examples::write_json(result, json);
  });
}

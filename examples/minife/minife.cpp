// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The command line of the program; measure.hpp does the work.
#include <algorithm>

#include "examples/minife/measure.hpp"
#include "examples/program.hpp"
#include "trellis/comm/communicator.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/spaces.hpp"

namespace {

using trellis::comm::Communicator;

// The threads of a rank: its share of the machine's, unless it is told.
void set_threads(int wanted) {
  const auto world = Communicator::world();
  if (wanted > 0) return trellis::set_thread_count(wanted);
  if (world.size() > 1) trellis::set_thread_count(std::max(1, trellis::concurrency() / world.ranks_on_machine()));
}

int run(int argc, char** argv) {
  CLI::App app(
      "Finite elements: assembles a heat problem on a mesh of hexahedra and solves it with conjugate gradients, in "
      "Trellis and by hand, and checks the solution.",
      "minife");
  examples::minife::Settings settings;
  long planes = 0;
  bool weak_scaling = false;
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
  app.add_flag("--weak-scaling", weak_scaling, "Time the solve on 1, 2, 4 ... ranks of the job, each with as many rows")
      ->excludes("--nz")
      ->excludes("--tolerance")
      ->excludes("--best-layout-only");
  app.add_option("--planes", planes, "Planes of nodes on each rank; default: as many as elements along x")
      ->needs("--weak-scaling")
      ->check(CLI::Range(3L, 1024L));
  app.add_option("--threads", threads, "Threads on a CPU; default: all, or a rank's share of them")
      ->check(CLI::Range(1, 4096));
  app.add_option("--machine", machine, "Title of the figure: processor, compiler");
  app.add_option("--json", json, "File for the results, drawn by examples/figures.py");
  const auto work = [&] {
    const auto world = Communicator::world();
    if (world.size() > 1 && !weak_scaling)
      trellis::fail_input("{} ranks measure weak scaling alone: --weak-scaling", world.size());
    set_threads(threads);
    examples::Result result =
        weak_scaling ? examples::minife::measure_weak_scaling({settings.nx, settings.ny, planes, settings.distortion,
                                                               settings.iterations, settings.repetitions})
                     : examples::minife::measure(settings);
    if (!world.is_first()) return;
    result.machine = machine;
    examples::print(result);
    if (!json.empty()) examples::write_json(result, json);
  };
  return examples::run_program(app, argc, argv, [&] {
    if (Communicator::world().size() == 1) return work();
    try {
      work();
    } catch (const trellis::Error& error) {  // on one rank, perhaps, for which the others would wait
      trellis::comm::Session::abort(error.exit_code(), error.what());
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    trellis::comm::Session session(argc, argv);
    return run(argc, argv);
  } catch (const trellis::Error& error) {
    trellis::comm::Session::abort(error.exit_code(), error.what());
  }
}

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Lennard-Jones molecular dynamics at constant energy, then its force kernel with Trellis and by hand in turn.
// README.md explains the numbers.
#include <cmath>

#include "examples/minimd/by_hand.hpp"
#include "examples/minimd/comparison.hpp"
#include "examples/program.hpp"
#include "trellis/core/stopwatch.hpp"

namespace examples::minimd {
namespace {

struct Settings {
  Parameters parameters;
  int steps = 100, print_every = 10, repetitions = 20;
  double tolerance = 2e-3;  // for the conserved energy per atom
  std::string layout = "both";
};

void print_state(int step, const State& s, double seconds) {
  fmt::print("{:>8} {:>14.6e} {:>14.6e} {:>14.6e} {:>14.6e} {:>10.3f}\n", step, s.temperature, s.potential_energy,
             s.pressure, s.conserved_energy, seconds);
}

// Throws Error if energy or momentum is not conserved.
void check(const State& first, const State& now, int step, double tolerance) {
  const double drift = now.conserved_energy - first.conserved_energy;
  if (!(std::fabs(drift) <= tolerance)) {
    trellis::fail("step {}: the energy per atom has changed by {}; allowed is {}", step, drift, tolerance);
  }
  if (!(now.momentum <= 1e-12)) {
    trellis::fail("step {}: the mean momentum of an atom is {}; it must stay below 1e-12", step, now.momentum);
  }
}

// "OpenMP, 16 threads"; on a GPU the host's threads play no part.
std::string place() {
  const std::string name = trellis::DefaultExecutionSpace::name;
  return trellis::kernels_on_host ? fmt::format("{}, {}", name, examples::counted(trellis::concurrency(), "thread"))
                                  : name;
}

template <class Layout>
std::vector<Row> run(const Settings& settings) {
  auto simulation = start<Layout>(settings.parameters);
  fmt::print("{} atoms in a box of {:.4f}, {:.2f} neighbours within {}, lists {}, {}\n", simulation.atoms.count,
             simulation.atoms.box, mean_count(simulation.neighbours), settings.parameters.range(), Layout::name,
             place());
  fmt::print("{:>8} {:>14} {:>14} {:>14} {:>14} {:>10}\n", "step", "T", "U", "P", "conserved", "seconds");
  const State first = measure(simulation);
  print_state(0, first, 0);
  double seconds = 0, largest_drift = 0;
  for (int step = 1; step <= settings.steps; ++step) {
    trellis::timed(seconds, [&] { advance(simulation); });
    if (step % settings.print_every != 0 && step != settings.steps) continue;
    const State now = measure(simulation);
    print_state(step, now, seconds);
    check(first, now, step, settings.tolerance);
    largest_drift = std::max(largest_drift, std::fabs(now.conserved_energy - first.conserved_energy));
  }
  if (settings.steps > 0) {
    fmt::print(
        "{:.3f} s: forces {:.3f}, lists {:.3f} (built {} times), the rest {:.3f}; {:.3e} atom steps per second\n"
        "Energy per atom constant to {:.1e}, momentum zero.\n",
        seconds, simulation.force_seconds, simulation.neighbour_seconds, simulation.builds,
        seconds - simulation.force_seconds - simulation.neighbour_seconds,
        double(simulation.atoms.count) * settings.steps / seconds, largest_drift);
  }
  if (simulation.farthest > 0.5 * settings.parameters.skin && settings.parameters.rebuild_every > 0) {
    fmt::print("Atoms moved by up to {:.3f} before their lists were rebuilt: pairs may have been missed.\n",
               simulation.farthest);
  }
  if (settings.repetitions == 0) return {};
  fmt::print("\n");
  constexpr bool natural = std::is_same_v<Layout, NaturalLayout>;
  const bool both = settings.layout == "both";
  return compare_forces(settings.parameters, simulation.atoms, {.natural = both || natural, .wrong = both || !natural},
                        settings.repetitions);
}

}  // namespace
}  // namespace examples::minimd

int main(int argc, char** argv) {
  using namespace examples::minimd;
  Settings settings;
  Parameters& p = settings.parameters;
  std::string json, machine;
  int threads = 0;
  CLI::App app("Lennard-Jones molecular dynamics, and its force with Trellis and by hand.", "minimd");
  app.add_option("--size", p.size, "cells of the lattice along the box, four atoms each")->capture_default_str();
  app.add_option("--steps", settings.steps, "molecular dynamics steps")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--print-every", settings.print_every, "steps between printed lines")
      ->check(examples::positive())
      ->capture_default_str();
  app.add_option("--layout", settings.layout, "layout of neighbour lists: right, left, or both, timed separately")
      ->check(CLI::IsMember({"right", "left", "both"}))
      ->capture_default_str();
  app.add_option("--rebuild-every", p.rebuild_every,
                 "steps between rebuilds of lists; 0: when an atom has moved by half the skin")
      ->capture_default_str();
  app.add_option("--density", p.density, "atoms per unit volume")->capture_default_str();
  app.add_option("--temperature", p.temperature, "temperature of the lattice")->capture_default_str();
  app.add_option("--time-step", p.time_step, "time step of the integrator")->capture_default_str();
  app.add_option("--seed", p.seed, "seed of the velocities")->capture_default_str();
  app.add_option("--tolerance", settings.tolerance, "largest allowed change of the energy per atom")
      ->check(examples::positive())
      ->capture_default_str();
  app.add_option("--repetitions", settings.repetitions, "timed calls of each force kernel; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--threads", threads, "threads on a CPU; default: all")->check(examples::positive());
  app.add_option("--json", json, "also write the table to this file, for examples/figures.py");
  app.add_option("--machine", machine, "description of the machine for the figure");
  return examples::run_program(app, argc, argv, [&] {
    if (threads > 0) trellis::set_thread_count(threads);
    const bool right = settings.layout == "right" ||
                       (settings.layout == "both" && !std::is_same_v<NaturalLayout, trellis::LayoutLeft>);
    examples::Result result{.program = "minimd", .machine = machine};
    result.rows = right ? run<trellis::LayoutRight>(settings) : run<trellis::LayoutLeft>(settings);
    result.setup =
        fmt::format("{} atoms, {}, {} repetitions", 4L * p.size * p.size * p.size, place(), settings.repetitions);
    if (const std::string by_hand = examples::minimd::by_hand::instructions(); !by_hand.empty())
      result.setup += ", by hand with " + by_hand;
    if (settings.repetitions > 0) examples::print(result);
    if (!json.empty()) examples::write_json(result, json);
  });
}

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis verify INPUT: checks that `trellis run` or `trellis measure` with this input compute correctly on this
// machine.
#include <algorithm>
#include <numbers>
#include <optional>
#include <utility>

#include "trellis/app/command.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/progress.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/io/gauge_file.hpp"

namespace trellis::app {
namespace {

constexpr int largest_extent = 8;

template <int W>
void check_all(const RunInput& input, bool has_chain, bool read_file, const comm::ProcessGrid& grid,
               VerifyReport& report) {
  const auto c = verify_case<W>(input, read_file, grid, has_chain);
  if (has_chain) {
    check_forces(c, report);
    check_rational_approximations(c, report);
  }
  check_loops(c, report);
  check_defect(c, report);
  check_operators(c, report);
  check_flow(c, report);
  check_hadrons(c, report);
  check_quarks(input, W, report);
  if (!has_chain) return;
  check_integrators(c, report);
  check_bits(c, report);
}

// The boundary in time that an input of `trellis measure` states; otherwise files show theirs, which are open if c_F
// is not 1. Angles, which belong to the links, are those of a usual choice.
gauge::Boundary boundary_of(const MeasureInput& measure) {
  gauge::Boundary boundary = measure.boundary.value_or(gauge::Boundary{});
  if (!measure.boundary && measure.measure.hadrons && measure.measure.hadrons->c_f != 1)
    boundary.kind = gauge::BoundaryKind::open;
  if (boundary.kind == gauge::BoundaryKind::schroedinger_functional) {
    boundary.phi = {-std::numbers::pi / 3, 0, std::numbers::pi / 3};
    boundary.phi_prime = {-std::numbers::pi, std::numbers::pi / 3, 2 * std::numbers::pi / 3};
  }
  return boundary;
}

// What an input of `trellis measure` measures, on links of the Wilson action at beta = 6.
RunInput measurements_of(const MeasureInput& measure) {
  RunInput input;
  input.boundary = boundary_of(measure);
  input.size = measure.size.value_or(Coordinate{largest_extent, largest_extent, largest_extent, largest_extent});
  if (const int slices = input.boundary.extent + 1; slices > 1 && !measure.size) input.size[3] = slices + slices % 2;
  input.action = {.name = "wilson", .beta = 6};
  input.algorithm.kind = AlgorithmKind::heatbath;
  input.quarks = measure.quarks;
  input.measure = measure.measure;
  input.machine = measure.machine;
  set_boundary(input.boundary, input.quarks, input.measure);
  return input;
}

int verify(const std::string& file, const std::string& size, const std::string& ranks) {
  const auto contents = read_shared_text(file);
  const bool has_chain = !is_measure_input(contents, file);
  RunInput input = has_chain ? parse_run_input(contents, file) : measurements_of(parse_measure_input(contents, file));
  require_devices();
  const auto console = standard_console();
  const auto say = [&](const std::string& text) { console.write(text + "\n"); };
  say(fmt::format("{}: {}", version_text(),
                  has_chain ? describe(input) : fmt::format("measurements, on {}", describe_action(input))));

  const auto asked = input.size;
  Coordinate checked = asked;
  if (size.empty())
    for (int& extent : checked) extent = std::min(extent, largest_extent);
  else
    checked = parse_size(size);
  input = resized(std::move(input), checked);
  if (input.size != asked)
    say(fmt::format("Lattice: {} instead of {} ({})", to_string(input.size), to_string(asked),
                    size.empty() ? "--size chooses another" : "--size"));
  // The input's settings are for its own lattice.
  if (input.size != asked) input.machine.ranks.reset();
  if (!ranks.empty()) set_ranks(input.machine, ranks);
  const auto grid = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing));
  const bool read_file = input.start.kind == StartKind::file && input.size == asked;
  say(fmt::format("Links: {}",
                  read_file ? input.start.file.string() : std::string("random links after 10 heatbath sweeps")));
  if (input.machine.threads > 0) set_thread_count(static_cast<int>(input.machine.threads));
  const int wanted = static_cast<int>(input.machine.lanes);
  const auto local = grid.local(input.size);
  const int lanes = wanted > 0 && Lattice::divides(local, wanted) ? wanted : Lattice::best_lanes(local, 8);
  const int threads = concurrency();
  say(fmt::format("{}{} thread{}, {} SIMD lane{}",
                  grid.size() == 1 ? "" : fmt::format("{} ranks {}, each ", grid.size(), to_string(grid.extents())),
                  threads, threads == 1 ? "" : "s", lanes, lanes == 1 ? "" : "s"));

  const Stopwatch watch;
  VerifyReport report(console.write, grid.ranks());
  with_lanes(lanes, [&]<int W>() { check_all<W>(input, has_chain, read_file, grid, report); });
  if (report.failed() == 0)
    say(fmt::format("\nAll {} checks passed, in {:.0f} s.", report.checks(), watch.seconds()));
  else
    say(fmt::format("\n{} of {} checks FAILED, in {:.0f} s.", report.failed(), report.checks(), watch.seconds()));
  return report.failed() == 0 ? 0 : 1;
}

}  // namespace

void add_verify(const Command& program, Action& action) {
  auto file = std::make_shared<std::string>(), size = std::make_shared<std::string>(),
       ranks = std::make_shared<std::string>();
  const auto command = program.add_subcommand(
      "verify",
      "Check that forces, integrators, operators, restarts and measurements are correct, for an input on this machine");
  command.add_option("INPUT", *file, "the input of `trellis run` or `trellis measure`, TOML").required();
  command.add_option(
      "--size", *size,
      "lattice x,y,z,t to check on; default: the input's, each extent at most " + std::to_string(largest_extent));
  command.add_option("--ranks", *ranks, "grid of the job's ranks; default: chosen for the lattice")
      .option_text("1x1x2x4");
  command.footer(
      "Nothing is written into the run's folder.\n"
      "Exit code: 0 all checks passed, 1 one failed, 2 something is wrong with the input.\n"
      "Example: trellis verify examples/dynamical.toml");
  command.callback(
      [file, size, ranks, &action] { action = [file, size, ranks] { return verify(*file, *size, *ranks); }; });
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis solve: solutions of the equation of staggered quarks on links from files, and checks of solutions.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trellis/app/command.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/solve/save_links.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/fields/field_reader.hpp"
#include "trellis/io/paths/different_files.hpp"

namespace trellis::app {
namespace {

constexpr std::array<NamedValue<measure::StaggeredMatrix>, 2> equations{
    {{"M", measure::StaggeredMatrix::m}, {"MdaggerM", measure::StaggeredMatrix::normal}}};
constexpr std::array<NamedValue<LinkConvention>, 2> conventions{
    {{"milc", LinkConvention::milc}, {"trellis", LinkConvention::trellis}}};
constexpr std::array<NamedValue<bool>, 2> boundaries{{{"antiperiodic", true}, {"periodic", false}}};

struct SolveOptions {
  std::string fat, long_links, source, point, solution, check, ranks;
  std::string links, smearing, save_fat, save_long;
  std::optional<double> naik_epsilon;
  std::string equation = "M", convention = "milc", boundary, precision = "double";
  std::optional<double> mass;
  std::optional<double> residual;
  int max_iterations = 50000;
};

double residual_of(const SolveOptions& options) {
  if (options.residual) {
    if (!(*options.residual > 0)) fail_input("--residual: found {}, expected a number above 0", *options.residual);
    return *options.residual;
  }
  if (options.check.empty()) return 1e-10;
  const auto info = io::FieldReader(options.check, job()).info();
  const bool single = std::ranges::any_of(info.fields, [](const auto& f) { return f.precision == Precision::single; });
  return single ? 1e-6 : 1e-9;
}
// The largest residual of a solution that is checked: by default also what its precision leaves.
double limit_of(const SolveOptions& options, const SolveInput& input, const SolvedVector& v) {
  return options.residual ? input.inverse.residual : std::max(input.inverse.residual, v.from_rounding);
}

MachineInput machine_of(const SolveOptions& options) {
  MachineInput machine;
  if (!options.ranks.empty()) set_ranks(machine, options.ranks);
  return machine;
}

// Only with --links.
SaveLinksInput links_of(const SolveOptions& options) {
  if (options.links.empty()) {
    for (const auto& [name, given] : {std::pair{"--smearing", !options.smearing.empty()},
                                      {"--naik-epsilon", options.naik_epsilon.has_value()},
                                      {"--save-fat", !options.save_fat.empty()},
                                      {"--save-long", !options.save_long.empty()}})
      if (given) fail_input("{}: only with --links", name);
    if (options.fat.empty()) fail_input("expected --fat FILE, or --links FILE, a configuration");
    return {};
  }
  if (!options.fat.empty() || !options.long_links.empty())
    fail_input("--links: the links are those of --save-fat and --save-long; --fat and --long cannot be given");
  return {.configuration = options.links,
          .smearing = parse_smearing(options.smearing.empty() ? "hisq" : options.smearing),
          .naik_epsilon = options.naik_epsilon.value_or(0),
          .convention = option_named("--convention", conventions, options.convention).value,
          .fat = options.save_fat,
          .long_links = options.save_long,
          .precision = option_named("--precision", io::file_precisions, options.precision).value,
          .provenance = version_text() + " solve",
          .machine = machine_of(options)};
}

// Whether links are all that is asked for.
bool only_links(const SolveOptions& options) {
  return !options.links.empty() && options.solution.empty() && options.check.empty() && options.source.empty() &&
         options.point.empty();
}

SolveInput input_of(const SolveOptions& options) {
  if (options.solution.empty() == options.check.empty())
    fail_input("expected --solution FILE, to be written, or --check FILE, to be checked{}",
               options.check.empty() ? "" : ", not both");
  if (options.source.empty() == options.point.empty())
    fail_input("expected --source FILE or --point x,y,z,t{}", options.source.empty() ? "" : ", not both");
  SolveInput input;
  if (!options.point.empty()) input.point = parse_four(options.point, "--point", "x,y,z,t such as 0,0,0,4", 0);
  input.fat = options.links.empty() ? options.fat : options.save_fat;
  input.long_links = options.links.empty() ? options.long_links : options.save_long;
  input.source = options.source;
  input.solution = options.solution;
  input.check = options.check;
  if (!options.mass) fail_input("expected --mass, a number above 0");
  input.mass = *options.mass;
  input.matrix = option_named("--equation", equations, options.equation).value;
  input.convention = option_named("--convention", conventions, options.convention).value;
  if (!options.boundary.empty()) {
    if (input.convention == LinkConvention::milc)
      fail_input("--boundary: only with --convention trellis; links of MILC's convention contain the boundary's sign");
    input.antiperiodic_time = option_named("--boundary", boundaries, options.boundary).value;
  }
  input.precision = option_named("--precision", io::file_precisions, options.precision).value;
  if (options.max_iterations < 1) fail_input("--max-iterations: found {}, expected 1 or more", options.max_iterations);
  input.inverse = {.residual = residual_of(options), .max_iterations = options.max_iterations};
  input.machine = machine_of(options);
  input.provenance = version_text() + " solve";
  return input;
}

void require_output_files(const SolveOptions& options) {
  for (const auto& [option, file] : {std::pair{"--save-fat", options.save_fat},
                                     {"--save-long", options.save_long},
                                     {"--solution", options.solution}})
    require_output_file(option, file);
  io::require_different_files(
      {{"--links", options.links},
       {"--fat", options.fat},
       {"--long", options.long_links},
       {"--source", options.source},
       {"--check", options.check}},
      {{"--save-fat", options.save_fat}, {"--save-long", options.save_long}, {"--solution", options.solution}});
}

int run(const SolveOptions& options) {
  const auto links = links_of(options);
  std::optional<SolveInput> to_solve;
  if (!only_links(options)) to_solve = input_of(options);
  require_output_files(options);
  require_devices();
  if (!options.links.empty()) {
    save_links(links);
    for (const auto& file : {links.fat, links.long_links})
      if (!file.empty())
        fmt::print("{}: links of {}, {}, {} precision\n", file.string(), file == links.fat ? "one step" : "three steps",
                   gauge::describe(links.smearing), name_of(links.precision));
  }
  if (!to_solve) return 0;
  const auto& input = *to_solve;
  const auto solved = solve_fields(input);
  const std::string matrix =
      input.convention == LinkConvention::milc ? "2 m + D, signs in the links" : "m + D / 2, signs by the operator";
  fmt::print("{} links{}, lattice {}, M = {}, m = {}\n", input.long_links.empty() ? "fat" : "fat and long",
             input.convention == LinkConvention::milc ? ""
             : input.antiperiodic_time                ? ", antiperiodic in time"
                                                      : ", periodic in time",
             to_string(solved.size), matrix, input.mass);
  for (const auto& line : solved.kernels) fmt::print("{}\n", line);
  const char* left = input.matrix == measure::StaggeredMatrix::m ? "M x" : "M^+ M x";
  double limit = input.inverse.residual;
  bool holds = true;
  for (std::size_t n = 0; n < solved.vectors.size(); ++n) {
    const auto& v = solved.vectors[n];
    const double own_limit = limit_of(options, input, v);
    holds = holds && v.residual <= own_limit;  // not of NaN
    limit = std::max(limit, own_limit);
    auto line = fmt::format("vector {}: |{} - b| / |b| = {:.6e}", n + 1, left, v.residual);
    if (v.iterations > 0) line += fmt::format(", {} iterations", v.iterations);
    if (!input.check.empty() && input.matrix == measure::StaggeredMatrix::m)
      line += fmt::format("; smallest for m = {:.10g}", v.fitting_mass);
    fmt::print("{}\n", line);
  }
  if (!input.solution.empty()) {
    fmt::print("{}: {}, {} precision\n", input.solution.string(), plural(solved.vectors.size(), "vector"),
               name_of(input.precision));
    return 0;
  }
  fmt::print("{}: {} a solution to {:.3g}\n", input.check.string(), holds ? "is" : "is NOT", limit);
  return holds ? 0 : 1;
}

}  // namespace

void add_solve(const Command& program, Action& action) {
  auto options = std::make_shared<SolveOptions>();
  const auto command = program.add_subcommand(
      "solve", "Solve the equation of staggered quarks on fat and long links from files, or check a solution");
  command.add_option("--fat", options->fat, "SciDAC file of the links of one step, any matrices");
  command.add_option("--long", options->long_links, "SciDAC file of the links of three steps; default: none");
  command.add_option("--links", options->links,
                     "instead: a configuration, whose smeared links are written to --save-fat and --save-long");
  command.add_option("--smearing", options->smearing, "of --links, as in [smearing]; default: hisq")
      .option_text("KIND[,KEY=VALUE...]");
  command.add_option("--naik-epsilon", options->naik_epsilon, "of --links: correction of the Naik term; default: 0");
  command.add_option("--save-fat", options->save_fat, "SciDAC file for the links of one step of --links");
  command.add_option("--save-long", options->save_long, "SciDAC file for those of three steps");
  command.add_option("--source", options->source, "SciDAC file of colour vectors, b");
  command
      .add_option("--point", options->point, "instead: three sources on this site, one for each colour: a propagator")
      .option_text("x,y,z,t");
  command.add_option("--mass", options->mass, "m");
  command.add_option("--solution", options->solution, "file to write x to");
  command.add_option("--check", options->check, "file of x, whose residual is printed");
  command.add_option("--equation", options->equation, "M (M x = b) or MdaggerM (M^+ M x = b)").capture_default_str();
  command
      .add_option(
          "--convention", options->convention,
          "milc: M = 2 m + D, and links contain the signs of staggered quarks and of the boundary; trellis: M = m "
          "+ D / 2, and links contain none")
      .capture_default_str();
  command.add_option("--boundary", options->boundary,
                     "antiperiodic or periodic in time, with --convention trellis; default: antiperiodic");
  command.add_option("--residual", options->residual,
                     "largest |M x - b| / |b|; default: 1e-10, for --check 1e-9 in double precision, in single 1e-6 or "
                     "what rounding x leaves, if that is more");
  command.add_option("--max-iterations", options->max_iterations, "of the solver").capture_default_str();
  command
      .add_option("--precision", options->precision,
                  joined(names_of(io::file_precisions), " or ") + " precision of the files that are written")
      .capture_default_str();
  command.add_option("--ranks", options->ranks, "grid of the job's ranks").option_text("1x1x2x4");
  command.footer(
      "Exit code: 0 solved, or the solution is one; 1 it is not, or another error; 2 something is wrong with the files "
      "or "
      "options.\n"
      "Example: trellis solve --fat fat.l8 --long long.l8 --source source.l8 --mass 0.1 --check answer.l8");
  command.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace trellis::app

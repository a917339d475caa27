// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/app/input/input_boundary.hpp"
#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/action_names.hpp"
#include "trellis/io/file_precision.hpp"
#include "trellis/lattice/lattice.hpp"
#include "trellis/measure/observable.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::app {
namespace {

void refuse_eta_derivative(const Table& root, const MeasureSection& measure) {
  if (std::ranges::count(measure.observables, "eta_derivative") > 0)
    root.table("measure").wrong("observables",
                                "\"eta_derivative\" is that of a Schroedinger functional without parallelograms");
}

// What quarks do not know about boundaries in time; `key` of `table` says which it is.
void require_known_boundary(const Table& table, const char* key, const gauge::Boundary& boundary,
                            const QuarkInput& quarks) {
  try {
    require_known_boundary(boundary, quarks);
  } catch (const InputError& error) {
    table.wrong(key, "{}", error.what());
  }
}

// What does not know boundaries in time.
void require_known_boundary(const Table& root, const RunInput& input) {
  if (input.boundary.kind != gauge::BoundaryKind::schroedinger_functional || input.boundary.has_parallelograms)
    refuse_eta_derivative(root, input.measure);
  if (input.boundary.is_periodic()) return;
  const auto lattice = root.table("lattice");
  if (!input.quarks.flavours.empty()) require_known_boundary(lattice, "boundary", input.boundary, input.quarks);
  if (input.boundary.kind == gauge::BoundaryKind::schroedinger_functional) {
    const auto algorithm = root.table_or_empty("algorithm");
    if (input.algorithm.precision == "single")
      algorithm.wrong("precision", "a Schroedinger functional is in double precision only");
    if (input.algorithm.kind == AlgorithmKind::heatbath && input.boundary.has_squares(input.boundary.c1))
      algorithm.wrong("kind",
                      "a heatbath needs an action that is linear in each link, which that of rectangles in a "
                      "Schroedinger functional is with action.boundary_rectangles = \"weighted\"; use this or \"hmc\"");
  }
  const auto measure = root.table_or_empty("measure");
  for (const auto& smoothing : measure::smoothings())
    if (input.measure.smoothings.contains(smoothing.name) && !smoothing.knows_boundaries)
      measure.wrong(smoothing.name, "knows only periodic lattices; see lattice.boundary");
  for (const auto& observable : measure::observables_named(input.measure.observables))
    if (!observable.knows_boundaries)
      measure.wrong("observables", "\"{}\" knows only periodic lattices; see lattice.boundary", observable.name);
}

// The name of a file or folder; refuses what no system accepts.
void refuse_impossible_name(const Table& table, const char* key, const std::filesystem::path& path) {
  const auto& name = path.native();
  if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    table.wrong(key, "contains a control character");
  constexpr std::size_t most_bytes = 255, most_in_all = 4000;
  for (const auto& part : path)
    if (part.native().size() > most_bytes)
      table.wrong(key, "found \"{}\" of {} bytes, expected a name of at most {}", shortened(part.native()),
                  part.native().size(), most_bytes);
  if (name.size() > most_in_all) table.wrong(key, "has {} bytes, expected at most {}", name.size(), most_in_all);
}

StartInput read_start(const Table& table) {
  StartInput start;
  const auto kind = table.choice("kind", {"cold", "hot", "file"}, "cold");
  start.kind = kind == "cold" ? StartKind::cold : kind == "hot" ? StartKind::hot : StartKind::file;
  if (start.kind == StartKind::file) {
    start.file = table.text("file");
    if (start.file.empty()) table.wrong("file", "is empty; expected the name of a configuration file");
    refuse_impossible_name(table, "file", start.file);
    // Not among the keys of a resolved input unless given, for compatibility with inputs of earlier versions.
    if (table.has("trajectory")) start.trajectory = table.integer("trajectory", integers_from_0);
    if (table.has("accept_damage")) start.accept_damage = table.flag("accept_damage");
  } else {
    for (const auto* key : {"file", "trajectory", "accept_damage"})
      table.refuse(key, fmt::format("with kind = \"{}\"", kind));
  }
  return start;
}

ChainInput read_chain(const Table& table, const OutputInput& output) {
  ChainInput chain;
  chain.trajectories = table.integer("trajectories", integers_from_1);
  chain.thermalisation = table.integer("thermalisation", integers_from_0, 0);
  if (chain.thermalisation > chain.trajectories) {
    table.wrong("thermalisation", "found {}, expected at most trajectories = {}", chain.thermalisation,
                chain.trajectories);
  }
  chain.seed = table.integer("seed", {.min = 0}, 1);
  chain.checkpoint_every = table.integer("checkpoint_every", integers_from_1, 10);
  chain.save_every = table.integer("save_every", integers_from_0, 0);
  chain.save_precision = table.choice("save_precision", names_of(io::file_precisions), "double");
  chain.time_budget_minutes = table.real("time_budget_minutes", {.min = 0, .max = 1e7}, 0.0);
  // Not among the keys of a resolved input unless given: it follows the folder, also where somebody changes that there.
  chain.stop_file = table.has("stop_file") ? table.text("stop_file") : (output.directory / "stop").string();
  if (chain.stop_file.empty()) table.wrong("stop_file", "is empty; expected the name of a file");
  refuse_impossible_name(table, "stop_file", chain.stop_file);
  return chain;
}

OutputInput read_output(const Table& table, const std::string& input_name) {
  const auto stem = std::filesystem::path(input_name).stem().string();
  OutputInput output;
  output.directory = table.text("directory", stem + "-results");
  if (output.directory.empty()) table.wrong("directory", "is empty; expected the name of a folder");
  refuse_impossible_name(table, "directory", output.directory);
  output.name = table.text("name", stem);
  if (output.name.empty() || output.name.find('/') != std::string::npos || output.name[0] == '.') {
    table.wrong("name", "found \"{}\", expected the beginning of file names, without '/'", shortened(output.name));
  }
  refuse_impossible_name(table, "name", output.name);
  // Our suffixes follow it, "-effective-mass.csv.part" for instance, and no file system allows names of over 255 bytes.
  constexpr std::size_t most = 220;
  if (output.name.size() > most)
    table.wrong("name", "found \"{}\" of {} bytes, expected at most {}: it begins the names of files",
                shortened(output.name), output.name.size(), most);
  return output;
}

// The directions in the order of the given letters, each exactly once.
Coordinate read_directions(const Table& table, const char* key) {
  const std::string xyzt = "xyzt";
  const auto order = table.text(key, xyzt);
  if (!std::is_permutation(order.begin(), order.end(), xyzt.begin(), xyzt.end()))
    table.wrong(key, "found \"{}\", expected the letters of \"xyzt\" in any order", shortened(order));
  Coordinate directions{};
  for (std::size_t i = 0; i < 4; ++i) directions[i] = static_cast<int>(xyzt.find(order[i]));
  return directions;
}

// job.hpp checks whether they fit the lattice and the job.
void read_ranks(const Table& table, MachineInput& machine) {
  if (table.has("ranks") && !table.is_text("ranks")) {
    const auto given = table.integers("ranks", 4, {.min = 1, .max = 65536});
    machine.ranks.emplace();
    std::copy_n(given.begin(), 4, machine.ranks->begin());
    machine.ranks_from = table.where("ranks");
  } else {
    table.choice("ranks", {"auto"}, "auto", "an array of 4 integers");
  }
  machine.rank_order = read_directions(table, "rank_order");
  machine.site_order = read_directions(table, "site_order");
}

MachineInput read_machine(const Table& table, const std::optional<Coordinate>& size) {
  MachineInput machine;
  machine.threads = table.integer("threads", {.min = 0, .max = 4096}, 0);
  machine.lanes = table.integer("lanes", {.min = 0, .max = 64}, 0);
  read_ranks(table, machine);
  const auto& compiled = compiled_lane_counts();
  if (machine.lanes == 0) return machine;
  if (std::find(compiled.begin(), compiled.end(), machine.lanes) == compiled.end()) {
    table.wrong("lanes", "found {}, expected 0 or what this program was compiled for: {}", machine.lanes,
                joined(compiled, ", "));
  }
  if (size && !Lattice::divides(*size, static_cast<int>(machine.lanes))) {
    table.wrong("lanes", "a lattice of {} does not divide into {} blocks of even size", to_string(*size),
                machine.lanes);
  }
  return machine;
}

struct Accuracy {
  RationalInput rational;
  SolverInput solver;
};

// What changes dH by a few hundredths at most: where <dH^2> is 0.1 or more, acceptance does not see it. The energy of
// pseudofermions is 1.5 V per term, so that a relative error of the approximations below 1e-3 / V is invisible. The
// residual r of the Metropolis solve enters dH by V r^2: 5e-5 with 1e-5 on 16^4 at physical masses; that of the
// heatbath was found to enter by 1.3e-4 with 1e-6 there. In forces r enters as it is, and grows as the root of V: with
// 1e-4 dH changes by 0.02 to 0.03 on 16^4, with 3e-4 by up to 0.4, and with links in 16 bits by 0.01 to 0.04.
// (docs/performance.md)
Accuracy accuracy_for(const Coordinate& size) {
  double volume = 1;
  for (const int extent : size) volume *= extent;
  const double factor = std::min(1.0, std::sqrt(65536 / volume)), error = std::clamp(1e-3 / volume, 1e-12, 1e-8);
  Accuracy accuracy;
  accuracy.rational.heatbath_error = accuracy.rational.metropolis_error = error;
  accuracy.rational.molecular_dynamics_error = 1e-5 * factor;
  accuracy.solver.heatbath_residual = 1e-6 * factor;
  accuracy.solver.molecular_dynamics_residual = 1e-4 * factor;
  accuracy.solver.metropolis_residual = 1e-5 * factor;
  accuracy.solver.heatbath_precision = accuracy.solver.metropolis_precision = "mixed";
  accuracy.solver.molecular_dynamics_precision = "16-bit";
  return accuracy;
}

RunInput run_input_of(const Table& root, const std::string& name) {
  if (!root.has("lattice") && root.has("configurations"))
    root.wrong("configurations", "this is an input of `trellis measure`, not of `trellis run`");
  RunInput input;
  const auto lattice = root.table("lattice"), action = root.table("action");
  input.size = read_size(lattice);
  input.action = read_action(action);
  input.boundary = read_boundary(lattice, action, input.action, input.size);
  action.finish_section();
  input.quarks = read_quarks(root, true);
  const bool has_quarks = !input.quarks.flavours.empty();
  input.start = read_start(root.table_or_empty("start"));
  std::vector<std::string> more_terms;
  if (root.has("topological_potential")) {
    input.topological_potential = read_topological_potential(root.table("topological_potential"));
    more_terms.emplace_back(hmc::topological_term_name);
  }
  input.algorithm =
      read_algorithm(root.table_or_empty("algorithm"), input.action, input.quarks, more_terms, input.size);
  if (has_quarks) {
    const auto accuracy = input.algorithm.automatic ? accuracy_for(input.size) : Accuracy{};
    input.rational = read_rational(root.table_or_empty("rational"), accuracy.rational, input.quarks.smearing);
    input.solver = read_solver(root.table_or_empty("solver"), accuracy.solver, input.algorithm);
  } else {
    for (const auto* key : {"rational", "solver"}) root.refuse(key, "without [[flavours]]");
  }
  if (root.has("tempering")) input.tempering = read_tempering(root, input);
  if (root.has("ensemble")) {
    const auto ensemble = root.table("ensemble");
    input.chains = ensemble.integer("chains", {.min = 2, .max = 100000});
    ensemble.finish_section();
    if (input.algorithm.automatic)
      root.wrong(
          "ensemble",
          "not possible with algorithm.kind = \"auto\", which chooses for one chain; `trellis tune INPUT` without "
          "[ensemble] writes an input with what it chooses");
  }
  const auto chain = root.table("chain");
  // The default of stop_file depends on the output's directory.
  input.output = read_output(root.table_or_empty("output"), name);
  input.chain = read_chain(chain, input.output);
  if (input.start.trajectory >= input.chain.trajectories)
    chain.wrong("trajectories", "found {}, expected more than start.trajectory = {}", input.chain.trajectories,
                input.start.trajectory);
  input.measure = read_measure(root.table_or_empty("measure"), input.quarks, true);
  require_known_boundary(root, input);
  require_on_lattice(root.table_or_empty("measure"), input.measure, {}, input.size, input.boundary);
  if (input.boundary.is_periodic() && input.measure.hadrons && input.measure.hadrons->c_f != 1)
    root.table("measure").table("hadrons").wrong("c_F", "found {}; only with lattice.boundary is it different from 1",
                                                 input.measure.hadrons->c_f);
  set_boundary(input.boundary, input.quarks, input.measure);
  if (chain.has("stop_when"))
    input.chain.stop_when = read_stop_when(chain.table("stop_when"), input.measure, input.quarks);
  const auto machine = root.table_or_empty("machine");
  input.machine = read_machine(machine, input.size);
  if (input.tempering) {
    input.machine.replica_groups = machine.integer("replica_groups", {.min = 0, .max = 1000}, 0);
    input.machine.replica_groups_from = machine.where("replica_groups");
  } else {
    machine.refuse("replica_groups", "without [tempering]");
  }
  root.finish();
  input.resolved = root.resolved();
  return input;
}

MeasureInput measure_input_of(const Table& root, const std::string& name) {
  if (!root.has("configurations") && root.has("lattice"))
    root.wrong("lattice", "this is an input of `trellis run`, not of `trellis measure`");
  MeasureInput input;
  const auto configurations = root.table("configurations");
  input.files = configurations.texts("files");
  if (input.files.empty()) configurations.wrong("files", "is empty; expected names or patterns of files");
  if (configurations.has("size")) input.size = read_size(configurations);
  if (configurations.has("accept_damage")) input.accept_damage = configurations.flag("accept_damage");
  read_boundary_of_files(configurations, input);
  if (root.has("gauge_fixing")) input.gauge_fixing = read_gauge_fixing(root.table("gauge_fixing"));
  const auto measure = input.gauge_fixing ? root.table_or_empty("measure") : root.table("measure");
  input.quarks = read_quarks(root, false);
  input.measure = read_measure(measure, input.quarks, false, input.gauge_fixing.has_value());
  input.measure_table = std::make_shared<const Table>(measure);
  const auto& measured = input.measure;
  if (input.boundary) {
    if (input.boundary->kind != gauge::BoundaryKind::schroedinger_functional) refuse_eta_derivative(root, measured);
    if (!input.boundary->is_periodic() && !input.quarks.flavours.empty())
      require_known_boundary(configurations, "boundary", *input.boundary, input.quarks);
    set_boundary(*input.boundary, input.quarks, input.measure);
  }
  if (!input.quarks.flavours.empty() && !measured.quarks && !measured.eigenvalues && !measured.staggered_hadrons) {
    root.wrong("flavours",
               "they are not used by any measurement; expected a table [measure.quarks], [measure.eigenvalues] or "
               "[measure.staggered_hadrons]");
  }
  input.output = read_output(root.table_or_empty("output"), name);
  input.machine = read_machine(root.table_or_empty("machine"), input.size);
  root.finish();
  input.resolved = root.resolved();
  return input;
}

}  // namespace

Coordinate read_size(const Table& table) {
  const auto given = table.integers("size", 4, {.min = 2, .max = 65536});
  Coordinate size{};
  double volume = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    if (given[i] % 2 != 0) table.wrong("size", "found the extent {}, expected even ones", given[i]);
    size[i] = static_cast<int>(given[i]);
    volume *= static_cast<double>(given[i]);
  }
  if (volume > 0x1p31 * comm::Communicator::world().size())
    table.wrong("size", "{:.3g} sites are more than the 2^31 that one process can hold; start at least {:g} ranks",
                volume, std::ceil(volume / 0x1p31));
  return size;
}

ActionInput read_action(const Table& table) {
  ActionInput action;
  action.c1 = read_c1(table, "name", action.name, {one_loop_action});
  action.beta = table.real("beta", {.min = 0, .max = 1e6});
  if (action.is_one_loop()) {
    action.u0 = table.real("u0", {.min = 0.5, .max = 1});
    action.hisq_flavours = table.integer("hisq_flavours", {.min = 0, .max = 16});
  } else {
    for (const auto* key : {"u0", "hisq_flavours"})
      table.refuse(key, fmt::format("without name = \"{}\"", one_loop_action));
  }
  return action;
}

void set_boundary(const gauge::Boundary& boundary, QuarkInput& quarks, MeasureSection& measure) {
  quarks.lattice_boundary = quarks.smearing.boundary = boundary;
  if (measure.hadrons) measure.hadrons->boundary = boundary;
}

double read_c1(const Table& table, const std::string& name_key, std::string& name,
               const std::vector<std::string>& more) {
  if (table.has("c1")) {
    table.refuse(name_key, "together with c1");
    name.clear();
    return table.real("c1", {.min = -10, .max = 0.124});
  }
  auto names = names_of(gauge::named_actions());
  names.insert(names.end(), more.begin(), more.end());
  name = table.choice(name_key, names, "wilson");
  if (std::find(more.begin(), more.end(), name) != more.end()) return 0;
  return named("gauge action", gauge::named_actions(), name).c1;
}

std::vector<std::string> ActionInput::terms() const {
  if (is_one_loop()) return {"plaquette", "rectangle", "parallelogram"};
  return c1 == 0 ? std::vector<std::string>{"plaquette"} : std::vector<std::string>{"plaquette", "rectangle"};
}

gauge::LoopWeights ActionInput::weights() const {
  if (is_one_loop()) return gauge::one_loop_symanzik(beta, u0, static_cast<int>(hisq_flavours));
  return gauge::Action{beta, c1};
}

std::vector<std::string> RunInput::terms() const {
  auto all = action.terms();
  if (topological_potential) all.emplace_back(hmc::topological_term_name);
  for (auto& term : quarks.terms()) all.push_back(std::move(term));
  return all;
}

RunInput read_run_input(const std::filesystem::path& file) { return run_input_of(Table::open(file), file.string()); }

RunInput parse_run_input(const std::string& text, const std::string& name) {
  return run_input_of(Table::parse(text, name), name);
}

MeasureInput read_measure_input(const std::filesystem::path& file) {
  return measure_input_of(Table::open(file), file.string());
}

MeasureInput parse_measure_input(const std::string& text, const std::string& name) {
  return measure_input_of(Table::parse(text, name), name);
}

bool is_measure_input(const std::string& text, const std::string& name) {
  const auto root = Table::parse(text, name);
  return root.has("configurations") && !root.has("lattice");
}

}  // namespace trellis::app

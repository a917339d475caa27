// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input.hpp"

#include <algorithm>
#include <map>

#include "trellis/app/toml_reader.hpp"
#include "trellis/core/with_lanes.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/hmc/scheme.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::app {
namespace {

constexpr IntegerRange kEvery{.min = 0, .max = 1000000000}, kPositive{.min = 1, .max = 1000000000};
const std::vector<std::string> kActions{"wilson", "symanzik", "iwasaki", "dbw2"};
const std::vector<std::string> kIntegrators{"leapfrog", "2mn", "4mn5fv", "force_gradient"};
const std::vector<std::string> kObservables{"polyakov", "topological_charge", "energy"};

std::array<int, 4> read_size(const Table& table) {
  const auto given = table.integers("size", 4, {.min = 2, .max = 65536});
  std::array<int, 4> size{};
  double volume = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    if (given[i] % 2 != 0) table.wrong("size", "found the extent {}, expected even ones", given[i]);
    size[i] = static_cast<int>(given[i]);
    volume *= static_cast<double>(given[i]);
  }
  if (volume > 0x1p31) table.wrong("size", "{:.3g} sites are more than the 2^31 that one process can hold", volume);
  return size;
}

// name or c1, not both; without either the Wilson action.
double read_c1(const Table& table, const std::string& name_key, std::string& name) {
  if (table.has("c1")) {
    table.refuse(name_key, "together with c1");
    name.clear();
    return table.real("c1", {.min = -10, .max = 0.124});
  }
  name = table.choice(name_key, kActions, "wilson");
  return gauge::rectangle_coefficient(name);
}

ActionInput read_action(const Table& table) {
  ActionInput action;
  action.c1 = read_c1(table, "name", action.name);
  action.beta = table.real("beta", {.min = 0, .max = 1e6});
  table.finish_section();
  return action;
}

StartInput read_start(const Table& table) {
  StartInput start;
  const auto kind = table.choice("kind", {"cold", "hot", "file"}, "cold");
  start.kind = kind == "cold" ? StartKind::cold : kind == "hot" ? StartKind::hot : StartKind::file;
  if (start.kind == StartKind::file) {
    start.file = table.text("file");
    if (start.file.empty()) table.wrong("file", "is empty; expected the name of a configuration file");
  } else {
    table.refuse("file", fmt::format("with kind = \"{}\"", kind));
  }
  return start;
}

LevelInput read_level(const Table& table) {
  LevelInput level;
  level.integrator = table.choice("integrator", kIntegrators, "2mn");
  level.steps = table.integer("steps", {.min = 1, .max = 100000}, 10);
  if (level.integrator == "2mn") {
    level.lambda = table.real("lambda", {.min = 0, .max = 0.5, .open = true}, hmc::minimum_norm_lambda);
  } else {
    table.refuse("lambda", fmt::format("with integrator = \"{}\"; it belongs to \"2mn\"", level.integrator));
  }
  return level;
}

void read_levels(const Table& table, const ActionInput& action, AlgorithmInput& algorithm) {
  const auto terms = action.terms();
  if (!table.has("levels")) {
    algorithm.levels = {read_level(table)};
    algorithm.levels[0].terms = terms;
    return;
  }
  for (const auto* key : {"integrator", "steps", "lambda"}) {
    table.refuse(key, "together with [[algorithm.levels]]; give it in each level");
  }
  std::map<std::string, std::size_t> level_of;
  for (const auto& one : table.tables("levels")) {
    auto level = read_level(one);
    level.terms = one.choices("terms", {"plaquette", "rectangle"});
    if (level.terms.empty()) one.wrong("terms", "is empty; a level without a term does nothing");
    for (const auto& term : level.terms) {
      if (std::find(terms.begin(), terms.end(), term) == terms.end()) {
        one.wrong("terms", "the action has no term \"{}\" (c1 = {})", term, action.c1);
      }
      if (const auto [at, is_new] = level_of.emplace(term, algorithm.levels.size()); !is_new) {
        one.wrong("terms", "\"{}\" stands already in levels[{}]", term, at->second);
      }
    }
    algorithm.levels.push_back(std::move(level));
  }
  for (const auto& term : terms) {
    if (!level_of.contains(term)) table.wrong("levels", "no level has the term \"{}\" of the action", term);
  }
}

AlgorithmInput read_algorithm(const Table& table, const ActionInput& action, const std::array<int, 4>& size) {
  AlgorithmInput algorithm;
  const auto kind = table.choice("kind", {"hmc", "heatbath"}, "hmc");
  const auto other = fmt::format("with kind = \"{}\"", kind);
  if (kind == "hmc") {
    algorithm.trajectory_length = table.real("trajectory_length", {.min = 0, .max = 1000, .open = true}, 1.0);
    algorithm.reversibility_every = table.integer("reversibility_every", kEvery, 0);
    read_levels(table, action, algorithm);
    table.refuse("overrelaxation_steps", other);
  } else {
    algorithm.kind = AlgorithmKind::heatbath;
    algorithm.overrelaxation_steps = table.integer("overrelaxation_steps", {.min = 0, .max = 1000}, 4);
    for (const auto* key : {"trajectory_length", "reversibility_every", "integrator", "steps", "lambda", "levels"}) {
      table.refuse(key, other);
    }
    if (action.c1 != 0 && *std::min_element(size.begin(), size.end()) < 4) {
      table.wrong("kind", "a heatbath with rectangles (c1 = {}) needs extents of at least 4; use \"hmc\"", action.c1);
    }
  }
  return algorithm;
}

ChainInput read_chain(const Table& table, const OutputInput& output) {
  ChainInput chain;
  chain.trajectories = table.integer("trajectories", kPositive);
  chain.thermalisation = table.integer("thermalisation", kEvery, 0);
  if (chain.thermalisation > chain.trajectories) {
    table.wrong("thermalisation", "found {}, expected at most trajectories = {}", chain.thermalisation,
                chain.trajectories);
  }
  chain.seed = table.integer("seed", {.min = 0}, 1);
  chain.checkpoint_every = table.integer("checkpoint_every", kPositive, 10);
  chain.save_every = table.integer("save_every", kEvery, 0);
  chain.save_precision = table.choice("save_precision", {"double", "single"}, "double");
  chain.time_budget_minutes = table.real("time_budget_minutes", {.min = 0, .max = 1e7}, 0.0);
  chain.stop_file = table.text("stop_file", (output.directory / "stop").string());
  if (chain.stop_file.empty()) table.wrong("stop_file", "is empty; expected the name of a file");
  return chain;
}

FlowInput read_flow(const Table& table, std::int64_t measure_every, bool on_the_fly) {
  FlowInput flow;
  if (on_the_fly) {
    flow.every = table.integer("every", kPositive, measure_every);
    if (flow.every % measure_every != 0) {
      table.wrong("every", "found {}, expected a multiple of measure.every = {}", flow.every, measure_every);
    }
  } else {
    table.refuse("every", "here: every file is measured");
  }
  flow.c1 = read_c1(table, "action", flow.action);
  flow.time_max = table.real("time_max", {.min = 0, .max = 1e4, .open = true}, 4.0);
  flow.time_interval = table.real("time_interval", {.min = 0, .max = 1e4, .open = true}, 0.1);
  flow.step = table.real("step", {.min = 0, .max = 1, .open = true}, 0.01);
  flow.tolerance = table.real("tolerance", {.min = 0, .max = 1}, 0.0);
  if (flow.time_interval > flow.time_max) {
    table.wrong("time_interval", "found {}, expected at most time_max = {}", flow.time_interval, flow.time_max);
  }
  if (flow.step > flow.time_max) {
    table.wrong("step", "found {}, expected at most time_max = {}", flow.step, flow.time_max);
  }
  return flow;
}

MeasureSection read_measure(const Table& table, bool on_the_fly) {
  MeasureSection measure;
  if (on_the_fly) {
    measure.every = table.integer("every", kPositive, 1);
  } else {
    table.refuse("every", "here: every file is measured");
  }
  measure.observables = table.choices("observables", kObservables, std::vector<std::string>{});
  if (table.has("flow")) measure.flow = read_flow(table.table("flow"), measure.every, on_the_fly);
  return measure;
}

OutputInput read_output(const Table& table, const std::string& input_name) {
  const auto stem = std::filesystem::path(input_name).stem().string();
  OutputInput output;
  output.directory = table.text("directory", stem + "-results");
  if (output.directory.empty()) table.wrong("directory", "is empty; expected the name of a folder");
  output.name = table.text("name", stem);
  if (output.name.empty() || output.name.find('/') != std::string::npos || output.name[0] == '.') {
    table.wrong("name", "found \"{}\", expected the beginning of file names, without '/'", output.name);
  }
  return output;
}

MachineInput read_machine(const Table& table, const std::optional<std::array<int, 4>>& size) {
  MachineInput machine;
  machine.threads = table.integer("threads", {.min = 0, .max = 4096}, 0);
  machine.lanes = table.integer("lanes", {.min = 0, .max = 64}, 0);
  const auto& compiled = compiled_lane_counts();
  if (machine.lanes == 0) return machine;
  if (std::find(compiled.begin(), compiled.end(), machine.lanes) == compiled.end()) {
    table.wrong("lanes", "found {}, expected 0 or what this program was compiled for: {}", machine.lanes,
                fmt::join(compiled, ", "));
  }
  if (size && !Lattice::divides(*size, static_cast<int>(machine.lanes))) {
    table.wrong("lanes", "a lattice of {} does not divide into {} blocks of even size", fmt::join(*size, "x"),
                machine.lanes);
  }
  return machine;
}

RunInput run_input_of(const Table& root, const std::string& name) {
  RunInput input;
  input.size = read_size(root.table("lattice"));
  input.action = read_action(root.table("action"));
  input.start = read_start(root.table_or_empty("start"));
  input.algorithm = read_algorithm(root.table_or_empty("algorithm"), input.action, input.size);
  const auto chain = root.table("chain");
  // The default of stop_file is in the output's directory.
  input.output = read_output(root.table_or_empty("output"), name);
  input.chain = read_chain(chain, input.output);
  input.measure = read_measure(root.table_or_empty("measure"), true);
  input.machine = read_machine(root.table_or_empty("machine"), input.size);
  root.finish();
  input.resolved = root.resolved();
  return input;
}

MeasureInput measure_input_of(const Table& root, const std::string& name) {
  MeasureInput input;
  const auto configurations = root.table("configurations");
  input.files = configurations.texts("files");
  if (input.files.empty()) configurations.wrong("files", "is empty; expected names or patterns of files");
  if (configurations.has("size")) input.size = read_size(configurations);
  const auto measure = root.table("measure");
  input.measure = read_measure(measure, false);
  if (input.measure.observables.empty() && !input.measure.flow) {
    measure.wrong("observables", "nothing to measure; expected some of {}, or a table [measure.flow]",
                  fmt::join(kObservables, ", "));
  }
  input.output = read_output(root.table_or_empty("output"), name);
  input.machine = read_machine(root.table_or_empty("machine"), input.size);
  root.finish();
  input.resolved = root.resolved();
  return input;
}

}  // namespace

std::vector<std::string> ActionInput::terms() const {
  return c1 == 0 ? std::vector<std::string>{"plaquette"} : std::vector<std::string>{"plaquette", "rectangle"};
}

std::vector<std::string> RunInput::terms() const {
  auto all = action.terms();
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

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The inputs of `trellis run` and `trellis measure` as plain data: what each key means, its default, and its range.
// docs/manual.md says the same in prose; `resolved` is the input with its defaults explicit, as TOML, except of keys
// that came later and do nothing by default, and of chain.stop_file.
//
// Paths are relative to the folder in which the program is started. A trajectory is one hybrid Monte Carlo trajectory,
// or one heatbath sweep with its overrelaxation sweeps. "every" counts trajectories; 0 means never.
// Everything here throws InputError before any work is done.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/app/input/input_gauge_fixing.hpp"
#include "trellis/app/input/input_hadrons.hpp"
#include "trellis/app/input/input_loops.hpp"
#include "trellis/app/input/input_quarks.hpp"
#include "trellis/app/input/input_staggered_hadrons.hpp"
#include "trellis/app/input/input_tempering.hpp"
#include "trellis/app/input/input_topology.hpp"
#include "trellis/app/input/toml_value.hpp"
#include "trellis/comm/coordinate.hpp"
#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/loop_weights.hpp"
#include "trellis/hmc/scheme.hpp"

namespace trellis::app {

class Table;

inline constexpr const char* one_loop_action = "one_loop_symanzik";

struct ActionInput {  // [action]: name or c1, not both
  std::string name;   // from gauge/action_names.hpp, or one_loop_action; empty: c1 was given
  double c1 = 0;      // the coefficient of the rectangle, from -10 to 0.124 (c0 = 1 - 8 c1 stays positive)
  double beta = 0;    // required, from 0
  // one_loop_action, which has no c1 (gauge/loop_weights.hpp): both required
  double u0 = 1;                   // from 0.5 to 1
  std::int64_t hisq_flavours = 0;  // whose loops the coefficients include, from 0 to 16
  bool is_one_loop() const { return name == one_loop_action; }
  std::vector<std::string> terms() const;  // "plaquette"; "rectangle" unless c1 = 0; with one loop "parallelogram"
  gauge::LoopWeights weights() const;
};

enum class StartKind { cold, hot, file };

struct StartInput {                  // [start]
  StartKind kind = StartKind::cold;  // "cold": unit links; "hot": random links; "file"
  std::filesystem::path file;        // in any format that `trellis inspect` knows; required for "file"
  std::int64_t trajectory = 0;       // "file" only: how many trajectories made it; the chain continues with the next
  bool accept_damage = false;        // "file" only: use it even if its plaquette differs from its header
};

struct LevelInput {                // [[algorithm.levels]], outermost first
  std::string integrator = "2mn";  // from hmc/scheme.hpp
  std::int64_t steps = 10;         // per trajectory, or per drift of the level above
  double lambda = 0;               // for integrators that have this parameter
  std::vector<std::string> terms;  // each term of the action is in exactly one level
  hmc::Scheme scheme() const;
};

enum class AlgorithmKind { hmc, heatbath };

struct AlgorithmInput {  // [algorithm]
  AlgorithmKind kind = AlgorithmKind::hmc;
  // "hmc". integrator, steps, lambda given here make one level of all terms; with quarks, one of theirs with an inner
  // one for the gauge terms (same integrator, gauge_steps). [[algorithm.levels]] instead gives any number of levels.
  double trajectory_length = 1;
  std::vector<LevelInput> levels;
  std::int64_t reversibility_every = 0;  // integrate back and report the difference
  double certify = 0;                // fraction of the operations that are computed twice, 0 to 1; 0: no certificate
  std::string precision = "double";  // or "single": of links, momenta and forces in molecular dynamics
  // "auto": "hmc" whose levels, splitting masses, residuals and rational approximations are chosen before the chain
  // begins (app/tune). Those here only begin the choice.
  bool automatic = false;
  std::int64_t tuning_trajectories = 40;  // from 12: that the choice may take
  double tuning_minutes = 0;              // the same; 0: no limit
  // The choice may take any from trajectory_length, with which it begins, to this.
  double longest_trajectory_length = 0;  // below trajectory_length: the same
  // "heatbath"
  std::int64_t overrelaxation_steps = 4;
};

// Quarks on one level, gauge terms inside it, with steps short enough for a hot start of most actions: where the choice
// of an algorithm begins.
std::vector<LevelInput> levels_to_begin_with(const ActionInput& action, const QuarkInput& quarks, double length);

struct StopWhenInput {                         // [chain.stop_when], if present
  std::string observable;                      // a column of the table
  double error_below = 0;                      // of its average after thermalisation
  std::int64_t independent_measurements = 50;  // N / (2 tau_int) must be at least this
};

struct ChainInput {                    // [chain]
  std::int64_t trajectories = 0;       // required; total, including thermalisation
  std::int64_t thermalisation = 0;     // the first ones, always accepted and left out of averages
  std::int64_t seed = 1;               // from 0
  std::int64_t checkpoint_every = 10;  // from 1
  std::int64_t save_every = 0;         // configurations as ILDG
  std::string save_precision = "double";
  double time_budget_minutes = 0;   // stop with a checkpoint before this much time has passed; 0: no limit
  std::filesystem::path stop_file;  // "<directory>/stop": when it appears, stop with a checkpoint
  std::optional<StopWhenInput> stop_when;
};

struct FlowInput {         // [measure.flow], if present
  std::int64_t every = 0;  // run only; default: as [measure]; a multiple of it
  std::string action = "wilson";
  double c1 = 0;
  double time_max = 4;         // t / a^2
  double time_interval = 0.1;  // between the points that are recorded
  double step = 0.01;          // the first step, when adaptive
  double tolerance = 0;        // above 0: adaptive, the largest error per step
  gauge::FlowIntegrator integrator = gauge::FlowIntegrator::third_order;  // "third_order" or "euler"
  bool slices = false;                                                    // a table of each time slice
};

// [measure.cooling], [measure.stout] and so on, if present (measure/smoothing.hpp): plaquette and topological charge of
// smoothed links.
struct SmoothingInput {
  std::int64_t every = 0;                      // run only; default: as [measure]; a multiple of it
  double weight = 0;                           // for smoothings that have it
  std::map<std::string, double> options = {};  // those that are given
  std::int64_t steps = 50;
  std::int64_t interval = 10;  // between the steps that are recorded; steps is a multiple of it
};

struct MeasureSection {                  // [measure]
  std::int64_t every = 1;                // run only
  std::vector<std::string> observables;  // from measure/observable.hpp
  std::optional<FlowInput> flow;
  std::optional<QuarkMeasureInput> quarks;
  std::optional<EigenvalueInput> eigenvalues;  // files only
  std::map<std::string, SmoothingInput> smoothings;
  std::optional<WilsonLoopInput> wilson_loops;
  std::optional<GlueballInput> glueballs;
  std::optional<HadronInput> hadrons;
  std::optional<StaggeredHadronInput> staggered_hadrons;  // of [[flavours]]
};

struct OutputInput {                // [output]
  std::filesystem::path directory;  // "<stem of the input file>-results"
  std::string name;                 // "<stem of the input file>"; the prefix of all file names
};

struct MachineInput {        // [machine]: has no effect on any bit of the results
  std::int64_t threads = 0;  // 0: all available
  std::int64_t lanes = 0;    // SIMD lanes; 0: the widest that the machine and the lattice allow
  // Process grid of a job of several ranks; "auto" and no value: the one that exchanges least.
  std::optional<Coordinate> ranks;
  Coordinate rank_order{0, 1, 2, 3};  // "xyzt": rank numbers run fastest in x
  Coordinate site_order{0, 1, 2, 3};  // the same for sites in memory
  std::int64_t replica_groups = 0;    // of ranks, with [tempering]; 0: as many as possible
  // For messages: which key of which file, or which option, `ranks` and `replica_groups` are from.
  std::string ranks_from = "machine.ranks", replica_groups_from = "machine.replica_groups";
};

struct RunInput {
  Coordinate size{};  // [lattice] size: x, y, z, t; even, at least 2
  // [lattice] boundary: "periodic", "open" or "schroedinger_functional", with time_extent, phi and phi_prime; c_G,
  // boundary_rectangles and c_G_rectangles of [action]. Known to quarks as well (set_boundary).
  gauge::Boundary boundary;
  ActionInput action;
  QuarkInput quarks;
  std::optional<TopologicalPotentialInput> topological_potential;
  StartInput start;
  AlgorithmInput algorithm;
  RationalInput rational;
  SolverInput solver;
  std::optional<TemperingInput> tempering;
  std::int64_t chains = 0;  // [ensemble] chains, from 2: as many chains in one job; 0: without that table, one
  ChainInput chain;
  MeasureSection measure;
  OutputInput output;
  MachineInput machine;
  TomlEntries resolved;
  std::vector<std::string> terms() const;  // of the action: gauge terms, topological potential, quarks
};

struct MeasureInput {
  std::vector<std::string> files;  // [configurations] files: paths or patterns with * ? [ ]
  std::optional<Coordinate> size;  // [configurations] size: for files that do not state it
  bool accept_damage = false;      // [configurations] accept_damage: as in [start]
  // [configurations] boundary: "periodic", "open" or "schroedinger_functional", with time_extent; without it each file
  // is what its links and the run that saved it say.
  std::optional<gauge::Boundary> boundary;
  // c_G, c1, boundary_rectangles, c_G_rectangles of [configurations], instead of those of the run that saved a file.
  struct BoundaryWeights {
    std::optional<double> c_g, c1, c_g_rectangles;
    std::optional<gauge::BoundaryRectangles> rectangles;
  } boundary_weights = {};
  // [configurations] phi_prime: the third is minus the sum of the others. For openQCD's files of a Schroedinger
  // functional, which do not have its last slice.
  std::optional<std::array<double, 3>> phi_prime = {};
  QuarkInput quarks;                             // without pseudofermions and split_masses, unless given
  std::optional<GaugeFixingInput> gauge_fixing;  // if present, itself something to measure
  MeasureSection measure;
  std::shared_ptr<const Table> measure_table;  // [measure], for messages about what does not fit a file's lattice
  OutputInput output;
  MachineInput machine;
  TomlEntries resolved;
};

RunInput read_run_input(const std::filesystem::path& file);
MeasureInput read_measure_input(const std::filesystem::path& file);
// InputError, at the key of [measure], for what does not fit the lattice of this file.
void require_on_lattice(const MeasureInput& input, const std::filesystem::path& file, const Coordinate& size,
                        const gauge::Boundary& boundary);
// Tells quarks and hadrons of these inputs about a boundary in time.
void set_boundary(const gauge::Boundary& boundary, QuarkInput& quarks, MeasureSection& measure);
// From text; `name` is what messages call the file.
RunInput parse_run_input(const std::string& text, const std::string& name);
MeasureInput parse_measure_input(const std::string& text, const std::string& name);
// Whether the text is meant for `trellis measure`: it has [configurations] and no [lattice].
bool is_measure_input(const std::string& text, const std::string& name);

// The files that match the patterns: patterns in the order given, the files of each in natural order (lat.9 before
// lat.10), each file once. Throws InputError for a pattern or path that matches nothing.
std::vector<std::filesystem::path> expand_files(const std::vector<std::string>& patterns);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Readers of the inputs' sections; for the files of this folder only. Each function throws InputError for what is wrong
// in its section or does not fit what was read before.

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/toml_reader.hpp"

namespace trellis::app {

inline constexpr IntegerRange integers_from_0{.min = 0, .max = 1000000000},
    integers_from_1{.min = 1, .max = 1000000000};

Coordinate read_size(const Table& table);  // `size`: four even extents
ActionInput read_action(const Table& table);

// The rectangle coefficient from a name or from c1, not both; the Wilson action without either. With c1 the name is
// empty. more: other names that are allowed, for which it is 0.
double read_c1(const Table& table, const std::string& name_key, std::string& name,
               const std::vector<std::string>& more = {});

// [[flavours]] of the root, and [smearing], [background], [boundary], which are refused without flavours. Keys that
// only the action of a run needs (pseudofermions, split_masses) are optional if the flavours are not dynamical.
QuarkInput read_quarks(const Table& root, bool dynamical);
// [smearing], complete; of a run's action only what has a force.
gauge::SmearingParameters read_smearing(const Table& table, bool dynamical);
// [measure.hadrons.smearing], of Wilson quarks, which see links in SU(3) without long ones.
gauge::SmearingParameters read_wilson_smearing(const Table& table);
// defaults: of what the table does not give. smearing: of the links, which says how large eigenvalues may be.
RationalInput read_rational(const Table& table, const RationalInput& defaults,
                            const gauge::SmearingParameters& smearing);
// The solves of forces are in single precision where all of molecular dynamics is.
SolverInput read_solver(const Table& table, const SolverInput& defaults, const AlgorithmInput& algorithm);

TopologicalPotentialInput read_topological_potential(const Table& table);

// [tempering] of the root; input: what was read before.
TemperingInput read_tempering(const Table& root, const RunInput& input);

// more_terms: of the action, beyond gauge terms and quarks.
AlgorithmInput read_algorithm(const Table& table, const ActionInput& action, const QuarkInput& quarks,
                              const std::vector<std::string>& more_terms, const Coordinate& size);

WilsonLoopInput read_wilson_loops(const Table& table);
GlueballInput read_glueballs(const Table& table);
HadronInput read_hadrons(const Table& table);
StaggeredHadronInput read_staggered_hadrons(const Table& table, const std::vector<FlavourInput>& flavours);

// flavours: names; all if the key is missing or empty.
std::vector<std::string> read_flavour_names(const Table& table, const std::vector<FlavourInput>& flavours);
// momenta, or all up to max_momentum_squared.
std::vector<std::vector<std::int64_t>> read_momenta(const Table& table,
                                                    const std::vector<std::vector<std::int64_t>>& fallback);
// source_positions, all different.
std::vector<std::vector<std::int64_t>> read_source_positions(const Table& table,
                                                             const std::vector<std::vector<std::int64_t>>& fallback);
GaugeFixingInput read_gauge_fixing(const Table& table);

// on_the_fly: during a run; otherwise from files, where the section must name something unless it may be empty.
MeasureSection read_measure(const Table& table, const QuarkInput& quarks, bool on_the_fly, bool may_be_empty = false);

// InputError at the key of [measure], `table`, for what does not fit a lattice: that of the input, or of a
// configuration file.
void require_on_lattice(const Table& table, const MeasureSection& measure, const std::string& file,
                        const Coordinate& size, const gauge::Boundary& boundary);

// The observable must be measured by this run.
StopWhenInput read_stop_when(const Table& table, const MeasureSection& measure, const QuarkInput& quarks);

}  // namespace trellis::app

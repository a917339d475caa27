// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/trajectory_memory.hpp"

#include "trellis/bench/trajectory_bytes.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace trellis::bench {

namespace {

constexpr double vector_field = 6 * 8 / 2.0;  // of a parity

bool has_gradient_kicks(const TrajectoryDescription& trajectory) {
  for (const auto& level : trajectory.hmc.levels)
    for (const auto& step : level.scheme.steps)
      if (step.kind == hmc::Step::Kind::gradient_kick) return true;
  return false;
}

// Rectangles have work space for a force of their own, and once more where plaquettes are on the same level, whose
// forces go together.
double rectangle_works(const TrajectoryDescription& trajectory) {
  for (const auto& level : trajectory.hmc.levels) {
    const auto on_level = [&](const char* name) {
      return std::find(level.terms.begin(), level.terms.end(), name) != level.terms.end();
    };
    if (on_level("rectangle")) return on_level("plaquette") ? 2 : 1;
  }
  return 0;
}

void add_quarks(const TrajectoryDescription& trajectory, const std::vector<SolveWork>& solves,
                std::vector<FieldMemory>& fields) {
  const bool single = trajectory.quarks.molecular_dynamics_precision != hmc::Precision::double_;
  const int levels = trajectory.quarks.smearing.levels;
  if (levels > 0) {
    fields.push_back({"stout links", levels * link_field, Ghosts::all});
    fields.push_back({"stout exponents", levels * momentum_field, Ghosts::all});
    fields.push_back({"force of stout links", momentum_field, Ghosts::all});
    fields.push_back({"directions of stout links", momentum_field, Ghosts::all});
    fields.push_back({"shares of plaquettes", share_field, Ghosts::all});
  }
  fields.push_back({"packed links", packed_field * (single ? 1.5 : 1), Ghosts::all});
  if (single) fields.push_back({"links in single precision", link_field / 2, Ghosts::all});
  fields.push_back({"derivative by smeared links", link_field, Ghosts::all});

  // One field for each number of poles; those of forces on odd sites too.
  std::set<int> even, odd;
  std::map<std::string, int> most;
  double work = 0;
  for (const SolveWork& solve : solves) {
    even.insert(solve.shifts());
    if (solve.purpose == "molecular dynamics") odd.insert(solve.shifts());
    most[solve.term] = std::max(most[solve.term], solve.shifts());
    work = std::max(work, deferred_directions + 2.0 + solve.shifts());  // r, p, A p, directions
  }
  double poles = 0, between = 0, pseudofermions = 0;
  for (const int count : even) poles += count;
  for (const int count : odd) poles += count;
  for (const auto& [term, count] : most) between += 1 + count;
  for (const auto& term : trajectory.quark_terms) pseudofermions += 2 * term.pseudofermions + 1;
  fields.push_back({"poles", poles * vector_field, Ghosts::near});
  fields.push_back({"between two hops", between * vector_field, Ghosts::near});
  fields.push_back({"vectors of the solver", work * vector_field, Ghosts::near});
  fields.push_back({"pseudofermions", pseudofermions * vector_field, Ghosts::near});
}

}  // namespace

double FieldMemory::on_rank(double sites, const GhostCount& count) const {
  return bytes * (sites + (ghosts == Ghosts::all ? count.all() : ghosts == Ghosts::near ? count.near : 0));
}

std::vector<FieldMemory> trajectory_memory(const TrajectoryDescription& trajectory,
                                           const std::vector<SolveWork>& solves) {
  std::vector<FieldMemory> fields{{"links", link_field, Ghosts::all}};
  if (trajectory.is_heatbath()) {
    // Needed where the lanes of a tile differ in colour (gauge/heatbath.hpp), which may be.
    if (trajectory.loops.rectangle != 0) fields.push_back({"changed links", link_field / 4, Ghosts::none});
    return fields;
  }
  fields.push_back({"links before", link_field, Ghosts::all});
  for (const char* label : {"momenta", "momenta before", "force"})
    fields.push_back({label, momentum_field, Ghosts::all});
  if (has_gradient_kicks(trajectory)) fields.push_back({"displaced links", link_field, Ghosts::all});
  if (const double works = rectangle_works(trajectory); works > 0) {
    fields.push_back({"plaquettes", works * 2 * link_field, Ghosts::all});
    fields.push_back({"shares of plaquettes", works * share_field, Ghosts::all});
  }
  if (!trajectory.quark_terms.empty()) add_quarks(trajectory, solves, fields);
  return fields;
}

}  // namespace trellis::bench

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [topological_potential] as plain data: a term of the action that depends on the topological charge of stout links
// (hmc/topology/topological_term.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/hmc/topology/topological_term.hpp"

namespace trellis::app {

struct TopologicalPotentialInput {  // [topological_potential], if present
  std::string form;                 // of hmc::charge_potential_forms; required
  double strength = 0;              // required, unless there is a table
  double period = 1;                // with "periodic"
  double spacing = 1;               // with "table": required
  std::vector<double> values;       // with "table": required, at least two
  double stout_rho = 0.1;
  std::int64_t stout_levels = 5;

  // Of links with this boundary in time.
  hmc::TopologicalPotential potential(const gauge::Boundary& boundary = {}) const;
};

}  // namespace trellis::app

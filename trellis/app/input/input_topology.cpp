// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_topology.hpp"

#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"

namespace trellis::app {

hmc::TopologicalPotential TopologicalPotentialInput::potential(const gauge::Boundary& boundary) const {
  return {.potential = {.form = named("form", hmc::charge_potential_forms, form).value,
                        .strength = strength,
                        .period = period,
                        .spacing = spacing,
                        .values = values},
          .stout = {.rho = stout_rho, .levels = static_cast<int>(stout_levels), .boundary = boundary}};
}

TopologicalPotentialInput read_topological_potential(const Table& table) {
  constexpr RealRange energy{.min = -1e6, .max = 1e6}, charge{.min = 0, .max = 1000, .open = true};
  TopologicalPotentialInput potential;
  potential.form = table.choice("form", names_of(hmc::charge_potential_forms));
  const auto other = fmt::format("with form = \"{}\"", potential.form);
  if (potential.form == "table") {
    table.refuse("strength", other);
    potential.spacing = table.real("spacing", charge);
    potential.values = table.reals("values", energy);
    constexpr std::size_t least = 2, most = 10000;
    if (potential.values.size() < least || potential.values.size() > most)
      table.wrong("values", "found {}, expected {} to {}", plural(std::int64_t(potential.values.size()), "number"),
                  least, most);
  } else {
    potential.strength = table.real("strength", energy);
    for (const auto* key : {"spacing", "values"}) table.refuse(key, other);
  }
  if (potential.form == "periodic")
    potential.period = table.real("period", charge, potential.period);
  else
    table.refuse("period", other);
  potential.stout_rho = table.real("stout_rho", {.min = 0, .max = 0.5}, potential.stout_rho);
  potential.stout_levels = table.integer("stout_levels", {.min = 0, .max = 50}, potential.stout_levels);
  table.finish_section();
  return potential;
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_tempering.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "trellis/app/input/input_sections.hpp"

namespace trellis::app {
namespace {

constexpr std::int64_t most_replicas = 1000;

std::vector<double> read_couplings(const Table& table) {
  if (!table.has("couplings")) {
    const auto count = table.integer("replicas", {.min = 2, .max = most_replicas});
    std::vector<double> couplings;
    for (std::int64_t r = 0; r < count; ++r) couplings.push_back(double(count - 1 - r) / double(count - 1));
    return couplings;
  }
  table.refuse("replicas", "together with couplings, which say how many there are");
  const auto couplings = table.reals("couplings", {.min = 0, .max = 1});
  if (couplings.size() < 2 || std::int64_t(couplings.size()) > most_replicas)
    table.wrong("couplings", "found {} of them, expected from 2 to {}: one for each replica", couplings.size(),
                most_replicas);
  if (couplings[0] != 1)
    table.wrong("couplings", "the first is {}, expected 1: that replica is the periodic lattice", couplings[0]);
  for (std::size_t r = 1; r < couplings.size(); ++r)
    if (!(couplings[r] < couplings[r - 1]))
      table.wrong("couplings", "{} follows {}, expected each to be below the one before it", couplings[r],
                  couplings[r - 1]);
  return couplings;
}

void read_boxes(const Table& table, const RunInput& input, TemperingInput& tempering) {
  if (!table.has("box_margins")) {
    for (const auto* key : {"box_sweeps", "box_overrelaxation_steps"})
      table.refuse(key, "without box_margins, which say how large the boxes are");
    return;
  }
  const auto margins = table.integer_list("box_margins", {.min = 1, .max = 65536});
  if (margins.empty()) table.wrong("box_margins", "is empty; leave it out for no boxes");
  for (std::size_t k = 1; k < margins.size(); ++k)
    if (margins[k] >= margins[k - 1])
      table.wrong("box_margins", "{} follows {}, expected each to be below the one before it: boxes lie in one another",
                  margins[k], margins[k - 1]);
  const auto sweeps =
      table.integer_list("box_sweeps", {.min = 1, .max = 1000}, std::vector<std::int64_t>(margins.size(), 1));
  if (sweeps.size() != margins.size())
    table.wrong("box_sweeps", "found {}, expected as many as box_margins, {}", sweeps.size(), margins.size());
  double all = 1;
  for (std::size_t k = 0; k < margins.size(); ++k) {
    tempering.boxes.push_back({static_cast<int>(margins[k]), static_cast<int>(sweeps[k])});
    all *= double(sweeps[k]);
  }
  if (all > 1e6)
    table.wrong("box_sweeps", "the smallest box has {} sweeps a trajectory, expected at most 1000000", all);
  tempering.box_overrelaxation_steps = table.integer("box_overrelaxation_steps", {.min = 0, .max = 1000}, 4);
  if (!input.quarks.flavours.empty())
    table.wrong("box_margins", "not possible together with [[flavours]]: boxes are swept by a heatbath of the links");
  if (input.action.weights().parallelogram != 0)
    table.wrong("box_margins", "not possible with action.name = \"{}\": the heatbath knows no parallelograms",
                input.action.name);
}

}  // namespace

TemperingInput read_tempering(const Table& root, const RunInput& input) {
  const auto table = root.table("tempering");
  TemperingInput tempering;
  tempering.couplings = read_couplings(table);
  const std::vector<std::string> names{"x", "y", "z", "t"};
  const auto name = table.choice("direction", names, "x");
  tempering.direction = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  tempering.length = table.integer("length", {.min = 1, .max = 65536});
  for (int mu = 0; mu < 4; ++mu)
    if (mu != tempering.direction && tempering.length > input.size[mu])
      table.wrong("length", "found {}, expected at most the extent {} of the lattice in {}", tempering.length,
                  input.size[mu], names[std::size_t(mu)]);
  read_boxes(table, input, tempering);
  const auto& algorithm = input.algorithm;
  if (algorithm.certify > 0) root.wrong("tempering", "algorithm.certify is not possible together with [tempering]");
  if (algorithm.precision == "single")
    root.wrong("tempering", "algorithm.precision = \"single\" is not possible together with [tempering]");
  if (!input.boundary.is_periodic())
    root.wrong("tempering", "lattice.boundary must be \"periodic\" together with [tempering]");
  if (input.topological_potential)
    root.wrong("tempering", "[topological_potential] is not possible together with [tempering]");
  const auto& background = input.quarks.background;
  for (const auto& flavour : input.quarks.flavours)
    if (background.quanta(flavour.charge) != std::array<std::int64_t, 6>{})
      root.wrong("tempering", "a [background] field is not possible together with [tempering], which translates links");
  table.finish_section();
  return tempering;
}

}  // namespace trellis::app

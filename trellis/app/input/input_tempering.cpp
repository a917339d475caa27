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

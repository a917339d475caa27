// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_staggered_hadrons.hpp"

#include <algorithm>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/measure/staggered_hadrons.hpp"

namespace trellis::app {
namespace {

// What measure/ says of the momenta and these channels, with the place of the key.
void require_fitting_source(const Table& table, const char* key, const StaggeredHadronInput& h,
                            const std::vector<std::string>& channels) {
  std::vector<measure::Momentum> momenta;
  for (const auto& row : h.momenta) std::copy_n(row.begin(), 3, momenta.emplace_back().begin());
  try {
    measure::require_fitting_source(fmt::format("source = \"{}\"", h.source),
                                    named("source", measure::staggered_sources, h.source).value, momenta, channels);
  } catch (const InputError& error) {
    table.wrong(key, "{}", error.what());
  }
}

}  // namespace

StaggeredHadronInput read_staggered_hadrons(const Table& table, const std::vector<FlavourInput>& flavours) {
  StaggeredHadronInput h;
  h.flavours = read_flavour_names(table, flavours);
  h.source = table.choice("source", names_of(measure::staggered_sources), h.source);
  h.source_positions = read_source_positions(table, h.source_positions);
  h.sources_in_time = table.integer("sources_in_time", {.min = 1, .max = 65536}, h.sources_in_time);
  if (measure::is_noise(named("source", measure::staggered_sources, h.source).value))
    h.noise_vectors = table.integer("noise_vectors", {.min = 1, .max = 10000}, h.noise_vectors);
  else
    table.refuse("noise_vectors", "without noise; it belongs to source = \"z2_wall\", \"z4_wall\" or \"u1_wall\"");
  h.momenta = read_momenta(table, h.momenta);
  require_fitting_source(table, "momenta", h, {});
  h.channels = table.choices("channels", measure::staggered_hadron_names(), h.channels);
  if (h.channels.empty())
    table.wrong("channels", "is empty; expected some of {}", joined(measure::staggered_hadron_names(), ", "));
  require_fitting_source(table, "channels", h, h.channels);
  h.residual = table.real("residual", {.min = 1e-15, .max = 1e-1}, h.residual);
  h.max_iterations = table.integer("max_iterations", integers_from_1, h.max_iterations);
  return h;
}

}  // namespace trellis::app

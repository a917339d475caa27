// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "trellis/core/base/named.hpp"
#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::gauge {

// To add a smearing, write a function like this one and add its name to both of these lists.
Smearing stout_smearing(), ape_smearing(), hyp_smearing();
Smearing hisq_smearing(), asqtad_smearing(), naik_smearing(), fat7_smearing();

std::span<const Smearing> smearings() {
  static const std::array all{stout_smearing(),  ape_smearing(),  hyp_smearing(), hisq_smearing(),
                              asqtad_smearing(), naik_smearing(), fat7_smearing()};
  return all;
}

SmearingParameters complete(const SmearingParameters& parameters) {
  const Smearing& kind = named("smearing", smearings(), parameters.kind);
  SmearingParameters result{parameters.kind, {}, parameters.boundary};
  for (const auto& key : kind.keys) result.values[key.name] = key.value;
  for (const auto& [name, value] : parameters.values) {
    const auto& key = named("key of " + kind.name + " smearing:", kind.keys, name);
    if (!(value >= key.minimum && value <= key.maximum))
      fail_input("{} smearing: {} is {}; it must be from {} to {}", kind.name, name, value, key.minimum, key.maximum);
    result.values[name] = value;
  }
  return result;
}

void require_known_boundary(const SmearingParameters& parameters) {
  const Smearing& kind = named("smearing", smearings(), parameters.kind);
  const bool keeps_links = kind.name == "stout" || kind.name == "ape" || kind.name == "hyp";
  if (parameters.boundary.kind == BoundaryKind::schroedinger_functional && !keeps_links)
    fail_input(
        "{} smearing would change the fixed links of a Schroedinger functional; stout, APE and HYP smearing keep them",
        kind.name);
  if (!parameters.boundary.is_periodic() && !kind.has_force && !keeps_links)
    fail_input("{} smearing knows only lattices that are periodic in time", kind.name);
}

int longest_hop(const SmearingParameters& parameters) {
  return named("smearing", smearings(), parameters.kind).long_links ? 3 : 1;
}

std::string describe(const SmearingParameters& parameters) {
  const auto values = complete(parameters).values;
  std::string text = parameters.kind + " smearing";
  for (const auto& key : named("smearing", smearings(), parameters.kind).keys)
    text += fmt::format(", {} = {}", key.name, values.at(key.name));
  return text;
}

std::unique_ptr<const AnySmearedLinks> any_smeared_links(const SmearingParameters& parameters, const Lattice& lattice,
                                                         bool in_single) {
  const auto whole = complete(parameters);
  const Smearing& kind = named("smearing", smearings(), parameters.kind);
  require_known_boundary(parameters);
  if (in_single && !kind.make_single) fail_input("{} smearing is not there in single precision", kind.name);
  return (in_single ? kind.make_single : kind.make)(whole, lattice);
}

}  // namespace trellis::gauge

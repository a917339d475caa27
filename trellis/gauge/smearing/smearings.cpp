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
  SmearingParameters result{parameters.kind, {}};
  for (const auto& key : kind.keys) result.values[key.name] = key.value;
  for (const auto& [name, value] : parameters.values) {
    const auto& key = named("key of " + kind.name + " smearing:", kind.keys, name);
    if (!(value >= key.minimum && value <= key.maximum))
      fail_input("{} smearing: {} is {}; it must be from {} to {}", kind.name, name, value, key.minimum, key.maximum);
    result.values[name] = value;
  }
  return result;
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
  const auto values = complete(parameters).values;
  const Smearing& kind = named("smearing", smearings(), parameters.kind);
  if (in_single && !kind.make_single) fail_input("{} smearing is not there in single precision", kind.name);
  return (in_single ? kind.make_single : kind.make)(values, lattice);
}

}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/hisq_links.hpp"
#include "trellis/gauge/smearing/improved/one_level_links.hpp"

namespace trellis::gauge {

namespace {

// Fourth roots of plaquettes.
const Smearing::Key tadpole{"u0", 1, 0.1, 1};

bool is_open(const SmearingParameters& parameters) { return parameters.boundary.kind == BoundaryKind::open; }

}  // namespace

Smearing hisq_smearing() {
  return smearing_in_both_precisions(
      {.name = "hisq", .keys = {{"force_filter", 0, 0, 1}}, .in_su3 = false, .long_links = true},
      []<class T, int W>(const SmearingParameters& parameters, const Lattice& lattice) {
        return std::make_unique<const HisqLinks<T, W>>(lattice, parameters.values.at("force_filter"),
                                                       is_open(parameters));
      });
}

Smearing asqtad_smearing() {
  return smearing_in_both_precisions({.name = "asqtad", .keys = {tadpole}, .in_su3 = false, .long_links = true},
                                     []<class T, int W>(const SmearingParameters& parameters, const Lattice& lattice) {
                                       return std::make_unique<const OneLevelLinks<T, W>>(
                                           asqtad_coefficients(parameters.values.at("u0")), lattice,
                                           is_open(parameters));
                                     });
}

Smearing naik_smearing() {
  return smearing_in_both_precisions({.name = "naik", .keys = {tadpole}, .in_su3 = false, .long_links = true},
                                     []<class T, int W>(const SmearingParameters& parameters, const Lattice& lattice) {
                                       return std::make_unique<const OneLevelLinks<T, W>>(
                                           naik_coefficients(parameters.values.at("u0")), lattice);
                                     });
}

Smearing fat7_smearing() {
  return smearing_in_both_precisions({.name = "fat7", .in_su3 = false},
                                     []<class T, int W>(const SmearingParameters&, const Lattice& lattice) {
                                       return std::make_unique<const OneLevelLinks<T, W>>(fat7_coefficients, lattice);
                                     });
}

}  // namespace trellis::gauge

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links for experiments: near unit links, exp(i length H) with H normally distributed like the momenta of hybrid Monte
// Carlo.

#include "trellis/gauge/molecular_dynamics.hpp"

namespace tour {

template <int W>
trellis::GaugeField<double, W> warm_links(const trellis::Lattice& lattice, double length, std::uint64_t seed = 1) {
  using namespace trellis;
  const auto u = GaugeField<double, W>::unit(lattice);
  const AlgebraField<double, W> p(lattice);
  gauge::draw_momenta({.seed = seed, .purpose = gauge::momenta_purpose}, p);
  gauge::update_links(length, p, u);
  gauge::reunitarise(u);
  return u;
}

}  // namespace tour

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links to try things on: near unit links, exp(i length H) with the normal H of hybrid Monte Carlo's momenta.

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

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A gauge configuration in the plainest form: one vector of links, periodic in all directions.
//
// Directions 0,1,2,3 = x,y,z,t. Sites are lexicographic with x fastest: index = x + X (y + Y (z + Z t)).
// links[4 * site_index + mu] goes from x to x + mu. Coordinates may be any integers: they wrap.

#include <array>
#include <cstdint>
#include <vector>

#include "reference/algebra.hpp"

namespace trellis::reference {

using Site = std::array<int, 4>;

struct GaugeConfiguration {
  explicit GaugeConfiguration(const Site& lattice_size);  // all links one (cold)

  int volume() const;
  Site site(int index) const;      // coordinates of a site index
  int index(const Site& x) const;  // wraps
  Matrix& link(const Site& x, int mu);
  const Matrix& link(const Site& x, int mu) const;

  Site size;
  std::vector<Matrix> links;
};

// x moved by the given number of steps in direction mu (not wrapped; link() and index() wrap).
Site shift(Site x, int mu, int steps = 1);

GaugeConfiguration hot_configuration(const Site& size, std::uint64_t seed);                  // Haar
GaugeConfiguration warm_configuration(const Site& size, std::uint64_t seed, double spread);  // random_su3_near_one

// A gauge transformation: one SU(3) matrix per site, at index(x).
using GaugeTransformation = std::vector<Matrix>;
GaugeTransformation random_transformation(const Site& size, std::uint64_t seed);

// U'_mu(x) = g(x) U_mu(x) g(x + mu)^+
GaugeConfiguration gauge_transform(const GaugeConfiguration& u, const GaugeTransformation& g);

}  // namespace trellis::reference

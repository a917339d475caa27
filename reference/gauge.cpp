// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/gauge.hpp"

#include "reference/random.hpp"

namespace trellis::reference {

GaugeConfiguration::GaugeConfiguration(const Site& lattice_size) : size(lattice_size) {
  links.assign(4 * volume(), identity());
}

int GaugeConfiguration::volume() const { return size[0] * size[1] * size[2] * size[3]; }

Site GaugeConfiguration::site(int index) const {
  Site x;
  for (int mu = 0; mu < 4; ++mu) {
    x[mu] = index % size[mu];
    index /= size[mu];
  }
  return x;
}

int GaugeConfiguration::index(const Site& x) const {
  int sum = 0;
  for (int mu = 3; mu >= 0; --mu) {
    const int wrapped = ((x[mu] % size[mu]) + size[mu]) % size[mu];
    sum = sum * size[mu] + wrapped;
  }
  return sum;
}

Matrix& GaugeConfiguration::link(const Site& x, int mu) { return links.at(4 * index(x) + mu); }
const Matrix& GaugeConfiguration::link(const Site& x, int mu) const { return links.at(4 * index(x) + mu); }

Site shift(Site x, int mu, int steps) {
  x[mu] += steps;
  return x;
}

GaugeConfiguration hot_configuration(const Site& size, std::uint64_t seed) {
  Random random(seed);
  GaugeConfiguration u(size);
  for (Matrix& link : u.links) link = random_su3(random);
  return u;
}

GaugeConfiguration warm_configuration(const Site& size, std::uint64_t seed, double spread) {
  Random random(seed);
  GaugeConfiguration u(size);
  for (Matrix& link : u.links) link = random_su3_near_one(random, spread);
  return u;
}

GaugeTransformation random_transformation(const Site& size, std::uint64_t seed) {
  Random random(seed);
  GaugeTransformation g(GaugeConfiguration(size).volume());
  for (Matrix& m : g) m = random_su3(random);
  return g;
}

GaugeConfiguration gauge_transform(const GaugeConfiguration& u, const GaugeTransformation& g) {
  GaugeConfiguration v(u.size);
  for (int i = 0; i < u.volume(); ++i) {
    const Site x = u.site(i);
    for (int mu = 0; mu < 4; ++mu) v.link(x, mu) = g[i] * u.link(x, mu) * adjoint(g[u.index(shift(x, mu))]);
  }
  return v;
}

}  // namespace trellis::reference

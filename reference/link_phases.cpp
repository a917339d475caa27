// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/link_phases.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

constexpr double pi = std::numbers::pi;

struct Plane {
  const char* name;
  int i, j;
  double flux;
};

std::array<Plane, 6> planes(const Flux& f) {
  return {Plane{"bz", 0, 1, f.bz}, Plane{"bx", 1, 2, f.bx}, Plane{"by", 2, 0, f.by},
          Plane{"ex", 0, 3, f.ex}, Plane{"ey", 1, 3, f.ey}, Plane{"ez", 2, 3, f.ez}};
}

}  // namespace

LinkPhases external_field(const Site& size, double charge, const Flux& flux) {
  const GaugeConfiguration lattice(size);
  LinkPhases theta(lattice.links.size(), 0.0);
  for (int n = 0; n < lattice.volume(); ++n) {
    const Site x = lattice.site(n);
    for (const Plane& p : planes(flux)) {
      const double turns = 2.0 * pi * charge * p.flux;
      theta[4 * n + p.j] += turns * x[p.i] / (size[p.i] * size[p.j]);
      if (x[p.i] == size[p.i] - 1) theta[4 * n + p.i] -= turns * x[p.j] / size[p.j];
    }
  }
  return theta;
}

LinkPhases link_phases(const Site& size, const QuarkPhases& quark) {
  for (const Plane& p : planes(quark.flux)) {
    const double product = quark.charge * p.flux;
    if (product != std::round(product))
      fail_input("charge {} times flux {} = {} is {}; it must be an integer", quark.charge, p.name, p.flux, product);
  }
  LinkPhases theta = external_field(size, quark.charge, quark.flux);
  const GaugeConfiguration lattice(size);
  for (int n = 0; n < lattice.volume(); ++n) {
    const Site x = lattice.site(n);
    theta[4 * n + 3] += pi * quark.imaginary_potential / size[3];
    for (int k = 0; k < 3; ++k) theta[4 * n + k] += quark.space_angles[k] / size[k];
    if (quark.antiperiodic && x[3] == size[3] - 1) theta[4 * n + 3] += pi;
  }
  return theta;
}

}  // namespace trellis::reference

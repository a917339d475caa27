// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops of links, computed literally: every loop is a path product, every average a sum over all sites.
//
// Averages are of tr / 3: 1 on a cold configuration.

#include <vector>

#include "reference/gauge.hpp"

namespace trellis::reference {

// One step of a path: along +mu with U_mu(x), or along -mu with U_mu(x - mu)^+.
struct Step {
  int direction;
  bool forward;
};
using Path = std::vector<Step>;
Path forward(int mu, int steps = 1);
Path backward(int mu, int steps = 1);
Path operator+(Path a, const Path& b);  // first a, then b
Path reverse(const Path& path);         // the way back: path_product is the adjoint

// The product of the links along the path from x, in that order from left to right.
Matrix path_product(const GaugeConfiguration& u, Site x, const Path& path);

// Average over all x of tr / 3 of the closed path that starts at x.
Complex average_loop(const GaugeConfiguration& u, const Path& path);

// P = U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+, average of Re tr P / 3 over x and the planes mu < nu:
// all six, the three spatial ones, the three with time.
struct Plaquette {
  double total;
  double spatial;
  double temporal;
};
Plaquette plaquette(const GaugeConfiguration& u);

// Average of Re tr R / 3 over x and all twelve rectangles of 2 steps in mu and 1 in nu, mu != nu.
double rectangle(const GaugeConfiguration& u);

// The closed paths a, b, c, -a, -b, -c of one step each along three different directions: 16 at each site, each with
// one orientation. The first step is forward in the lowest direction.
std::vector<Path> parallelograms();

// Average of Re tr L / 3 over x and all parallelograms.
double parallelogram(const GaugeConfiguration& u);

// Average of Re tr W / 3 over x and the three spatial directions: `space` steps in space, `time` steps in t.
double wilson_loop(const GaugeConfiguration& u, int space, int time);

// Average over x of tr / 3 of the product of all size[mu] links along mu.
Complex polyakov_loop(const GaugeConfiguration& u, int mu = 3);

// Average of Re tr U / 3 over all links.
double link_trace(const GaugeConfiguration& u);

}  // namespace trellis::reference

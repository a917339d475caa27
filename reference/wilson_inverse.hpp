// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// M x = b for the Wilson matrix, and propagators.
//
// Conjugate gradient on M^+ M (Hestenes and Stiefel 1952), in the form that updates the residual r = b - M x and stops
// at |r| <= tolerance |b|. Error if 10000 iterations are not enough, or if b - M x computed at the end is larger than
// ten times that.

#include <functional>

#include "reference/wilson.hpp"

namespace trellis::reference {

SpinorField solve_m(const WilsonMatrix& m, const SpinorField& b, double tolerance = 1e-13);

// S = M^-1 source: a 12 x 12 matrix per site, with row 3 * spin + colour at the site (the sink) and column 3 * spin +
// colour of the source. No factor 2 kappa: the propagator of D_w + m is 2 kappa S.
using Propagator = std::vector<DenseMatrix>;
SpinorField column(const Propagator& s, int component);
Propagator from_columns(const Site& size, const std::function<SpinorField(int component)>& columns);

// Column k solves for the k-th source.
Propagator propagator(const WilsonMatrix& m, const std::function<SpinorField(int component)>& source,
                      double tolerance = 1e-13);
Propagator point_propagator(const WilsonMatrix& m, const Site& source, double tolerance = 1e-13);

// M as a 12 V x 12 V matrix, row and column 12 * index(x) + 3 * spin + colour; for V = 16.
DenseMatrix dense_wilson(const WilsonMatrix& m);

}  // namespace trellis::reference

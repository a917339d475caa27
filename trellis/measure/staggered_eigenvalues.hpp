// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lowest eigenvalues lambda of -D_eo D_oe on even sites, D the massless staggered operator on smeared links, by
// solver/eigenvalues/lowest_eigenvalues.hpp. D has the eigenvalues +- i sqrt(lambda), and M = m + D on all sites has
//   det M = product of (m^2 + lambda),    tr M^-1 = 2 m sum of 1 / (m^2 + lambda)
// over all of them: three for each even site. In a Schroedinger functional only sites with quarks count
// (dirac/stencil/quark_slices.hpp): D is 0 on the other slices, which are left out of all vectors.

#include "trellis/dirac/stencil/hop_settings.hpp"
#include "trellis/measure/quark_observables.hpp"

namespace trellis::measure {

struct EigenvalueSelection {
  int count = 10;            // 1 to solver::most_eigenvalues
  double tolerance = 1e-10;  // |-D_eo D_oe v - lambda v| of each, v normalised
  int max_applications = 100000;
  dirac::HopSettings settings = dirac::staggered_settings;  // how the operator is run: changes no bit

  // How many vectors the operator is applied to at once, on a lattice of this size.
  int vectors_together(const Coordinate& size) const;
};

struct FlavourEigenvalues {
  std::string name;
  std::vector<double> values, residuals;  // ascending up to rounding
  int applications = 0;                   // of the operator to a block of vectors
};

// For each flavour, whose phases count, but not its mass. u is not changed; rounding is removed from a copy. InputError
// for an invalid selection, Error naming the flavour if the tolerance is not reached. No bit depends on lanes, threads
// or ranks.
template <int W>
std::vector<FlavourEigenvalues> measure_eigenvalues(const EigenvalueSelection& selection,
                                                    const std::vector<QuarkFlavour>& flavours,
                                                    const gauge::SmearingParameters& smearing,
                                                    const GaugeField<double, W>& u);

}  // namespace trellis::measure

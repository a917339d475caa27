// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The comparisons that check_operators() makes, each a line of the report. Limits: verify_limits.hpp.

#include <cstdint>

#include "trellis/app/verify/naive_fields.hpp"
#include "trellis/app/verify/naive_smearing.hpp"
#include "trellis/app/verify/verify_report.hpp"
#include "trellis/dirac/staggered/links_by_epsilon.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::app {

// Smearing by loops of our own (naive_smearing.hpp). Of a smearing that a user has added there are none: it is then the
// library's, so that operators are checked on its links.
template <int W>
NaiveSmearing naive_smearing_of(const NaiveLinks& u, const gauge::SmearingParameters& smearing, const Lattice& lattice);

// The largest difference of a number.
template <int W>
Outcome compare_smeared(const GaugeField<double, W>& smeared, const NaiveLinks& naive_smeared,
                        const gauge::SmearingParameters& smearing);
// The largest difference of a number of D psi from what is expected; psi has numbers up to sqrt(2).
template <int W>
Outcome compare_staggered(const dirac::StaggeredOperator<double, W>& d, const NaiveField<3>& psi,
                          const NaiveField<3>& expected, const gauge::SmearingParameters& smearing);

// Of links v that are u after a gauge transformation: averages and sums do not change.
template <int W>
Outcome compare_plaquettes(const GaugeField<double, W>& v, const GaugeField<double, W>& u,
                           const gauge::Boundary& boundary = {});
template <int W>
Outcome compare_actions(const gauge::LoopWeights& action, const GaugeField<double, W>& v,
                        const GaugeField<double, W>& u, const gauge::Boundary& boundary = {});

// The largest eigenvalues of -D_eo D_oe, relative. A Ritz value is wrong by the square of its residual, 1e-6, over the
// distance to the next eigenvalue, for which 1e-4 is allowed.
template <int W>
Outcome compare_spectra(const dirac::StaggeredOperator<double, W>& a, const dirac::StaggeredOperator<double, W>& b,
                        std::uint64_t seed);

// psi^dagger (m^2 - D_eo D_oe)^-1 psi, relative. Limit: the residual 1e-10 times |psi| |x| / <psi, x>, and rounding of
// the operator times |x|^2 / <psi, x>, at most 1e-6.
template <int W>
Outcome compare_inverses(const dirac::StaggeredOperator<double, W>& a, const ColourVectorField<double, W>& psi_a,
                         const dirac::StaggeredOperator<double, W>& b, const ColourVectorField<double, W>& psi_b);

}  // namespace trellis::app

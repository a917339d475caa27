// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Effective masses from the table of staggered hadrons, as effective_mass_table.hpp does it for Wilson quarks. One row
// for each pair of flavours, n^2, channel and time below L_t / 2. Mesons are folded, (C(t) + C(L_t - t)) / 2, the
// nucleon with the sign of its boundary, (C(t) -+ (-1)^t C(L_t - t)) / 2. The pion's mass is that of a cosh. Where a
// partner of the other parity oscillates, it is suppressed by (C(t-1) + 2 C(t) + C(t+1)) / 4, from t = 1 on; fits with
// both states (`trellis analyse`) are better.

#include "trellis/app/results/effective_mass_table.hpp"
#include "trellis/app/results/staggered_hadron_measurement.hpp"

namespace trellis::app {

std::vector<std::string> staggered_mass_columns();

// From the folder's table of staggered hadrons, leaving out configurations numbered up to `skip`: writes the table of
// masses, and returns the masses at the first n^2 for people. Does nothing without configurations.
std::string write_staggered_masses(const StaggeredHadronJob& job, const RunFolder& folder, std::int64_t skip);

}  // namespace trellis::app

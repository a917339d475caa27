// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What correlators of hadrons are put together from.

#include <complex>
#include <string>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/measure/hadron_correlators.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::measure {

using Correlator = std::vector<std::complex<double>>;

template <int W>
void require_columns(const FullSpinors<double, W>& propagator) {
  if (propagator.count() != columns)
    fail("hadron correlators: a propagator of {} columns; expected {}", propagator.count(), columns);
}

// The channel among the sixteen, of which `pion` is one; null for all others.
const MesonChannel* find_meson(const std::string& name);
const std::vector<std::string>& parts_of_rho();
// Of a baryon, without "_negative".
std::string without_parity(const std::string& channel);
Correlator mean(const std::vector<Correlator>& all);
// Splits correlators into one per number.
std::vector<Correlator> split(const Correlator& all, int count);

}  // namespace trellis::measure

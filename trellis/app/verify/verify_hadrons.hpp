// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What check_hadrons() hands to the checks of single kinds of sources.

#include <string>

#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/verify/naive_fields.hpp"
#include "trellis/app/verify/naive_wilson.hpp"
#include "trellis/app/verify/verify_report.hpp"
#include "trellis/measure/wilson_inverse.hpp"

namespace trellis::app {

template <int W>
struct NaiveCase {
  const GaugeField<double, W>& u;  // the configuration
  const NaiveLinks& shape;
  const NaiveWilson& naive;   // of one quark
  const NaiveLinks& spatial;  // the links of Gaussian smearing
  gauge::SmearingParameters smearing;
  std::array<double, 4> angles;  // with which hadrons go around the lattice
};

// One vector, and a spacing of at most two that divides the extents.
void fit_noise(measure::NoiseParameters& noise, const Coordinate& size);

// A noise source by itself, its solutions with naive M, and mesons by the one-end trick with contractions over every
// index. s: of a single quark.
template <int W>
void check_noise(const measure::HadronSelection& s, const std::string& name, const NaiveCase<W>& c,
                 const measure::WilsonInverse<W>& inverse, VerifyReport& report);

}  // namespace trellis::app

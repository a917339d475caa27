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

// Three-point functions through each fixed sink of the selection, which has a single source, with those of a current at
// a fixed time on the same quark line: up to two currents and momenta. Of sinks without a spin.
template <int W>
void check_fixed_sinks(const measure::HadronSelection& s, const GaugeField<double, W>& u, VerifyReport& report);

// `difference` of two such numbers, `scale` the largest of the three-point function over its times. Limit: 1000 times
// the residual, since propagators are multiplied by one another; at most 1e-3.
Outcome compare_three_point(double difference, double scale, double residual);

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The comparisons of check_flow(), check_hadrons() and check_quarks(), each a line of the report: what [measure] asks
// for with naive loops. Limits: verify_limits.hpp.

#include <complex>
#include <span>

#include "trellis/app/verify/naive_fields.hpp"
#include "trellis/app/verify/naive_staggered.hpp"
#include "trellis/app/verify/naive_wilson.hpp"
#include "trellis/app/verify/verify_report.hpp"
#include "trellis/measure/hadrons.hpp"
#include "trellis/measure/quark_observables.hpp"

namespace trellis::app {

// The largest difference of a number of M psi.
template <int W>
Outcome compare_wilson(const dirac::WilsonOperator<double, W>& m, const NaiveWilson& naive, std::uint64_t seed,
                       const gauge::SmearingParameters& smearing);

// The largest |b - M x| / |b| of twelve columns, with naive M. Limit: what the solver was asked for, and the rounding
// of M times |x| / |b|; at most 1e-4.
Outcome compare_solutions(const NaiveWilson& naive, std::span<const NaiveField<12>> b,
                          std::span<const NaiveField<12>> x, const dirac::WilsonParameters& quark,
                          const gauge::SmearingParameters& smearing, double residual);

// One source of noise at a time, all its parts in space together, at rest: columns by part. Whether it has numbers of
// its kind on each site of its slice once, in the components that its dilution leaves to a column, and zeros elsewhere;
// found is the largest deviation.
Outcome check_noise_source(const measure::NoiseParameters& noise, int time, const NaiveLinks& shape,
                           const std::vector<std::vector<NaiveField<12>>>& parts);

// The largest difference over all times, in units of the naive one's scale; infinity for a correlator that is not 0
// where the scale is.
double correlator_difference(std::span<const std::complex<double>> measured, const NaiveCorrelator& naive);

// The largest difference of a link after one step of the flow from u.
template <int W>
Outcome compare_flow_step(const GaugeField<double, W>& flowed, const NaiveLinks& u, double c1, double step,
                          const gauge::Boundary& boundary = {});

// The largest difference of a selected trace from the exact one, over the condensate. A solution to the residual r is
// wrong by r |M^-1|, and the bubble's by |M^-1| once more in each of two; the limit takes twice the root mean square of
// the singular values for |M^-1|, and 1000 roundings instead of r. At most 1e-3.
Outcome compare_quark_traces(const measure::QuarkEstimate& found, const ExactQuarkTraces& exact,
                             const measure::QuarkSelection& selection, const measure::QuarkFlavour& flavour);

// Both sides of the Ward identity come from the same solutions, so that it is violated by about the residual; 10 times
// that, and rounding times 4 / m, are allowed; at most 1e-3.
Outcome compare_ward_identity(double violation, double residual, double mass);
// `difference`: the largest of a correlator from the exact one, `scale`: sum |G|^2 over all sites. Limit: |dG| is r / m
// at most; at most 1e-3.
Outcome compare_staggered_correlator(double difference, double scale, double residual, double mass);

}  // namespace trellis::app

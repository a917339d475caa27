// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/app/results/staggered_hadron_measurement.hpp"
#include "trellis/app/verify/naive_staggered.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/app/verify/verify_measurements.hpp"
#include "trellis/app/verify/verify_operators.hpp"
#include "trellis/app/verify/verify_sources.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/measure/staggered_hadrons.hpp"

namespace trellis::app {
namespace {

using Complex = std::complex<double>;

// The input on a lattice for dense matrices, 384 x 384, on each rank for itself, with links of its own. A Schroedinger
// functional has quarks on two or three slices.
RunInput on_tiny_lattice(const RunInput& input) {
  const auto& size = input.size;
  const bool longer =
      input.boundary.kind == gauge::BoundaryKind::schroedinger_functional && input.boundary.extent + 2 == size[3];
  return resized(input, {std::min(size[0], 4), std::min(size[1], longer ? 2 : 4), std::min(size[2], 2),
                         std::min(size[3], longer ? 6 : 4)});
}

const FlavourInput& flavour_of(const QuarkInput& quarks, const std::string& name) {
  return *std::ranges::find(quarks.flavours, name, &FlavourInput::name);
}

template <int W>
void check_quark_observables(const RunInput& input, const QuarkJob& job, const Lattice& lattice, VerifyReport& report) {
  report.section(fmt::format("Quark observables on {}: traces over all sources, compared with dense matrices",
                             to_string(lattice.size())));
  const auto u = verify_links<W>(input, lattice);
  const auto seed = static_cast<std::uint64_t>(input.chain.seed);
  auto selection = job.selection;
  selection.exact = true;
  const auto naive_smeared = naive_smearing_of<W>(naive_links(u), job.smearing, lattice);
  for (const auto& flavour : job.flavours)
    report.check(fmt::format("'{}': largest difference over the condensate", flavour.name), [&] {
      const auto naive = naive_smeared.of(flavour.naik_epsilon);
      const auto exact = exact_quark_traces(naive, input.quarks, flavour_of(input.quarks, flavour.name), flavour.tastes,
                                            job.selection.planes);
      const auto measured = measure::measure_quarks(selection, {flavour}, job.smearing, seed, 0, u);
      return compare_quark_traces(measured.flavours.front().mean, exact, selection, flavour);
    });
}

// s(x - x0) of a local meson; nothing for other channels.
std::optional<double> local_sign(const std::string& channel, const Coordinate& x, const Coordinate& x0) {
  std::array<double, 3> sign{};
  for (std::size_t i = 0; i < 3; ++i) sign[i] = (x[i] - x0[i]) % 2 == 0 ? 1 : -1;
  const auto [a, b, c] = sign;
  if (channel == "pion") return 1;
  if (channel == "pion_scalar") return a * b * c;
  if (channel == "rho_tensor") return (a + b + c) / 3;
  if (channel == "rho_axial") return (b * c + c * a + a * b) / 3;
  return std::nullopt;
}

template <int W>
void check_staggered_hadrons(const RunInput& input, StaggeredHadronJob job, const Lattice& lattice,
                             VerifyReport& report) {
  report.section(fmt::format("Staggered hadrons on {}, for one source", to_string(lattice.size())));
  auto& s = job.selection;
  take_one_source(s, lattice.size(), naive_staggered_slices(input.boundary, lattice.size()));
  const auto u = verify_links<W>(input, lattice);
  const auto seed = static_cast<std::uint64_t>(input.chain.seed);
  const bool antiperiodic = input.boundary.is_periodic() && input.quarks.boundary == TimeBoundary::antiperiodic;
  double lightest = HUGE_VAL;
  for (const auto& flavour : job.flavours) lightest = std::min(lightest, flavour.mass);
  std::optional<measure::StaggeredHadronMeasurement> measured;
  report.check("Ward identity: m sum_t C(t) = Re tr M^-1, relative", [&] {
    measured = measure::measure_staggered_hadrons(s, job.flavours, job.smearing, seed, 0, u);
    return compare_ward_identity(measured->ward_identity, s.inverse.residual, lightest);
  });
  if (!measured || s.source != measure::StaggeredSource::point) return;
  const NaiveLinks naive = naive_links(u);
  const auto naive_smeared = naive_smearing_of<W>(naive, job.smearing, lattice);
  std::vector<Dense> propagators;
  for (const auto& flavour : job.flavours)
    propagators.push_back(
        dense_propagator(naive_smeared.of(flavour.naik_epsilon), input.quarks, flavour_of(input.quarks, flavour.name)));
  const auto all = job.hadrons();
  const auto& x0 = s.positions.front();
  for (std::size_t h = 0; h < all.size(); ++h) {
    if (!measure::is_staggered_nucleon(all[h].channel) && !local_sign(all[h].channel, x0, x0)) continue;
    report.check(fmt::format("'{}' of {}, from a dense matrix, over sum |G|^{}", all[h].channel, all[h].flavours,
                             measure::is_staggered_nucleon(all[h].channel) ? 3 : 2),
                 [&] {
                   const auto &f = propagators[all[h].first], &g = propagators[all[h].second];
                   // The nucleon is det G on even sites, and gets the boundary's sign three times.
                   const bool nucleon = measure::is_staggered_nucleon(all[h].channel);
                   double worst = 0, scale = 0;
                   for (std::size_t p = 0; p < s.momenta.size(); ++p) {
                     std::vector<Complex> expected(std::size_t(lattice.size(3)));
                     for (std::size_t x = 0; x < naive.volume(); ++x) {
                       const auto place = naive.coordinate(x);
                       const auto t = std::size_t((place[3] - x0[3] + lattice.size(3)) % lattice.size(3));
                       NaiveMatrix at{};
                       Complex loop = 0;
                       double size = 0;
                       for (std::size_t a = 0; a < 3; ++a)
                         for (std::size_t b = 0; b < 3; ++b) {
                           at[a][b] = g(3 * x + a, 3 * naive.site(x0) + b);
                           loop += std::conj(f(3 * x + a, 3 * naive.site(x0) + b)) * at[a][b];
                           size += std::norm(at[a][b]);
                         }
                       double sign = nucleon ? 0 : *local_sign(all[h].channel, place, x0);
                       if (nucleon && (place[0] - x0[0]) % 2 == 0 && (place[1] - x0[1]) % 2 == 0 &&
                           (place[2] - x0[2]) % 2 == 0) {
                         sign = (x0[0] + x0[1] + x0[2]) * int(t) % 2 == 0 ? 1 : -1;
                         if (place[3] < x0[3] && antiperiodic) sign = -sign;
                         loop = at[0][0] * (at[1][1] * at[2][2] - at[1][2] * at[2][1]) -
                                at[0][1] * (at[1][0] * at[2][2] - at[1][2] * at[2][0]) +
                                at[0][2] * (at[1][0] * at[2][1] - at[1][1] * at[2][0]);
                       }
                       double phase = 0;
                       for (std::size_t i = 0; i < 3; ++i)
                         phase -= 2 * std::numbers::pi * s.momenta[p][i] * (place[i] - x0[i]) / lattice.size(int(i));
                       expected[t] += sign * std::polar(1.0, phase) * loop;
                       if (p == 0) scale += nucleon ? size * std::sqrt(size) : size;
                     }
                     const auto found = measured->at(h).subspan(p * expected.size(), expected.size());
                     for (std::size_t t = 0; t < expected.size(); ++t)
                       worst = std::max(worst, std::abs(found[t] - expected[t]));
                   }
                   return compare_staggered_correlator(worst, scale, s.inverse.residual, lightest);
                 });
  }
}

}  // namespace

Outcome compare_quark_traces(const measure::QuarkEstimate& found, const ExactQuarkTraces& exact,
                             const measure::QuarkSelection& selection, const measure::QuarkFlavour& flavour) {
  const auto& traces = exact.traces;
  double worst = std::abs(found.condensate - traces.condensate);
  const auto add = [&](Complex a, Complex b) {
    if (const double difference = std::abs(a - b); !(difference <= worst)) worst = difference;
  };
  if (selection.number()) add(found.quark_number, traces.quark_number);
  if (selection.susceptibilities) {
    add(found.second_derivative, traces.second_derivative);
    add(found.bubble, traces.bubble);
  }
  for (const int plane : selection.planes) add(found.magnetisation[plane], traces.magnetisation[plane]);
  const double condensate = std::abs(traces.condensate), inverse = 2 * exact.inverse_size;
  const double amplification =
      0.75 * flavour.tastes * inverse * (selection.susceptibilities ? 1 + 2 * inverse : 1) / condensate;
  const std::vector<Inaccuracy> from{{"measure.quarks.residual", selection.inverse.residual, amplification}};
  return at_most(worst / condensate, 1000 * operation_rounding * amplification, from, 1e-3);
}

Outcome compare_ward_identity(double violation, double residual, double mass) {
  const std::vector<Inaccuracy> from{{"measure.staggered_hadrons.residual", residual, 10}};
  return at_most(violation, 100 * operation_rounding * (1 + 4 / mass), from, 1e-3);
}

Outcome compare_staggered_correlator(double difference, double scale, double residual, double mass) {
  const std::vector<Inaccuracy> from{
      {"measure.staggered_hadrons.residual", residual, 4 / (mass * std::sqrt(std::max(scale, 1e-300)))}};
  return at_most(difference / scale, 1000 * operation_rounding * (1 + 4 / mass), from, 1e-3);
}

void check_quarks(const RunInput& whole, int most_lanes, VerifyReport& report) {
  const auto input = on_tiny_lattice(whole);
  const auto& size = input.size;
  const int lanes = Lattice::divides(size, most_lanes) ? most_lanes : Lattice::best_lanes(size, most_lanes);
  if (const auto job = quark_job(input.measure, input.quarks))
    with_lanes(lanes, [&]<int V>() { check_quark_observables<V>(input, *job, Lattice(size, V), report); });
  if (const auto job = staggered_hadron_job(input.measure, input.quarks))
    with_lanes(lanes, [&]<int V>() { check_staggered_hadrons<V>(input, *job, Lattice(size, V), report); });
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/verify/naive_smearing.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_hadrons.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/app/verify/verify_measurements.hpp"
#include "trellis/app/verify/verify_sources.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::app {
namespace {

using Complex = std::complex<double>;

double norm(const NaiveField<12>& psi) {
  double sum = 0;
  for (const auto& spinor : psi)
    for (const auto& z : spinor) sum += std::norm(z);
  return std::sqrt(sum);
}

NaivePropagator propagator_of(std::span<const NaiveField<12>> columns) {
  NaivePropagator s(columns.front().size());
  for (std::size_t x = 0; x < s.size(); ++x)
    for (std::size_t column = 0; column < 12; ++column)
      for (std::size_t row = 0; row < 12; ++row) s[x][row][column] = columns[column][x][row];
  return s;
}

std::vector<NaiveField<12>> naive_sources(const measure::HadronSelection& s, const NaiveLinks& spatial) {
  std::vector<NaiveField<12>> b(12, NaiveField<12>(spatial.volume()));
  const auto& source = s.positions.front();
  for (std::size_t column = 0; column < 12; ++column) {
    for (std::size_t x = 0; x < spatial.volume(); ++x)
      if (s.source == measure::QuarkSourceKind::wall ? spatial.coordinate(x)[3] == source[3]
                                                     : spatial.coordinate(x) == source)
        b[column][x][column] = 1;
    if (s.source == measure::QuarkSourceKind::gaussian)
      b[column] = naive_gaussian(spatial, s.gaussian, s.quark.boundary_angle_over_pi, std::move(b[column]));
  }
  return b;
}

struct OneQuark {
  std::string name;
  measure::HadronSelection selection;
};

// Each kappa or named quark by itself, with the channels that quarks of one mass have.
std::vector<OneQuark> quarks_of(const measure::HadronSelection& s) {
  std::vector<OneQuark> all;
  const auto add = [&](const std::string& name, const dirac::WilsonParameters& quark) {
    auto own = s;
    own.quarks.clear();
    own.combinations.clear();
    own.quark = quark;
    own.kappas = {quark.kappa};
    std::erase_if(own.channels,
                  [](const auto& channel) { return !std::ranges::count(measure::hadron_names(), channel); });
    if (own.channels.empty()) own.channels = {"pion"};
    all.push_back({name, std::move(own)});
  };
  for (const double kappa : s.kappas) {
    auto quark = s.quark;
    quark.kappa = kappa;
    add(fmt::format("kappa = {}", kappa), quark);
  }
  for (const auto& quark : s.quarks)
    add(fmt::format("kappa = {} ({})", quark.parameters.kappa, quark.name), quark.parameters);
  return all;
}

}  // namespace

template <int W>
Outcome compare_wilson(const dirac::WilsonOperator<double, W>& m, const NaiveWilson& naive, std::uint64_t seed,
                       const gauge::SmearingParameters& smearing) {
  const NaiveLinks shape(m.lattice().size());
  const auto psi = random_naive_field<12>(shape.volume(), seed);
  const auto in = full_field<W>(psi, m.lattice()), out = in.like();
  for (const std::size_t parity : {0, 1}) m.full(in.part[parity], in.part[1 - parity], out.part[parity]);
  return at_most(largest_difference<12>(naive_field<W>(out), naive(psi)), wilson_limit(m.parameters(), smearing));
}

Outcome compare_solutions(const NaiveWilson& naive, std::span<const NaiveField<12>> b,
                          std::span<const NaiveField<12>> x, const dirac::WilsonParameters& quark,
                          const gauge::SmearingParameters& smearing, double residual) {
  double worst = 0, ratio = 0;
  for (std::size_t n = 0; n < b.size(); ++n) {
    auto difference = naive(x[n]);
    for (std::size_t site = 0; site < difference.size(); ++site)
      for (std::size_t k = 0; k < 12; ++k) difference[site][k] -= b[n][site][k];
    const double own = norm(difference) / norm(b[n]);
    if (!(own <= worst)) worst = own;
    ratio = std::max(ratio, norm(x[n]) / norm(b[n]));
  }
  const std::vector<Inaccuracy> from{{"measure.hadrons.residual", residual, 1}};
  return at_most(worst, wilson_limit(quark, smearing) * std::max(1.0, ratio), from, 1e-4);
}

double correlator_difference(std::span<const Complex> measured, const NaiveCorrelator& naive) {
  double worst = 0;
  for (std::size_t t = 0; t < naive.value.size(); ++t) {
    const double absolute = std::abs(measured[t] - naive.value[t]);
    // On slices without quarks both are 0.
    const double difference = absolute == 0 ? 0 : absolute / naive.scale[t];
    if (!(difference <= worst)) worst = difference;
  }
  return worst;
}

template <int W>
void check_hadrons(const VerifyCase<W>& c, VerifyReport& report) {
  const auto job = hadron_job(c.input.measure);
  if (!job) return;
  const auto& lattice = c.u.lattice();
  auto s = job->selection;
  s.inverse.kept = {};  // nothing is written, nor read
  const bool noise = s.source == measure::QuarkSourceKind::noise;
  if (noise) fit_noise(s.noise, lattice.size());
  s.noise.seed = static_cast<std::uint64_t>(c.input.chain.seed);
  take_one_source(s, lattice.size(), naive_wilson_slices(s.quark.boundary, lattice.size()));
  const auto with_sinks = s;
  s.fixed_sinks.clear();
  report.section("Wilson quarks and hadrons: compared with naive loops, for one source");
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  const auto smearing = s.smearing ? gauge::complete(*s.smearing) : gauge::stout_smearing(s.stout.rho, s.stout.levels);
  const auto u = naive_links(c.u);
  const GaugeField<double, W> links = measure::quark_links(s, c.u);
  const auto smeared = [&] {
    if (!s.smearing) return naive_stout(u, s.stout.rho, s.stout.levels, s.stout_is_spatial ? 3 : 4, s.stout.boundary);
    // Of a user's smearing, and of APE and HYP with boundaries in time, there is no naive version here: their links are
    // taken as they are.
    const bool is_known = smearing.boundary.is_periodic() || smearing.kind == "stout";
    auto naive = is_known ? naive_smearing(u, smearing) : std::nullopt;
    return naive ? std::move(naive->fat) : naive_links(links);
  }();
  const bool gaussian = s.source == measure::QuarkSourceKind::gaussian ||
                        std::ranges::find(s.sinks, measure::QuarkSink::smeared) != s.sinks.end();
  // Those of APE and HYP are taken as they are.
  const auto spatial = !gaussian ? u
                       : s.gaussian.links == measure::SourceLinks::stout
                           ? naive_stout(u, s.gaussian.rho, s.gaussian.levels, 3)
                           : naive_links(measure::smeared_links(s.gaussian, c.u));
  const auto b = naive_sources(s, spatial);
  for (const auto& [name, own] : quarks_of(s)) {
    s = own;
    const auto quark = s.quark;
    const double kappa = quark.kappa;
    const NaiveWilson naive(smeared, quark);
    const measure::WilsonInverse<W> inverse(links, quark, s.inverse);
    report.check(fmt::format("M psi at {}", name),
                 [&] { return compare_wilson(inverse.matrix(), naive, seed, smearing); });
    auto angles = quark.boundary_angle_over_pi;
    if (!quark.boundary.is_periodic()) angles[3] = 0;  // nothing goes around
    if (noise) {
      check_noise<W>(s, name, {c.u, u, naive, spatial, smearing, angles}, inverse, report);
      continue;
    }
    std::vector<NaiveField<12>> columns;

    report.check(fmt::format("|b - M S| / |b| at {}, naive M and b", name), [&] {
      const measure::FullSpinors<double, W> source(lattice, measure::columns), x = source.like();
      const auto& position = s.positions.front();
      s.source == measure::QuarkSourceKind::wall ? measure::wall_source(position[3], source)
                                                 : measure::point_source(position, source);
      if (s.source == measure::QuarkSourceKind::gaussian)
        measure::GaussianSmearing<W>(s.gaussian, quark.boundary_angle_over_pi, c.u)(source);
      inverse(source, x, "hadrons");
      for (int n = 0; n < measure::columns; ++n) columns.push_back(naive_field<W>(x, n));
      return compare_solutions(naive, b, columns, quark, smearing, s.inverse.residual);
    });
    if (columns.empty()) continue;
    std::optional<measure::HadronMeasurement> measured;
    for (std::size_t sink = 0; sink < s.sinks.size(); ++sink)
      report.check(
          fmt::format("correlators at {}, {} sink, over the sums of |S|^2", name, sink_name(s.sinks[sink])), [&] {
            if (!measured) measured = measure::measure_hadrons(s, c.u);
            const bool smear = s.sinks[sink] == measure::QuarkSink::smeared;
            auto at_sink = columns;
            if (smear)
              for (auto& column : at_sink)
                column = naive_gaussian(spatial, s.gaussian, quark.boundary_angle_over_pi, std::move(column));
            for (auto& column : at_sink)
              for (auto& spinor : column)
                for (auto& z : spinor) z *= 2 * kappa;
            const auto propagator = propagator_of(at_sink);
            double worst = 0;
            for (std::size_t k = 0; k < s.channels.size(); ++k)
              for (std::size_t p = 0; p < s.momenta.size(); ++p) {
                const auto expected = naive_hadron(lattice.size(), propagator, s.channels[k],
                                                   s.sources(lattice.size()).front(), s.momenta[p], angles);
                const auto all = measured->at(sink * s.channels.size() + k);
                worst = std::max(
                    worst, correlator_difference(
                               all.subspan(p * std::size_t(measured->times), std::size_t(measured->times)), expected));
              }
            return at_most(worst, correlator_limit(smear ? s.gaussian.steps : 0));
          });
  }
  check_fixed_sinks(with_sinks, c.u, report);
}

#define TRELLIS_INSTANTIATE(W)                                                                                   \
  template Outcome compare_wilson<W>(const dirac::WilsonOperator<double, W>&, const NaiveWilson&, std::uint64_t, \
                                     const gauge::SmearingParameters&);                                          \
  template void check_hadrons<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

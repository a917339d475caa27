// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/verify_loops.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/app/verify/naive_boundary.hpp"
#include "trellis/app/verify/naive_fields.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/boundary/eta_derivative.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::app {
namespace {

void take_larger(double& worst, double difference) {
  if (!(std::abs(difference) <= worst)) worst = std::abs(difference);  // also NaN
}

// S(v) - S(u) of the terms from the naive one.
template <int W>
Outcome compare_differences(const hmc::Terms<double, W>& terms, const GaugeField<double, W>& v,
                            const GaugeField<double, W>& u, const NaiveAction& after, const NaiveAction& before) {
  double difference = 0;
  for (const auto& term : terms) difference += term->difference(v, u);
  if (before.bound == 0) return at_most(std::abs(difference), 0);
  return at_most(std::abs(difference - (after.value - before.value)) / before.bound,
                 rectangle_limit + naive_sum_rounding(double(u.lattice().volume())));
}

}  // namespace

template <int W>
GaugeField<double, W> displaced(const GaugeField<double, W>& u, const gauge::Boundary& boundary, std::uint64_t seed) {
  constexpr double time = 0.1;
  const auto& lattice = u.lattice();
  const AlgebraField<double, W> p(lattice, "direction");
  gauge::draw_momenta({seed, 0, gauge::momenta_purpose}, p);
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const auto x = lattice.coordinate(n);
    for (int mu = 0; mu < 4; ++mu)
      if (lattice.owns(x) && !naive_is_variable(boundary, lattice.size(), x[3], mu))
        p.set(x, mu, std::array<double, 8>{});
  }
  const GaugeField<double, W> v(lattice, "displaced links");
  hmc::displace_links(time, p, u, v);
  return v;
}

template <int W>
Outcome compare_averages(const gauge::Boundary& boundary, const GaugeField<double, W>& u, const NaiveAverages& naive) {
  const auto p = gauge::plaquette(boundary, u);
  double worst = 0;
  for (const double difference : {p.spatial - naive.plaquette_spatial, p.temporal - naive.plaquette_temporal,
                                  p.average - naive.plaquette, gauge::rectangle(boundary, u) - naive.rectangle})
    take_larger(worst, difference);
  return at_most(worst, rectangle_limit + naive_sum_rounding(double(u.lattice().volume())));
}

template <int W>
Outcome compare_energies(const hmc::Terms<double, W>& terms, const GaugeField<double, W>& v,
                         const GaugeField<double, W>& u, const gauge::LoopWeights& weights,
                         const gauge::Boundary& boundary) {
  return compare_differences(terms, v, u, naive_action(naive_links(v), weights, boundary),
                             naive_action(naive_links(u), weights, boundary));
}

template <int W>
Outcome compare_energies_with_defect(const hmc::Terms<double, W>& terms, const GaugeField<double, W>& v,
                                     const GaugeField<double, W>& u, const gauge::LoopWeights& weights,
                                     const gauge::Defect& defect, double coupling) {
  const auto action = [&](const GaugeField<double, W>& links) {
    auto weighted = naive_links(links);
    for (std::size_t n = 0; n < weighted.volume(); ++n) {
      const auto x = weighted.coordinate(n);
      bool inside = true;
      for (int mu = 0; mu < 4; ++mu)
        inside = inside && (mu == defect.direction ? x[mu] == weighted.size()[mu] - 1 : x[mu] < defect.length);
      if (inside) weighted(n, defect.direction) = scaled(coupling, weighted(n, defect.direction));
    }
    return naive_action(weighted, weights, {});
  };
  return compare_differences(terms, v, u, action(v), action(u));
}

template <int W>
Outcome compare_overrelaxation(const GaugeField<double, W>& v, const GaugeField<double, W>& u,
                               const gauge::LoopWeights& weights, const gauge::Boundary& boundary) {
  const auto after = naive_action(naive_links(v), weights, boundary),
             before = naive_action(naive_links(u), weights, boundary);
  if (hmc::largest_difference(v, u) < 0.1) return {"links that do not move", "others", false};
  return at_most(std::abs(after.value - before.value) / before.bound,
                 100 * operation_rounding + naive_sum_rounding(double(u.lattice().volume())));
}

Outcome compare_slices(const std::vector<gauge::SliceObservables>& found, const std::vector<NaiveSlice>& naive,
                       double sites) {
  double worst = 0;
  for (std::size_t t = 0; t < naive.size(); ++t) {
    take_larger(worst, found[t].energy_spatial - naive[t].energy_spatial);
    take_larger(worst, found[t].energy_temporal - naive[t].energy_temporal);
    take_larger(worst, (found[t].energy_plaquette - naive[t].energy_plaquette) / 36);
    take_larger(worst, (found[t].topological_charge - naive[t].charge) / sites);
  }
  return at_most(worst, 600 * operation_rounding + naive_sum_rounding(sites));
}

template <int W>
void check_loops(const VerifyCase<W>& c, VerifyReport& report) {
  const auto& boundary = c.input.boundary;
  const auto u = naive_links(c.u);
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  report.section(fmt::format("Loops: compared with naive ones, boundary in t: {}", gauge::name_of(boundary)));
  report.check("average plaquettes, in space and in time, and rectangles",
               [&] { return compare_averages(boundary, c.u, naive_averages(u, boundary)); });
  const auto& size = c.u.lattice().size();
  const double sites = double(size[0]) * size[1] * size[2];
  report.check("energy and topological charge of each time slice", [&] {
    return compare_slices(gauge::slice_observables(boundary, c.u), naive_slices(u, boundary), sites);
  });
  if (std::ranges::count(c.input.measure.observables, "eta_derivative") > 0)
    report.check("dS/d eta / beta: compared with the numerical derivative, relative", [&] {
      const double expected = naive_eta_derivative(u, boundary);
      return at_most(std::abs(gauge::eta_derivative(boundary, c.u) - expected) / std::max(std::abs(expected), sites),
                     1e-8);
    });
  if (c.input.algorithm.kind == AlgorithmKind::heatbath && !c.accurate_terms.empty())
    report.check("S after an overrelaxation sweep minus S before, over the bound of S", [&] {
      const auto v = c.u.clone();
      gauge::overrelaxation_sweep(c.input.action.weights(), v, boundary);
      return compare_overrelaxation(v, c.u, c.input.action.weights(), boundary);
    });
  hmc::Terms<double, W> terms;
  const auto names = c.input.action.terms();
  for (const auto& term : c.accurate_terms)
    if (std::ranges::count(names, term->name()) > 0) terms.push_back(term);
  if (terms.empty()) return;
  report.check("S after a random step minus S before, of the chain's terms, over the bound of S", [&] {
    return compare_energies(terms, displaced(c.u, boundary, seed), c.u, c.input.action.weights(), boundary);
  });
}

#define TRELLIS_INSTANTIATE(W)                                                                                      \
  template Outcome compare_averages<W>(const gauge::Boundary&, const GaugeField<double, W>&, const NaiveAverages&); \
  template Outcome compare_energies<W>(const hmc::Terms<double, W>&, const GaugeField<double, W>&,                  \
                                       const GaugeField<double, W>&, const gauge::LoopWeights&,                     \
                                       const gauge::Boundary&);                                                     \
  template Outcome compare_energies_with_defect<W>(const hmc::Terms<double, W>&, const GaugeField<double, W>&,      \
                                                   const GaugeField<double, W>&, const gauge::LoopWeights&,         \
                                                   const gauge::Defect&, double);                                   \
  template GaugeField<double, W> displaced<W>(const GaugeField<double, W>&, const gauge::Boundary&, std::uint64_t); \
  template Outcome compare_overrelaxation<W>(const GaugeField<double, W>&, const GaugeField<double, W>&,            \
                                             const gauge::LoopWeights&, const gauge::Boundary&);                    \
  template void check_loops<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

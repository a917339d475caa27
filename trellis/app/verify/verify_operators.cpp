// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/verify_operators.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/solver/conjugate_gradient.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"

namespace trellis::app {
namespace {

// D psi, with D the library's operator.
template <int W>
NaiveField<3> applied(const dirac::StaggeredOperator<double, W>& d, const NaiveField<3>& psi) {
  const auto in = full_field<W>(psi, d.lattice());
  const auto out = in.like();
  d.hop(in.part[0], out.part[1]);
  d.hop(in.part[1], out.part[0]);
  return naive_field<W>(out);
}

// Random SU(3) matrices, one per site.
template <int W>
std::vector<NaiveMatrix> random_transformation(const Lattice& lattice, std::uint64_t seed) {
  const GaugeField<double, W> random(lattice);
  gauge::hot_start({seed, 0, gauge::gauge_transformation_purpose}, random);
  const auto links = naive_links(random);
  std::vector<NaiveMatrix> g(links.volume());
  for (std::size_t x = 0; x < g.size(); ++x) g[x] = links(x, 0);
  return g;
}

std::vector<NaiveVector> transformed(const std::vector<NaiveMatrix>& g, const std::vector<NaiveVector>& psi) {
  std::vector<NaiveVector> result(psi.size());
  for (std::size_t x = 0; x < psi.size(); ++x) result[x] = g[x] * psi[x];
  return result;
}

double relative(double a, double b) { return a == b ? 0 : std::abs(a - b) / std::abs(b); }

// psi^dagger (m^2 - D_eo D_oe)^-1 psi of the even part of psi, and the relative error that its residual and the
// rounding of the operator, 100 operations on numbers up to 16 |x|, allow: <e, r> for the error e = A^-1 r.
struct Inverse {
  double value = 0, error = 0;
};
template <int W>
Inverse inverse_of(const dirac::StaggeredOperator<double, W>& a, const ColourVectorField<double, W>& psi) {
  constexpr double residual = 1e-10;
  const auto x = psi.like(), ax = psi.like();
  solver::require_converged(solver::conjugate_gradient(a, psi, x, {residual, 50000}), "gauge covariance");
  const double value = a(x, ax)[0], x2 = solver::norms2(x)[0], psi2 = solver::norms2(psi)[0];
  return {value, (residual * std::sqrt(psi2 * x2) + 1600 * operation_rounding * x2) / value};
}

}  // namespace

template <int W>
Outcome compare_smeared(const GaugeField<double, W>& smeared, const NaiveLinks& naive_smeared,
                        const gauge::SmearingParameters& smearing) {
  return at_most(hmc::largest_difference(smeared, gauge_field<W>(naive_smeared, smeared.lattice())),
                 smearing_limit(smearing));
}

template <int W>
Outcome compare_staggered(const dirac::StaggeredOperator<double, W>& d, const NaiveField<3>& psi,
                          const NaiveField<3>& expected, const gauge::SmearingParameters& smearing) {
  return at_most(largest_difference<3>(applied(d, psi), expected), staggered_limit(smearing));
}

template <int W>
Outcome compare_plaquettes(const GaugeField<double, W>& v, const GaugeField<double, W>& u,
                           const gauge::Boundary& boundary) {
  return at_most(std::abs(gauge::plaquette(boundary, v).average - gauge::plaquette(boundary, u).average),
                 plaquette_limit);
}

template <int W>
Outcome compare_actions(const gauge::LoopWeights& action, const GaugeField<double, W>& v,
                        const GaugeField<double, W>& u, const gauge::Boundary& boundary) {
  const double difference = gauge::action_difference(action, boundary, v, u), s = gauge::action(action, boundary, u);
  const auto largest = largest_weights(action, boundary);
  if (difference == 0) return at_most(0, action_limit(largest, double(u.lattice().volume()), 1));
  return at_most(std::abs(difference / s), action_limit(largest, double(u.lattice().volume()), s));
}

template <int W>
Outcome compare_spectra(const dirac::StaggeredOperator<double, W>& a, const dirac::StaggeredOperator<double, W>& b,
                        std::uint64_t seed) {
  constexpr double tolerance = 1e-6, gap = 1e-4;
  const ColourVectorField<double, W> like(a.lattice(), 0);
  const auto largest = [&](const auto& d) {
    const auto found = solver::largest_eigenvalue(d, like, {seed, 0, solver::spectrum_purpose}, {1000, tolerance});
    if (found.error > tolerance * found.value) fail("the largest eigenvalue was not found in {} steps", found.steps);
    return found.value;
  };
  return at_most(relative(largest(a), largest(b)), tolerance * tolerance / gap);
}

template <int W>
Outcome compare_inverses(const dirac::StaggeredOperator<double, W>& a, const ColourVectorField<double, W>& psi_a,
                         const dirac::StaggeredOperator<double, W>& b, const ColourVectorField<double, W>& psi_b) {
  const auto one = inverse_of(a, psi_a), other = inverse_of(b, psi_b);
  return at_most(relative(one.value, other.value), std::min(one.error + other.error, 1e-6));
}

template <int W>
NaiveSmearing naive_smearing_of(const NaiveLinks& u, const gauge::SmearingParameters& smearing,
                                const Lattice& lattice) {
  if (auto naive = naive_smearing(u, gauge::complete(smearing))) return std::move(*naive);
  const auto smeared = gauge::smeared_links<W>(smearing, lattice);
  NaiveSmearing links{naive_links(smeared->smear(gauge_field<W>(u, lattice)))};
  if (!smeared->long_links()) return links;
  links.one_step = naive_links(smeared->long_links()->one_step);
  links.three_steps = naive_links(smeared->long_links()->three_steps);
  return links;
}

template <int W>
void check_operators(const VerifyCase<W>& c, VerifyReport& report) {
  const auto& lattice = c.u.lattice();
  const auto& quarks = c.input.quarks;
  const auto& boundary = c.input.boundary;
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  const bool has_quarks = !quarks.flavours.empty();
  const NaiveLinks links = naive_links(c.u);
  const auto psi = random_naive_field<3>(links.volume(), seed);

  const auto& smearing = quarks.smearing;
  const auto fat = gauge::smeared_links<W>(smearing, lattice),
             fat_transformed = gauge::smeared_links<W>(smearing, lattice);
  const auto epsilons = quarks.naik_epsilons();
  const GaugeField<double, W>& smeared = fat->smear(c.u);
  const auto packed = dirac::packed_links<W>(*fat, c.u, dirac::staggered_settings, epsilons);
  const NaiveSmearing naive = naive_smearing_of<W>(links, smearing, lattice);
  if (has_quarks) {
    report.section("Smearing and the staggered operator: largest difference from naive loops over the sites");
    const bool thin = smearing.kind == "stout" && smearing.values.at("levels") == 0;
    if (!thin)
      report.check(fmt::format("links after {}", gauge::describe(smearing)),
                   [&] { return compare_smeared(smeared, naive.fat, smearing); });
    if (naive.three_steps)
      report.check(fmt::format("links for hops of three steps, of {}", smearing.kind),
                   [&] { return compare_smeared(fat->long_links()->three_steps, *naive.three_steps, smearing); });
    for (const auto& flavour : quarks.flavours)
      report.check(fmt::format("D psi of flavour '{}'", flavour.name), [&] {
        const dirac::StaggeredOperator<double, W> d(packed.of(flavour.naik_epsilon), phases_of(quarks, flavour),
                                                    flavour.mass);
        return compare_staggered(d, psi, naive_staggered(naive.of(flavour.naik_epsilon), quarks, flavour, psi),
                                 smearing);
      });
  }

  report.section("Gauge covariance: what a random transformation changes");
  const auto g = random_transformation<W>(lattice, seed);
  const auto v = gauge_field<W>(naive_transformed(links, g), lattice);
  report.check("links: these do change", [&] { return at_least(hmc::largest_difference(v, c.u), 0.5); });
  report.check("plaquette", [&] { return compare_plaquettes(v, c.u, boundary); });
  const gauge::LoopWeights action = c.input.action.weights();
  report.check("gauge action S, relative", [&] { return compare_actions(action, v, c.u, boundary); });
  for (const auto& term : c.accurate_terms) {
    if (term->has_pseudofermions()) continue;
    report.check(fmt::format("size of the force of '{}', relative", term->name()), [&] {
      const AlgebraField<double, W> before(lattice), after(lattice), zero(lattice);
      term->add_force(c.u, 1, before);
      term->add_force(v, 1, after);
      const double size = hmc::distance(before, zero).root_mean_square;
      return at_most(relative(hmc::distance(after, zero).root_mean_square, size),
                     size > 0 ? force_size_limit(largest_weights(action, boundary), size) : 0);
    });
  }
  if (!has_quarks) return;
  const auto packed_v = dirac::packed_links<W>(*fat_transformed, v, dirac::staggered_settings, epsilons);
  for (const auto& flavour : quarks.flavours) {
    const auto phases = phases_of(quarks, flavour);
    const dirac::StaggeredOperator<double, W> d(packed.of(flavour.naik_epsilon), phases, flavour.mass),
        dg(packed_v.of(flavour.naik_epsilon), phases, flavour.mass);
    const auto g_psi = transformed(g, psi);
    report.check(fmt::format("'{}': g D psi and D^g g psi, largest difference", flavour.name), [&] {
      const auto expected = transformed(g, naive_staggered(naive.of(flavour.naik_epsilon), quarks, flavour, psi));
      return compare_staggered(dg, g_psi, expected, smearing);
    });
    report.check(fmt::format("'{}': largest eigenvalue of -D_eo D_oe, relative", flavour.name),
                 [&] { return compare_spectra(dg, d, seed); });
    report.check(fmt::format("'{}': psi^dagger (m^2 - D_eo D_oe)^-1 psi, relative", flavour.name), [&] {
      return compare_inverses(dg, full_field<W>(g_psi, lattice).part[0], d, full_field<W>(psi, lattice).part[0]);
    });
  }
}

#define TRELLIS_INSTANTIATE(W)                                                                                      \
  template Outcome compare_smeared<W>(const GaugeField<double, W>&, const NaiveLinks&,                              \
                                      const gauge::SmearingParameters&);                                            \
  template Outcome compare_staggered<W>(const dirac::StaggeredOperator<double, W>&, const NaiveField<3>&,           \
                                        const NaiveField<3>&, const gauge::SmearingParameters&);                    \
  template Outcome compare_plaquettes<W>(const GaugeField<double, W>&, const GaugeField<double, W>&,                \
                                         const gauge::Boundary&);                                                   \
  template Outcome compare_actions<W>(const gauge::LoopWeights&, const GaugeField<double, W>&,                      \
                                      const GaugeField<double, W>&, const gauge::Boundary&);                        \
  template Outcome compare_spectra<W>(const dirac::StaggeredOperator<double, W>&,                                   \
                                      const dirac::StaggeredOperator<double, W>&, std::uint64_t);                   \
  template Outcome compare_inverses<W>(                                                                             \
      const dirac::StaggeredOperator<double, W>&, const ColourVectorField<double, W>&,                              \
      const dirac::StaggeredOperator<double, W>&, const ColourVectorField<double, W>&);                             \
  template NaiveSmearing naive_smearing_of<W>(const NaiveLinks&, const gauge::SmearingParameters&, const Lattice&); \
  template void check_operators<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

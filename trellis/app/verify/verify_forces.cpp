// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/verify/naive_boundary.hpp"
#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/app/verify/verify_limits.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::app {
namespace {

constexpr double step = 4e-3;  // of the numerical derivative
constexpr int random_links = 2;

// Where a wrong force at the boundaries in time would show: slice and direction of one link each.
std::vector<std::pair<int, int>> links_at_boundaries(const gauge::Boundary& boundary, const Coordinate& size) {
  const int end = boundary.last_slice(size);
  if (boundary.is_periodic()) return {{end, 3}};
  if (boundary.kind == gauge::BoundaryKind::open) return {{end - 1, 3}, {0, 0}, {end, 1}};
  return {{end - 1, 3}, {0, 3}, {1, 2}, {end - 1, 0}};
}

// f(number, coordinate, direction) for the links of this rank.
template <class F>
void for_own_links(const Lattice& lattice, const F& f) {
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const auto x = lattice.coordinate(n);
    if (!lattice.owns(x)) continue;
    for (int mu = 0; mu < 4; ++mu) f(n, x, mu);
  }
}

// Over all ranks, with the same bits on any number of them.
double sum_of_ranks(const Lattice& lattice, ExactSum sum) {
  lattice.ranks().add("sum over links", {&sum, 1});
  return sum.value();
}

// sum_a p_a q_a over all links
template <int W>
double product(const AlgebraField<double, W>& p, const AlgebraField<double, W>& q) {
  ExactSum sum;
  for_own_links(p.lattice(), [&](std::int64_t, const Coordinate& x, int mu) {
    const auto a = p.at(x, mu), b = q.at(x, mu);
    for (std::size_t k = 0; k < 8; ++k) sum.add(a[k] * b[k]);
  });
  return sum_of_ranks(p.lattice(), sum);
}

// Directions p with |p|^2 = 8, the mean for one link's random momentum: one link each, then all links.
template <int W>
std::vector<AlgebraField<double, W>> random_directions(const Lattice& lattice, std::uint64_t seed,
                                                       const gauge::Boundary& boundary) {
  const RandomStream stream{seed, 0, RandomPurpose::test};
  const AlgebraField<double, W> all(lattice, "direction");
  gauge::draw_momenta({seed, 0, gauge::momenta_purpose}, all);
  std::vector<AlgebraField<double, W>> result;
  const auto add = [&](auto&& keep) {
    const AlgebraField<double, W> p(lattice, "direction");
    ExactSum squares;
    for_own_links(lattice, [&](std::int64_t n, const Coordinate& x, int mu) {
      if (keep(n, x, mu))
        for (const double component : all.at(x, mu)) squares.add(component * component);
    });
    const double factor = std::sqrt(8 / sum_of_ranks(lattice, squares));
    for_own_links(lattice, [&](std::int64_t n, const Coordinate& x, int mu) {
      if (!keep(n, x, mu)) return;
      auto a = all.at(x, mu);
      for (double& component : a) component *= factor;
      p.set(x, mu, a);
    });
    result.push_back(p);
  };
  const auto is_variable = [&](const Coordinate& x, int mu) {
    return naive_is_variable(boundary, lattice.size(), x[3], mu);
  };
  auto places = links_at_boundaries(boundary, lattice.size());
  const auto single_links = places.size() + random_links;
  for (std::uint64_t k = 0, taken = 0; taken < single_links; ++k) {
    const auto [r, s] = stream.uniform(k, 0);
    auto x = lattice.coordinate(static_cast<std::int64_t>(r * double(lattice.volume())));
    int mu = static_cast<int>(4 * s);
    if (taken < places.size()) std::tie(x[3], mu) = places[taken];
    if (!is_variable(x, mu)) continue;
    ++taken;
    const auto site = lattice.lexicographic(x);
    add([site, mu](std::int64_t n, const Coordinate&, int nu) { return n == site && nu == mu; });
  }
  add([&](std::int64_t, const Coordinate& x, int mu) { return is_variable(x, mu); });
  return result;
}

// A force that is limited is not a derivative. Blames the filter only if the force without it is one.
template <int W>
Outcome with_filter_blamed(Outcome outcome, const VerifyCase<W>& c, std::size_t number) {
  const double filter = force_filter(c.accurate);
  if (outcome.passed || filter == 0) return outcome;
  RunInput without = c.accurate;
  without.quarks.smearing.values["force_filter"] = 0;
  const auto terms = make_terms<W>(without, c.u.lattice());
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  if (!check_force(*terms[number], c.u, seed, c.input.boundary).passed) return outcome;
  return with_note(outcome,
                   fmt::format("smearing.force_filter = {} acted and is the cause: it limits the force on these "
                               "links, which is then no derivative; with 0 this check passes",
                               filter));
}

}  // namespace

template <int W>
Outcome check_force(hmc::Term<double, W>& term, const GaugeField<double, W>& u, std::uint64_t seed,
                    const gauge::Boundary& boundary) {
  term.refresh({seed, 0, gauge::momenta_purpose}, u);
  const AlgebraField<double, W> force(u.lattice(), "force");
  term.add_force(u, 1, force);
  const GaugeField<double, W> displaced(u.lattice(), "displaced links");
  // Of S, or of the part that a step changes.
  const double size = term.has_pseudofermions() ? 1.5 * double(u.lattice().volume()) : 1;
  double worst = 0, largest = 0;
  // The worst of several directions, and up to some ten poles' solutions in each: four times the limit of one.
  const auto limit = [&] { return std::min(4 * derivative_limit(step, size, largest), 1e-7); };
  for (const auto& p : random_directions<W>(u.lattice(), seed, boundary)) {
    const auto energy = [&](double t) {
      hmc::displace_links(t, p, u, displaced);
      return term.difference(displaced, u);
    };
    const double one = energy(step) - energy(-step), two = energy(2 * step) - energy(-2 * step);
    const double expected = -product(p, force);
    double slope = (8 * one - two) / (12 * step);
    if (!std::isfinite(slope)) return at_most(slope, 0);
    largest = std::max(largest, std::abs(slope));
    // Where links smeared to SU(3) or U(3) are nearly singular, the energy has wavelengths that need another order.
    if (std::abs(slope - expected) > limit() * largest)
      slope = (45 * one - 9 * two + energy(3 * step) - energy(-3 * step)) / (60 * step);
    worst = std::max(worst, std::abs(slope - expected));
  }
  if (largest == 0 && worst == 0) return for_information("no force");  // beta = 0
  return at_most(worst / largest, limit());
}

template <int W>
Outcome check_fixed_links(hmc::Term<double, W>& term, const GaugeField<double, W>& u, std::uint64_t seed,
                          const gauge::Boundary& boundary) {
  const auto& lattice = u.lattice();
  term.refresh({seed, 0, gauge::momenta_purpose}, u);
  const AlgebraField<double, W> p(lattice, "momenta");
  gauge::draw_momenta({seed, 0, gauge::momenta_purpose}, p);
  for_own_links(lattice, [&](std::int64_t, const Coordinate& x, int mu) {
    if (!naive_is_variable(boundary, lattice.size(), x[3], mu)) p.set(x, mu, std::array<double, 8>{});
  });
  term.add_force(u, 1, p);
  double largest = 0;
  for_own_links(lattice, [&](std::int64_t, const Coordinate& x, int mu) {
    if (naive_is_variable(boundary, lattice.size(), x[3], mu)) return;
    for (const double component : p.at(x, mu))
      if (!(std::abs(component) <= largest)) largest = std::abs(component);
  });
  return at_most(largest, 0);
}

template <int W>
void check_forces(const VerifyCase<W>& c, VerifyReport& report) {
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  const auto& boundary = c.input.boundary;
  report.section(
      fmt::format("Forces: compared with the derivative of the energy, for {} single links and for all links",
                  links_at_boundaries(boundary, c.u.lattice().size()).size() + random_links));
  for (std::size_t n = 0; n < c.accurate_terms.size(); ++n)
    report.check(fmt::format("force of '{}'", c.accurate_terms[n]->name()),
                 [&] { return with_filter_blamed(check_force(*c.accurate_terms[n], c.u, seed, boundary), c, n); });
  if (!boundary.is_periodic())
    for (const auto& term : c.accurate_terms)
      report.check(fmt::format("force of '{}' on links that are no variables", term->name()),
                   [&] { return check_fixed_links(*term, c.u, seed, boundary); });
  const auto quarks = quark_terms(c.input.quarks);
  const auto gauge_terms = c.terms.size() - quarks.size();
  for (std::size_t i = 0; i < quarks.size(); ++i) {
    const auto &term = c.terms[gauge_terms + i], &accurate = c.accurate_terms[gauge_terms + i];
    report.check(fmt::format("force of '{}' in molecular dynamics ({}), relative to the exact one", quarks[i].name,
                             c.input.algorithm.precision == "single" ? "in double precision"
                                                                     : c.input.solver.molecular_dynamics_precision),
                 [&] {
                   const AlgebraField<double, W> exact(c.u.lattice()), own(c.u.lattice()), zero(c.u.lattice());
                   for (const auto& [of, force] : {std::pair{accurate, &exact}, {term, &own}}) {
                     of->refresh({seed, 0, gauge::momenta_purpose}, c.u);
                     of->add_force(c.u, 1, *force);
                   }
                   return check_force_accuracy(
                       hmc::distance(own, exact).root_mean_square / hmc::distance(exact, zero).root_mean_square,
                       c.input, quarks[i]);
                 });
  }
}

#define TRELLIS_INSTANTIATE(W)                                                                              \
  template Outcome check_force<W>(hmc::Term<double, W>&, const GaugeField<double, W>&, std::uint64_t,       \
                                  const gauge::Boundary&);                                                  \
  template Outcome check_fixed_links<W>(hmc::Term<double, W>&, const GaugeField<double, W>&, std::uint64_t, \
                                        const gauge::Boundary&);                                            \
  template void check_forces<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

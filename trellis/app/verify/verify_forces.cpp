// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "trellis/app/verify/verify_checks.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::app {
namespace {

constexpr double force_limit = 1e-7;
constexpr int single_links = 3;

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
std::vector<AlgebraField<double, W>> random_directions(const Lattice& lattice, std::uint64_t seed) {
  const RandomStream stream{seed, 0, RandomPurpose::test};
  const AlgebraField<double, W> all(lattice, "direction");
  gauge::draw_momenta({seed, 0, gauge::momenta_purpose}, all);
  std::vector<AlgebraField<double, W>> result;
  const auto add = [&](auto&& keep) {
    const AlgebraField<double, W> p(lattice, "direction");
    ExactSum squares;
    for_own_links(lattice, [&](std::int64_t n, const Coordinate& x, int mu) {
      if (keep(n, mu))
        for (const double component : all.at(x, mu)) squares.add(component * component);
    });
    const double factor = std::sqrt(8 / sum_of_ranks(lattice, squares));
    for_own_links(lattice, [&](std::int64_t n, const Coordinate& x, int mu) {
      if (!keep(n, mu)) return;
      auto a = all.at(x, mu);
      for (double& component : a) component *= factor;
      p.set(x, mu, a);
    });
    result.push_back(p);
  };
  for (int k = 0; k < single_links; ++k) {
    const auto [r, s] = stream.uniform(std::uint64_t(k), 0);
    auto x = lattice.coordinate(static_cast<std::int64_t>(r * double(lattice.volume())));
    int mu = static_cast<int>(4 * s);
    if (k == 0) {  // at the time boundary
      x[3] = lattice.size(3) - 1;
      mu = 3;
    }
    const auto site = lattice.lexicographic(x);
    add([site, mu](std::int64_t n, int nu) { return n == site && nu == mu; });
  }
  add([](std::int64_t, int) { return true; });
  return result;
}

}  // namespace

template <int W>
Outcome check_force(hmc::Term<double, W>& term, const GaugeField<double, W>& u, std::uint64_t seed) {
  term.refresh({seed, 0, gauge::momenta_purpose}, u);
  const AlgebraField<double, W> force(u.lattice(), "force");
  term.add_force(u, 1, force);
  const GaugeField<double, W> displaced(u.lattice(), "displaced links");
  constexpr double h = 4e-3;
  double worst = 0, largest = 0;
  for (const auto& p : random_directions<W>(u.lattice(), seed)) {
    const auto energy = [&](double t) {
      hmc::displace_links(t, p, u, displaced);
      return term.difference(displaced, u);
    };
    const double slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
    worst = std::max(worst, std::abs(slope + product(p, force)));
    largest = std::max(largest, std::abs(slope));
    if (!std::isfinite(slope)) return at_most(slope, force_limit);
  }
  if (largest == 0 && worst == 0) return for_information("no force");  // beta = 0
  return at_most(worst / largest, force_limit);
}

template <int W>
void check_forces(const VerifyCase<W>& c, VerifyReport& report) {
  const auto seed = static_cast<std::uint64_t>(c.input.chain.seed);
  report.section(fmt::format(
      "Forces: compared with the derivative of the energy, for {} single links and for all links", single_links));
  for (const auto& term : c.accurate_terms)
    report.check(fmt::format("force of '{}'", term->name()), [&] { return check_force(*term, c.u, seed); });
  const auto& solver = c.input.solver;
  for (std::size_t i = 0; i < c.terms.size(); ++i) {
    if (!c.terms[i]->has_pseudofermions()) continue;
    report.check(
        fmt::format("force of '{}' in molecular dynamics ({}), relative to the exact one", c.terms[i]->name(),
                    solver.molecular_dynamics_precision),
        [&] {
          const AlgebraField<double, W> exact(c.u.lattice()), own(c.u.lattice()), zero(c.u.lattice());
          for (const auto& [term, force] : {std::pair{c.accurate_terms[i], &exact}, {c.terms[i], &own}}) {
            term->refresh({seed, 0, gauge::momenta_purpose}, c.u);
            term->add_force(c.u, 1, *force);
          }
          const double error = std::max({solver.molecular_dynamics_residual, c.input.rational.molecular_dynamics_error,
                                         solver.molecular_dynamics_precision == "single" ? 1e-6 : 0.0});
          return at_most(hmc::distance(own, exact).root_mean_square / hmc::distance(exact, zero).root_mean_square,
                         1000 * error);
        });
  }
}

#define TRELLIS_INSTANTIATE(W)                                                                         \
  template Outcome check_force<W>(hmc::Term<double, W>&, const GaugeField<double, W>&, std::uint64_t); \
  template void check_forces<W>(const VerifyCase<W>&, VerifyReport&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

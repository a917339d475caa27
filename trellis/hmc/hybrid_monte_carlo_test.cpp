// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "tests/support/changed_term.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/action.hpp"
#include "reference/molecular_dynamics.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

constexpr std::uint64_t seed = 20260;

template <int W>
GaugeField<double, W> warm_links(const Coordinate& size) {
  const Lattice lattice(size, W);
  const auto u = GaugeField<double, W>::unit(lattice);
  const AlgebraField<double, W> p(lattice);
  gauge::draw_momenta({seed, 0, RandomPurpose::test}, p);
  gauge::update_links(0.4, p, u);
  return u;
}

template <int W>
HybridMonteCarlo<double, W> wilson(const Lattice& lattice, double beta, const Scheme& scheme, int steps,
                                   double length = 1.0) {
  return {{length, {{scheme, steps, {"gauge"}}}},
          make_gauge_terms<double, W>({{"gauge", gauge::Action{beta, 0}}}),
          lattice};
}

// A Symanzik action in two terms on two levels, with every kind of step.
template <int W>
HybridMonteCarlo<double, W> two_levels(const Lattice& lattice) {
  const gauge::LoopWeights whole = gauge::Action{4.5, -1.0 / 12};
  return {{0.5, {{force_gradient(), 2, {"rectangles"}}, {minimum_norm_2(), 1, {"plaquettes"}}}},
          make_gauge_terms<double, W>({{"plaquettes", {whole.plaquette, 0}}, {"rectangles", {0, whole.rectangle}}}),
          lattice};
}

reference::Momenta momenta_of_trajectory(const Coordinate& size, std::uint32_t trajectory) {
  const AlgebraField<double, 1> p{Lattice(size)};
  gauge::draw_momenta({seed, trajectory, gauge::momenta_purpose}, p);
  reference::Momenta h;
  for (std::int64_t n = 0; n < p.lattice().volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) h.push_back(reference::from_coefficients(p.at(p.lattice().coordinate(n), mu)));
  return h;
}

TEST(HybridMonteCarlo, AgreesWithReference) {
  const Coordinate size{2, 4, 2, 4};
  const int steps = 3;
  const double length = 0.6;
  for (const gauge::LoopWeights weights :
       {gauge::LoopWeights(gauge::Action{5.5, 0}), gauge::LoopWeights(gauge::Action{5.5, -1.0 / 12}),
        gauge::one_loop_symanzik(7, 0.86, 4)})
    for (const bool fourth : {false, true}) {
      const auto u = warm_links<1>(size);
      gauge::hot_start({seed, 0, gauge::hot_start_purpose}, u);
      auto c = test::to_reference(u);
      auto h = momenta_of_trajectory(size, 3);
      const reference::LoopWeights same{weights.plaquette, weights.rectangle, weights.parallelogram};
      const auto energy = [&] { return reference::kinetic_energy(h) + reference::gauge_action(c, same); };
      const double before = energy(), kinetic_before = reference::kinetic_energy(h);
      reference::integrate(
          c, h, [&](const auto& v) { return reference::gauge_derivative(v, same); },
          fourth ? reference::minimum_norm_4() : reference::minimum_norm_2(), length / steps, steps);

      const HybridMonteCarlo<double, 1> hmc({length, {{fourth ? minimum_norm_4() : minimum_norm_2(), steps, {"S"}}}},
                                            make_gauge_terms<double, 1>({{"S", weights}}), u.lattice());
      const auto record = hmc({.seed = seed, .trajectory = 3, .accept_always = true}, u);
      EXPECT_NEAR(record.dH, energy() - before, 1e-10);
      EXPECT_NEAR(record.kinetic_difference, reference::kinetic_energy(h) - kinetic_before, 1e-10);
      EXPECT_DOUBLE_EQ(record.dH, record.kinetic_difference + record.terms.at(0).difference);
      EXPECT_LT(test::distance(test::to_reference(u), c), 1e-12);
      EXPECT_GT(std::abs(record.dH), 1e-3);
    }
}

TEST(HybridMonteCarlo, EnergyChangeFallsWithTheOrder) {
  const Coordinate size{4, 4, 4, 4};
  const auto rms = [&](const Scheme& scheme, int steps) {
    double sum = 0;
    for (std::uint32_t t = 0; t < 4; ++t) {
      const auto u = warm_links<wide>(size);
      const double dH = wilson<wide>(u.lattice(), 5.5, scheme, steps, 0.5)({seed, t, true, false}, u).dH;
      sum += dH * dH;
    }
    return std::sqrt(sum);
  };
  for (const auto& [scheme, order, steps] :
       {std::tuple{leapfrog(), 2, 10}, {minimum_norm_2(), 2, 6}, {minimum_norm_4(), 4, 4}, {force_gradient(), 4, 4}}) {
    // Slope of log dH over log step, least squares through three points a factor of 2 apart.
    const double coarse = rms(scheme, steps), fine = rms(scheme, 4 * steps);
    EXPECT_NEAR(0.5 * std::log2(coarse / fine), order, 0.15) << scheme.name << " " << coarse << " " << fine;
  }
}

// All loops in a term of their own, on a level of their own.
template <int W>
HybridMonteCarlo<double, W> one_loop_symanzik(const Lattice& lattice, const Scheme& scheme, int steps) {
  const gauge::LoopWeights whole = gauge::one_loop_symanzik(7, 0.86, 4);
  return {{0.5, {{scheme, steps, {"parallelograms"}}, {scheme, 1, {"rectangles"}}, {scheme, 2, {"plaquettes"}}}},
          make_gauge_terms<double, W>({{"plaquettes", {whole.plaquette, 0, 0}},
                                       {"rectangles", {0, whole.rectangle, 0}},
                                       {"parallelograms", {0, 0, whole.parallelogram}}}),
          lattice};
}

TEST(HybridMonteCarlo, OneLoopSymanzikHasTheOrderOfItsIntegratorAndIsReversible) {
  const auto rms = [&](const Scheme& scheme, int steps) {
    double sum = 0;
    for (std::uint32_t t = 0; t < 4; ++t) {
      const auto u = warm_links<wide>({4, 4, 4, 4});
      const auto record = one_loop_symanzik<wide>(u.lattice(), scheme, steps)({seed, t, true, true}, u);
      EXPECT_LT(record.reversibility->links, 1e-13);
      EXPECT_LT(record.reversibility->momenta, 1e-12);
      sum += record.dH * record.dH;
    }
    return std::sqrt(sum);
  };
  for (const auto& [scheme, order, steps] :
       {std::tuple{leapfrog(), 2, 8}, {minimum_norm_2(), 2, 4}, {minimum_norm_4(), 4, 3}}) {
    const double coarse = rms(scheme, steps), fine = rms(scheme, 4 * steps);
    EXPECT_NEAR(0.5 * std::log2(coarse / fine), order, 0.2) << scheme.name << " " << coarse << " " << fine;
  }
}

TEST(HybridMonteCarlo, IsReversible) {
  const auto u = warm_links<wide>({4, 4, 4, 4});
  const auto record = two_levels<wide>(u.lattice())({seed, 1, true, true}, u);
  ASSERT_TRUE(record.reversibility);
  EXPECT_LT(record.reversibility->links, 1e-13);
  EXPECT_LT(record.reversibility->momenta, 1e-12);
  EXPECT_LT(record.reversibility->energy, 1e-10);
  EXPECT_GT(record.reversibility->links + record.reversibility->momenta, 0);  // it was measured
  EXPECT_GT(record.profile.reversibility, 0);

  // A force that depends on the past is not.
  const auto term = test::with_scaled_force(make_gauge_terms<double, wide>({{"gauge", gauge::Action{5.5, 0}}})[0],
                                            [calls = 0]() mutable { return 1 + 1e-6 * ++calls; });
  const HybridMonteCarlo<double, wide> drifting({1, {{leapfrog(), 5, {"gauge"}}}}, {term}, u.lattice());
  EXPECT_GT(drifting({seed, 1, true, true}, u).reversibility->links, 1e-7);
}

TEST(HybridMonteCarlo, TermsOnOneLevelAreTheWholeAction) {
  const auto u = warm_links<wide>({4, 4, 4, 4}), v = u.clone(), w = u.clone();
  const gauge::LoopWeights whole = gauge::Action{4.5, -1.0 / 12};
  const auto both =
      make_gauge_terms<double, wide>({{"plaquettes", {whole.plaquette, 0}}, {"rectangles", {0, whole.rectangle}}});
  const TrajectoryRequest request{seed, 5, true, false};
  const auto one = HybridMonteCarlo<double, wide>(
      {1, {{leapfrog(), 8, {"gauge"}}}}, make_gauge_terms<double, wide>({{"gauge", whole}}), u.lattice())(request, u);
  const auto two = HybridMonteCarlo<double, wide>({1, {{leapfrog(), 8, {"plaquettes", "rectangles"}}}}, both,
                                                  u.lattice())(request, v);
  const auto nested = HybridMonteCarlo<double, wide>(
      {1, {{leapfrog(), 8, {"rectangles"}}, {leapfrog(), 1, {"plaquettes"}}}}, both, u.lattice())(request, w);
  EXPECT_NEAR(two.dH, one.dH, 1e-11);
  EXPECT_NEAR(nested.dH, one.dH, 1e-11);
  EXPECT_LT(largest_difference(u, v), 1e-13);
  EXPECT_LT(largest_difference(u, w), 1e-13);
  EXPECT_NEAR(two.terms[0].difference + two.terms[1].difference, one.terms[0].difference, 1e-11);
}

TEST(HybridMonteCarlo, BitsDoNotDependOnLanesOrThreads) {
  const Coordinate size{4, 4, 8, 8};
  const auto one = warm_links<1>(size);
  const TrajectoryRequest request{seed, 2, true, false};
  const auto expected = two_levels<1>(one.lattice())(request, one);
  const auto links = test::to_reference(one).links;
  const int threads_before = concurrency();
  for (const int threads : {1, 2})
    test::for_each_lane_count(size, [&]<int W>() {
      set_thread_count(threads);
      const auto u = warm_links<W>(size);
      EXPECT_EQ(two_levels<W>(u.lattice())(request, u).dH, expected.dH) << W << " lanes, " << threads << " threads";
      EXPECT_EQ(test::to_reference(u).links, links) << W << " lanes, " << threads << " threads";
    });
  set_thread_count(threads_before);
}

TEST(HybridMonteCarlo, ForceNormsAreThoseOfTheForce) {
  const TrajectoryRequest request{seed, 2, true, false};
  // The norms are those of the first kick, at the start.
  const auto w = warm_links<wide>({4, 4, 4, 4});
  const AlgebraField<double, wide> force(w.lattice());
  const gauge::Action action{5.5, 0};
  gauge::add_force(action, w, 1.0, force);
  double sum = 0, largest = 0;
  for (std::int64_t n = 0; n < w.lattice().volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) {
      double square = 0;
      for (const double f : force.at(w.lattice().coordinate(n), mu)) square += f * f;
      sum += square;
      largest = std::max(largest, square);
    }
  int evaluations = 0;
  const auto counted = test::with_scaled_force(make_gauge_terms<double, wide>({{"gauge", action}})[0], [&] {
    ++evaluations;
    return 1.0;
  });
  const HybridMonteCarlo<double, wide> hmc({1e-7, {{leapfrog(), 2, {"gauge"}}}}, {counted}, w.lattice());
  const auto term = hmc(request, w).terms.at(0);
  EXPECT_EQ(evaluations, 3);
  EXPECT_NEAR(term.force_average / std::sqrt(sum / 1024), 1, 1e-6);
  EXPECT_NEAR(term.force_maximum / std::sqrt(largest), 1, 1e-6);
}

TEST(HybridMonteCarlo, Metropolis) {
  const auto u = warm_links<wide>({4, 4, 4, 4});
  const auto hmc = wilson<wide>(u.lattice(), 5.5, minimum_norm_2(), 3);
  for (std::uint32_t t = 0; t < 20; ++t)
    EXPECT_TRUE(hmc({.seed = seed, .trajectory = t, .accept_always = true}, u).accepted);
  int accepted = 0;
  for (std::uint32_t t = 20; t < 80; ++t) {
    const auto before = u.clone();
    const auto record = hmc({.seed = seed, .trajectory = t}, u);
    const double r = RandomStream{seed, t, metropolis_purpose}.uniform(0, 0)[0];
    EXPECT_EQ(record.accepted, std::log(r) < -record.dH) << t;
    EXPECT_EQ(largest_difference(u, before) == 0, !record.accepted) << t;
    EXPECT_EQ(record.exp_minus_dH, std::exp(-record.dH));
    accepted += record.accepted ? 1 : 0;
  }
  EXPECT_GT(accepted, 5);
  EXPECT_LT(accepted, 55);

  // Far too long a step: rejected, unless every trajectory is accepted.
  const auto coarse = wilson<wide>(u.lattice(), 5.5, leapfrog(), 1, 3.0);
  const auto before = u.clone();
  EXPECT_FALSE(coarse({.seed = seed, .trajectory = 1}, u).accepted);
  EXPECT_TRUE(coarse({.seed = seed, .trajectory = 1, .accept_always = true}, u).accepted);
}

TEST(HybridMonteCarlo, EnergyThatIsNoNumberIsAnError) {
  const auto u = warm_links<wide>({4, 4, 4, 4});
  const auto term =
      std::make_shared<test::ChangedTerm<wide>>(make_gauge_terms<double, wide>({{"gauge", gauge::Action{5.5, 0}}})[0]);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    term->energy = [bad](const auto&, const auto&) { return bad; };
    const HybridMonteCarlo<double, wide> hmc({1, {{leapfrog(), 2, {"gauge"}}}}, {term}, u.lattice());
    const auto before = u.clone();
    try {
      hmc({.seed = seed, .trajectory = 17, .accept_always = true}, u);
      FAIL();
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("trajectory 18:"), std::string::npos) << e.what();
    }
    EXPECT_EQ(largest_difference(u, before), 0);
  }
}

TEST(HybridMonteCarlo, LevelsAndTermsMustMatch) {
  const Lattice lattice({4, 4, 4, 4}, wide);
  const auto terms = make_gauge_terms<double, wide>({{"a", {1, 0}}, {"b", {0, 1}}});
  const auto make = [&](std::vector<Level> levels) {
    return HybridMonteCarlo<double, wide>({1.0, std::move(levels)}, terms, lattice);
  };
  EXPECT_NO_THROW(make({{leapfrog(), 2, {"b", "a"}}}));
  EXPECT_THROW(make({{leapfrog(), 2, {"a"}}}), InputError);
  EXPECT_THROW(make({{leapfrog(), 2, {"a", "b"}}, {leapfrog(), 2, {"b"}}}), InputError);
  EXPECT_THROW(make({{leapfrog(), 2, {"a", "b"}}, {leapfrog(), 2, {}}}), InputError);
  try {
    make({{leapfrog(), 2, {"a", "c"}}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "integrator level 0: the action has no term 'c'; it has a, b");
  }
}

TEST(HybridMonteCarlo, ProfileAddsUp) {
  const auto u = warm_links<wide>({4, 4, 4, 4});
  const auto p = wilson<wide>(u.lattice(), 5.5, minimum_norm_2(), 4)({seed, 0, true, false}, u).profile;
  const double sum = p.force + p.links + p.momenta + p.energy + p.copies;
  EXPECT_LE(sum, p.total);
  for (const double part : {p.force, p.links, p.momenta, p.energy}) EXPECT_GT(part, 0);
  EXPECT_GT(p.overhead(), 0);
  EXPECT_LT(p.overhead(), 1);
}

}  // namespace
}  // namespace trellis::hmc

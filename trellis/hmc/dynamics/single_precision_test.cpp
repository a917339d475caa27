// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Molecular dynamics in single precision: the forces of double precision, reversible and of the integrator's order down
// to rounding, with the same averages. Bits on several ranks are tested in hmc_ranks_test.cpp.
#include "trellis/hmc/dynamics/single_precision.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/certificate.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/heatbath.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/hmc/replay.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

enum class Quarks { none, two_plus_one };

struct Action {
  Quarks quarks = Quarks::none;
  double residual = 1e-6;  // of forces

  std::vector<QuarkTerm> quark_terms() const {
    if (quarks == Quarks::none) return {};
    return {{"light", 0.3, 0.7, 0.5, 1, {.imaginary_mu = 0.2}},
            {"split", 0.7, 0, 0.25, 2, {.imaginary_mu = 0.2}},
            {"strange", 0.6, 0, 0.25, 1, {.imaginary_mu = 0.2, .quanta = {0, 0, 0, 0, 0, 1}}}};
  }
  QuarkAction quark_action() const {
    QuarkAction action;
    action.smearing = gauge::stout_smearing(0.12, 2);
    action.molecular_dynamics_error = 1e-7;
    action.molecular_dynamics_residual = residual;
    return action;
  }
  std::vector<GaugeTerm> gauge_terms() const {
    const gauge::LoopWeights whole = gauge::Action{quarks == Quarks::none ? 5.0 : 4.0, -1.0 / 12};
    return {{"plaquettes", {whole.plaquette, 0}}, {"rectangles", {0, whole.rectangle}}};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all{"plaquettes", "rectangles"};
    for (const auto& term : quark_terms()) all.push_back(term.name);
    return all;
  }

  template <class T, int W>
  Terms<T, W> terms(const Lattice& lattice) const {
    auto all = make_gauge_terms<T, W>(gauge_terms());
    const auto add = [&](const Terms<T, W>& more) { all.insert(all.end(), more.begin(), more.end()); };
    if (quarks == Quarks::none) return all;
    if constexpr (std::is_same_v<T, double>)
      add(make_quark_terms<W>(quark_action(), quark_terms(), lattice));
    else
      add(make_quark_forces<W>(quark_action(), quark_terms(), lattice));
    return all;
  }

  template <int W>
  HybridMonteCarlo<double, W> hmc(const HmcParameters& parameters, const Lattice& lattice, bool in_single) const {
    std::shared_ptr<const SinglePrecisionDynamics<W>> single;
    if (in_single)
      single = single_precision_dynamics<W>(parameters, lattice,
                                            [&]<int WS>(const Lattice& there) { return terms<float, WS>(there); });
    return {parameters, terms<double, W>(lattice), lattice, single};
  }
};

template <int W>
GaugeField<double, W> warm_links(const Coordinate& extents) {
  return test::from_reference<double, W>(reference::warm_configuration(extents, 11, 0.4));
}

HmcParameters leapfrog_of(const Action& action, double length, int steps) {
  return {length, {{leapfrog(), steps, action.names()}}};
}

// Each term's force on the same links, of the same pseudofermions.
TEST(SinglePrecision, ForcesAreThoseOfDoublePrecision) {
  for (const auto quarks : {Quarks::none, Quarks::two_plus_one}) {
    const auto u = warm_links<wide>({4, 4, 4, 4});
    const Lattice& lattice = u.lattice();
    const Action action{quarks, 1e-7};
    with_single_lanes<wide>(lattice.size(), [&]<int WS>() {
      const Lattice single = with_lane_count(lattice, WS);
      const SiteMap there(lattice, single), back(single, lattice);
      const GaugeField<float, WS> links(single);
      convert_links(there, u, links);
      const auto terms = action.terms<double, wide>(lattice);
      const auto forces = action.terms<float, WS>(single);
      ASSERT_EQ(terms.size(), forces.size());
      for (std::size_t i = 0; i < terms.size(); ++i) {
        EXPECT_EQ(terms[i]->name(), forces[i]->name());
        terms[i]->refresh({3, 0, gauge::momenta_purpose}, u);
        const auto from = terms[i]->sources();
        const auto to = forces[i]->sources();
        ASSERT_EQ(from.size(), to.size());
        for (std::size_t j = 0; j < from.size(); ++j) convert_vectors(there, from[j], to[j]);
        const AlgebraField<double, wide> expected(lattice), found(lattice), nothing(lattice);
        const AlgebraField<float, WS> in_single(single);
        terms[i]->add_force(u, 1.0, expected);
        forces[i]->add_force(links, 1.0, in_single);
        convert_momenta(back, in_single, found);
        const double size = distance(expected, nothing).root_mean_square,
                     error = distance(expected, found).root_mean_square;
        EXPECT_LT(error / size, 1e-6) << terms[i]->name();
        EXPECT_GT(error, 0) << terms[i]->name();
      }
    });
  }
}

// With steps so many that dH is small; what is left is rounding.
TEST(SinglePrecision, IsReversible) {
  for (const auto quarks : {Quarks::none, Quarks::two_plus_one}) {
    const auto u = warm_links<wide>({4, 4, 4, 4});
    const Action action{quarks};
    const auto hmc = action.hmc<wide>(leapfrog_of(action, 1, 16), u.lattice(), true);
    const auto back =
        hmc({.seed = 3, .trajectory = 1, .accept_always = true, .check_reversibility = true}, u).reversibility.value();
    EXPECT_LT(back.links, 4e-6) << int(quarks);
    EXPECT_LT(back.momenta, 2e-5) << int(quarks);
    EXPECT_LT(back.energy, 2e-3) << int(quarks);
    EXPECT_GT(back.links, 1e-8) << "this was not in single precision";
  }
}

TEST(SinglePrecision, EnergyChangeIsThatOfTheIntegratorDownToRounding) {
  for (const auto quarks : {Quarks::none, Quarks::two_plus_one})
    for (const auto& [scheme, order, steps] : {std::tuple{leapfrog(), 2, 12}, {force_gradient(), 4, 4}}) {
      if (quarks != Quarks::none && order > 2) continue;
      const Action action{quarks};
      const auto change = [&](int n, bool in_single) {
        const auto u = warm_links<wide>({4, 4, 4, 4});
        return action.hmc<wide>({0.5, {{scheme, n, action.names()}}}, u.lattice(), in_single)({3, 1, true, false}, u)
            .dH;
      };
      const double coarse = change(steps, true), fine = change(2 * steps, true);
      EXPECT_NEAR(std::log2(std::abs(coarse / fine)), order, 0.4) << scheme.name << " " << coarse << " " << fine;
      for (const int n : {steps, 4 * steps}) {
        const double found = change(n, true), expected = change(n, false);
        EXPECT_NEAR(found, expected, 2e-3) << scheme.name << " " << n;
        EXPECT_NE(found, expected);
      }
    }
}

// The point whose energy is taken is the one from which the trajectory starts, and it ends with links in SU(3).
TEST(SinglePrecision, BothEndsOfATrajectoryAreWhatTheEnergyIsTakenOf) {
  const auto u = warm_links<wide>({4, 4, 4, 4});
  const Action action{Quarks::none};
  auto hmc = action.hmc<wide>(leapfrog_of(action, 0.5, 4), u.lattice(), true);
  int calls = 0;
  hmc.observe([&](const GaugeField<double, wide>&, const AlgebraField<double, wide>& p) {
    const Coordinate& size = p.lattice().size();
    for (int mu = 0; mu < 4; ++mu)
      for (const double one : p.at({size[0] - 1, 1, 2, 3}, mu)) EXPECT_EQ(one, double(float(one)));
    EXPECT_EQ(largest_difference(p, hmc.fields().momenta_before) == 0, calls == 0);
    ++calls;
  });
  hmc({.seed = 3, .trajectory = 1, .accept_always = true}, u);
  EXPECT_EQ(calls, 2);
  const auto again = u.clone();
  gauge::reunitarise(again);
  EXPECT_EQ(largest_difference(u, again), 0);
}

TEST(SinglePrecision, SameBitsForAnyLanesAndThreads) {
  const Coordinate extents{4, 4, 4, 8};  // divisible by every lane count, also twice it in single precision
  const int threads_before = concurrency();
  const Action action{Quarks::two_plus_one};
  const auto links = [&]<int W>() {
    const auto u = warm_links<W>(extents);
    const HmcParameters parameters{0.2,
                                   {{leapfrog(), 1, {"light", "split", "strange"}},
                                    {minimum_norm_2(), 2, {"rectangles"}},
                                    {force_gradient(), 1, {"plaquettes"}}}};
    const auto hmc = action.hmc<W>(parameters, u.lattice(), true);
    std::vector<double> dH;
    for (std::uint32_t k = 0; k < 2; ++k) dH.push_back(hmc({.seed = 3, .trajectory = k, .accept_always = true}, u).dH);
    return std::pair(dH, test::to_reference(u).links);
  };
  set_thread_count(1);
  const auto expected = links.template operator()<wide>();
  set_thread_count(2);
  test::for_each_lane_count(
      extents, [&]<int W>() { EXPECT_TRUE(links.template operator()<W>() == expected) << W << " lanes, two threads"; });
  set_thread_count(threads_before);
}

TEST(SinglePrecision, SolvesAreCountedWithThoseOfTheEnergy) {
  const Action action{Quarks::two_plus_one};
  const auto record = [&](bool in_single) {
    const auto u = warm_links<wide>({4, 4, 4, 4});
    return action.hmc<wide>(leapfrog_of(action, 0.2, 2), u.lattice(), in_single)({3, 1, true, false}, u);
  };
  const auto single = record(true), expected = record(false);
  for (std::size_t i = 2; i < single.terms.size(); ++i) {
    EXPECT_EQ(single.terms[i].solver->solves, expected.terms[i].solver->solves) << single.terms[i].name;
    EXPECT_NEAR(double(single.terms[i].solver->iterations), double(expected.terms[i].solver->iterations),
                0.05 * double(expected.terms[i].solver->iterations));
    EXPECT_GT(single.terms[i].solver->force_seconds, 0);
    EXPECT_LE(single.terms[i].solver->residual, 1e-11) << "of the energy, which is in double precision";
  }
}

TEST(SinglePrecision, WrongInput) {
  const Lattice lattice({4, 4, 4, 4}, wide), other = rearranged(lattice);
  const Action action{Quarks::none};
  const auto parameters = leapfrog_of(action, 0.5, 4);
  auto hmc = action.hmc<wide>(parameters, lattice, true);
  const auto certificate = std::make_shared<Certificate<double, wide>>(
      1, make_replay<wide, wide>(parameters, action.terms<double, wide>(other), lattice, other),
      [](const std::string&) {});
  EXPECT_THROW(hmc.certify(certificate), InputError);
  hmc.certify(nullptr);
  EXPECT_THROW(action.hmc<wide>({0.5, {{leapfrog(), 4, {"plaquettes"}}}}, lattice, true), InputError);
  const Action with_quarks{Quarks::two_plus_one};
  const auto quark = make_quark_forces<1>(with_quarks.quark_action(), with_quarks.quark_terms(), Lattice({4, 4, 4, 4}));
  const GaugeField<float, 1> u(Lattice({4, 4, 4, 4}));
  EXPECT_THROW(quark[0]->difference(u, u), Error) << "there is no energy in single precision";
}

// The average plaquette of a chain, and of exp(-dH).
struct Averages {
  std::vector<double> plaquette, exponential, accepted;
};
Averages averages(const Algorithm<double, wide>& algorithm, const Coordinate& size, std::uint32_t trajectories) {
  ChainState<double, wide> state{GaugeField<double, wide>::unit(Lattice(size, wide)), 0, {}};
  constexpr std::uint32_t thermalisation = 60;
  Averages result;
  ChainCallbacks<double, wide> callbacks;
  callbacks.on_trajectory = [&](const TrajectoryRecord& record, const ChainState<double, wide>& s) {
    if (record.trajectory < thermalisation) return;
    result.plaquette.push_back(gauge::plaquette(s.links).average);
    result.exponential.push_back(record.exp_minus_dH);
    result.accepted.push_back(record.accepted ? 1 : 0);
  };
  run_chain({.seed = 7,
             .trajectories = thermalisation + trajectories,
             .thermalisation = thermalisation,
             .accept_always = thermalisation / 4},
            algorithm, state, callbacks);
  return result;
}

// Against the heatbath, which has no molecular dynamics; and with the acceptance of double precision.
void expect_averages_of_double_precision(std::uint32_t trajectories, double largest_error) {
  const Coordinate size{4, 4, 4, 4};
  const Lattice lattice(size, wide);
  const Action action{Quarks::none};
  const HmcParameters parameters{1.0, {{minimum_norm_2(), 5, action.names()}}};
  const auto single = averages(action.hmc<wide>(parameters, lattice, true), size, trajectories);
  const auto in_double = averages(action.hmc<wide>(parameters, lattice, false), size, trajectories);
  const auto sweeps = averages(heatbath<double, wide>({gauge::Action{5.0, -1.0 / 12}, 2}), size, trajectories);
  const auto found = analysis::gamma_method(single.plaquette), same = analysis::gamma_method(in_double.plaquette),
             exact = analysis::gamma_method(sweeps.plaquette);
  const auto one = analysis::gamma_method(single.exponential);
  const auto rate = analysis::gamma_method(single.accepted), expected_rate = analysis::gamma_method(in_double.accepted);
  const auto numbers = fmt::format(
      "plaquette {}, in double precision {}, of the heatbath {}; <exp(-dH)> {}; acceptance {}, in double precision {}",
      analysis::with_error(found.mean, found.error), analysis::with_error(same.mean, same.error),
      analysis::with_error(exact.mean, exact.error), analysis::with_error(one.mean, one.error),
      analysis::with_error(rate.mean, rate.error), analysis::with_error(expected_rate.mean, expected_rate.error));
  fmt::print("{}\n", numbers);
  EXPECT_NEAR(found.mean, exact.mean, 4 * std::hypot(found.error, exact.error)) << numbers;
  EXPECT_NEAR(found.mean, same.mean, 4 * std::hypot(found.error, same.error)) << numbers;
  EXPECT_NEAR(one.mean, 1, 4 * one.error) << numbers;
  EXPECT_NEAR(rate.mean, expected_rate.mean, 4 * std::hypot(rate.error, expected_rate.error)) << numbers;
  EXPECT_LT(found.error, largest_error) << numbers;
  EXPECT_GT(rate.mean, 0.6) << numbers;
  EXPECT_LT(rate.mean, 0.97) << "so short steps that dH says nothing: " << numbers;
}

TEST(SinglePrecision, AveragesAreThoseOfDoublePrecision) { expect_averages_of_double_precision(400, 4e-3); }
TEST(NightlySinglePrecision, AveragesAreThoseOfDoublePrecision) { expect_averages_of_double_precision(10000, 5e-4); }

}  // namespace
}  // namespace trellis::hmc

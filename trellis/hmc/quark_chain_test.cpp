// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Trajectories with quarks: reversible, of the order of their integrator, with the same bits on any machine. Their
// averages are tested in quark_ensembles_test.cpp, conservation of phase space in quark_phase_space_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/loop_weights.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::hmc {
namespace {

using test::wide;

const Coordinate size{4, 4, 2, 4};
const std::vector<std::string> names{"light", "split", "strange"};

// Two light flavours, split at a heavier mass with two pseudofermions, and a strange one; each has its own background
// field.
std::vector<QuarkTerm> two_plus_one() {
  return {{"light", 0.3, 0.7, 0.5, 1, {.imaginary_mu = 0.2}},
          {"split", 0.7, 0, 0.25, 2, {.imaginary_mu = 0.2}},
          {"strange", 0.6, 0, 0.25, 1, {.imaginary_mu = 0.2, .quanta = {0, 0, 0, 0, 0, 1}}}};
}

QuarkAction quark_action(SolverPrecision precision, double residual) {
  QuarkAction action;
  action.smearing = gauge::stout_smearing(0.12, 2);
  action.heatbath_error = action.metropolis_error = 1e-12;
  action.heatbath_residual = action.metropolis_residual = precision == SolverPrecision::double_ ? 1e-13 : 1e-6;
  action.molecular_dynamics_error = 1e-12;
  action.molecular_dynamics_residual = residual;
  action.molecular_dynamics_precision = precision;
  action.heatbath_precision = action.metropolis_precision =
      precision == SolverPrecision::fixed16 ? SolverPrecision::mixed : precision;
  return action;
}

template <int W>
Terms<double, W> whole_action(const QuarkAction& action, const Lattice& lattice) {
  auto terms = make_quark_terms<W>(action, two_plus_one(), lattice);
  terms.push_back(make_gauge_terms<double, W>({{"gauge", gauge::Action{4.0, -1.0 / 12}}})[0]);
  return terms;
}

HmcParameters nested(double length, int steps) {
  return {length, {{leapfrog(), steps, names}, {minimum_norm_4(), 1, {"gauge"}}}};
}

template <int W>
GaugeField<double, W> warm_links(const Coordinate& extents = size) {
  return test::from_reference<double, W>(reference::warm_configuration(extents, 11, 0.4));
}

TEST(QuarkChain, IsReversible) {
  const auto back = [](SolverPrecision precision, double residual) {
    const auto u = warm_links<wide>();
    const HybridMonteCarlo<double, wide> hmc(
        nested(0.5, 4), whole_action<wide>(quark_action(precision, residual), u.lattice()), u.lattice());
    return hmc({.seed = 3, .trajectory = 1, .accept_always = true, .check_reversibility = true}, u)
        .reversibility.value();
  };
  const auto exact = back(SolverPrecision::double_, 1e-13);
  EXPECT_LT(exact.links, 1e-12);
  EXPECT_LT(exact.momenta, 1e-11);
  EXPECT_LT(exact.energy, 1e-9);
  EXPECT_GT(exact.links, 0);
  // Solves that end early still do not depend on anything earlier, so the way back is the same: the difference comes
  // from rounding that changes the number of iterations, or the last bit of a single-precision link.
  EXPECT_LT(back(SolverPrecision::double_, 1e-6).links, 1e-10);
  EXPECT_LT(back(SolverPrecision::mixed, 1e-6).links, 1e-6);
}

// dH on one level of all terms falls with the order of the integrator.
void expect_order(const std::string& what, const GaugeField<double, 1>& start, const Terms<double, 1>& terms) {
  std::vector<std::string> all;
  for (const auto& term : terms) all.push_back(term->name());
  for (const auto& [scheme, order, steps] :
       {std::tuple{leapfrog(), 2, 6}, {minimum_norm_2(), 2, 10}, {minimum_norm_4(), 4, 8}, {force_gradient(), 4, 3}}) {
    const auto change = [&](int n) {
      const auto u = start.clone();
      return HybridMonteCarlo<double, 1>({0.4, {{scheme, n, all}}}, terms, u.lattice())({3, 1, true, false}, u).dH;
    };
    const double coarse = change(steps), fine = change(2 * steps);
    EXPECT_NEAR(std::log2(std::abs(coarse / fine)), order, 0.2)
        << what << ", " << scheme.name << " " << coarse << " " << fine;
  }
}

TEST(QuarkChain, EnergyChangeFallsWithTheOrderOfTheIntegrator) {
  const auto start = warm_links<1>({2, 2, 2, 4});
  expect_order("stout links", start, whole_action<1>(quark_action(SolverPrecision::double_, 1e-12), start.lattice()));
}

// The whole HISQ action: two levels of smearing with their projection, hops of three steps, a Naik epsilon, the
// one-loop gauge action.
TEST(QuarkChain, EnergyChangeOfHisqFallsWithTheOrderOfTheIntegrator) {
  const auto start = warm_links<1>({2, 2, 2, 4});
  QuarkAction action = quark_action(SolverPrecision::double_, 1e-12);
  action.smearing = {"hisq", {}};
  auto quarks = two_plus_one();
  quarks.back().naik_epsilon = -0.2;
  auto terms = make_quark_terms<1>(action, quarks, start.lattice());
  terms.push_back(make_gauge_terms<double, 1>({{"gauge", gauge::one_loop_symanzik(6.0, 0.9, 3)}})[0]);
  expect_order("HISQ", start, terms);
}

struct Trace {
  std::vector<double> dH;
  std::vector<reference::Matrix> links;
  bool operator==(const Trace&) const = default;
};

// A chain in pieces, each of which knows only the links and the number of its first trajectory.
template <int W>
Trace run_in_pieces(const Coordinate& extents, SolverPrecision precision, const std::vector<std::uint32_t>& ends) {
  Trace trace;
  ChainState<double, W> state{warm_links<W>(extents), 0, {}};
  for (const std::uint32_t end : ends) {
    state.links = state.links.clone();
    QuarkAction action = quark_action(precision, 1e-6);
    action.heatbath_error = action.metropolis_error = action.molecular_dynamics_error = 1e-5;
    const Lattice& lattice = state.links.lattice();
    const HybridMonteCarlo<double, W> hmc(nested(0.2, 1), whole_action<W>(action, lattice), lattice);
    ChainCallbacks<double, W> callbacks;
    callbacks.on_trajectory = [&](const TrajectoryRecord& record, const auto&) { trace.dH.push_back(record.dH); };
    run_chain<double, W>({.seed = 5, .trajectories = end, .thermalisation = 0}, hmc, state, callbacks);
  }
  trace.links = test::to_reference(state.links).links;
  return trace;
}

// The links of a chain that uses every term and integrator above, from random links, have the same bits with every
// instruction set and compiler. An intentional change of the algorithm that moves them says so in CHANGELOG.md, as for
// the checksums of whole runs in app/run/known_bits_test.cpp; this chain is short enough for an emulated processor.
TEST(QuarkChain, KnownBits) {
  for (const auto& [precision, known] : {std::pair{SolverPrecision::double_, std::uint64_t{0x2bb663b1e39f1baa}},
                                         {SolverPrecision::mixed, std::uint64_t{0xec84ea70d4337ea2}}}) {
    const Lattice lattice({4, 4, 4, 4}, wide);
    ChainState<double, wide> state{GaugeField<double, wide>(lattice), 0, {}};
    gauge::hot_start({5, 0, gauge::hot_start_purpose}, state.links);
    QuarkAction action = quark_action(precision, 1e-6);
    action.heatbath_residual = action.metropolis_residual = 1e-9;
    action.heatbath_error = action.metropolis_error = action.molecular_dynamics_error = 1e-5;
    const HybridMonteCarlo<double, wide> hmc(nested(0.2, 1), whole_action<wide>(action, lattice), lattice);
    run_chain<double, wide>({.seed = 5, .trajectories = 2, .thermalisation = 2, .accept_always = 2}, hmc, state, {});
    const auto links = test::from_reference<double, 1>(test::to_reference(state.links));
    EXPECT_EQ(fingerprint(links), known) << fmt::format("{:#018x}", fingerprint(links));
  }
}

TEST(QuarkChain, SameBitsInPiecesAndForAnyLanesAndThreads) {
  const Coordinate extents{4, 4, 4, 8};  // divisible by every lane count, also twice it in single precision
  const int threads_before = concurrency();
  for (const SolverPrecision precision : {SolverPrecision::double_, SolverPrecision::mixed, SolverPrecision::fixed16}) {
    set_thread_count(1);
    const Trace whole = run_in_pieces<wide>(extents, precision, {2});
    ASSERT_EQ(whole.dH.size(), 2u);
    EXPECT_NE(whole.dH[0], whole.dH[1]);
    set_thread_count(2);
    test::for_each_lane_count(extents, [&]<int W>() {
      EXPECT_TRUE(run_in_pieces<W>(extents, precision, {1, 2}) == whole) << W << " lanes, two threads, in pieces";
    });
  }
  set_thread_count(threads_before);
}

// All data with a number per site stays where fields live, from a trajectory's first momentum to its last link.
TEST(QuarkChain, FieldsAreNotCopiedBetweenHostAndDevice) {
  const auto u = warm_links<wide>();
  const HybridMonteCarlo<double, wide> hmc(
      nested(0.2, 1), whole_action<wide>(quark_action(SolverPrecision::mixed, 1e-6), u.lattice()), u.lattice());
  const TrajectoryRequest first{.seed = 3, .trajectory = 1, .accept_always = true};
  hmc(first, u);
  std::vector<std::string> crossed;
  const auto least = static_cast<std::size_t>(u.lattice().volume()) * sizeof(double);
  Listener listener;
  listener.begin_copy = [&](const CopyEvent& copy) {
    if (copy.to_space != copy.from_space && copy.bytes >= least)
      crossed.emplace_back(std::string(copy.from_label) + " to " + std::string(copy.to_label));
  };
  const Listening listening(listener);
  hmc({.seed = 3, .trajectory = 2, .accept_always = true}, u);
  EXPECT_TRUE(crossed.empty()) << crossed.front();
  // Such a copy would have been reported.
  const auto on_host = create_mirror_view_and_copy(HostSpace{}, u.view());
  EXPECT_EQ(crossed.size(), fields_on_host ? 0U : 1U);
}

}  // namespace
}  // namespace trellis::hmc

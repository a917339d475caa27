// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tempering/tempering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "reference/defect.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/heatbath.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/tempering/chain_seeds.hpp"

namespace trellis::hmc {
namespace {

using test::to_reference;
using test::wide;

template <int W>
std::shared_ptr<CoupledDefect<W>> defect_on(const Lattice& lattice, const gauge::Defect& defect) {
  return std::make_shared<CoupledDefect<W>>(CoupledDefect<W>{{lattice, defect}, 1});
}

template <int W>
Algorithm<double, W> hmc_at(const std::shared_ptr<CoupledDefect<W>>& defect, const gauge::Action& action, int steps,
                            const Lattice& lattice) {
  return HybridMonteCarlo<double, W>({0.5, {{minimum_norm_2(), steps, {"gauge"}}}},
                                     make_gauge_terms<double, W>({{"gauge", action}}, added_by<W>(defect)), lattice);
}

enum class Update { hmc, heatbath };

template <int W>
Tempering<W> tempering(Update update, const TemperingParameters& parameters, const gauge::Action& action,
                       const GaugeField<double, W>& start) {
  const auto defect = defect_on<W>(start.lattice(), parameters.defect);
  auto algorithm = update == Update::hmc ? hmc_at<W>(defect, action, 4, start.lattice())
                                         : heatbath<W>(gauge::HeatbathParameters{action, 1}, defect);
  return Tempering<W>(parameters, action, defect, std::move(algorithm), start);
}

template <int W>
GaugeField<double, W> warm_links(const Coordinate& size, std::uint64_t seed, double spread) {
  const auto u = GaugeField<double, W>::unit(Lattice(size, W));
  const AlgebraField<double, W> p(u.lattice());
  gauge::draw_momenta({seed, 0, gauge::hot_start_purpose}, p);
  gauge::update_links(spread, p, u);
  gauge::reunitarise(u);
  return u;
}

// Three configurations on 2^4 in three replicas: the six ways to place them are the states of a Markov chain whose
// step is the swaps. Its matrix, from the oracle's actions, keeps exp(-sum_r S_r(U at r)), and the program draws from
// it.
TEST(Tempering, SwapsKeepTheWeightOfEveryPlacement) {
  const Coordinate size{2, 2, 2, 2};
  const gauge::Action action{1.2, 0};
  const TemperingParameters parameters{{0, 2}, {1, 0.45, 0}};
  const auto u = warm_links<1>(size, 1, 0.5);
  auto chain = tempering<1>(Update::heatbath, parameters, action, u);
  std::vector<GaugeField<double, 1>> links;
  for (std::uint64_t n = 0; n < 3; ++n) links.push_back(warm_links<1>(size, 10 + n, 0.3 + 0.4 * double(n)));

  std::array<std::array<double, 3>, 3> energy{};  // [replica][links]
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t n = 0; n < 3; ++n)
      energy[r][n] = reference::defect_action(to_reference(links[n]), reference::loop_weights(action.beta, 0), {0, 2},
                                              parameters.couplings[r]);
  using Placement = std::array<int, 3>;
  std::vector<Placement> all;
  Placement p{0, 1, 2};
  do all.push_back(p);
  while (std::next_permutation(p.begin(), p.end()));
  const auto number_of = [&](const Placement& of) {
    return std::size_t(std::find(all.begin(), all.end(), of) - all.begin());
  };
  const auto weight = [&](const Placement& of) {
    double sum = 0;
    for (std::size_t r = 0; r < 3; ++r) sum += energy[r][std::size_t(of[r])] - energy[r][r];
    return std::exp(-sum);
  };
  const auto place = [&](const Placement& of) {
    u.copy_from(links[std::size_t(of[0])]);
    for (int r = 1; r < 3; ++r) chain.links(r).copy_from(links[std::size_t(of[std::size_t(r)])]);
    chain.set_walkers({of.begin(), of.end()});
  };

  std::array<std::array<std::array<double, 6>, 6>, 2> swap_matrix{};  // [pair][from][to]
  for (std::size_t from = 0; from < 6; ++from) {
    place(all[from]);
    for (std::size_t r = 0; r < 2; ++r) {
      Placement other = all[from];
      std::swap(other[r], other[r + 1]);
      const double difference = chain.swap_difference(int(r), u);
      EXPECT_NEAR(difference, std::log(weight(all[from]) / weight(other)), 1e-11);
      const double accepted = std::min(1.0, std::exp(-difference));
      swap_matrix[r][from][number_of(other)] = accepted;
      swap_matrix[r][from][from] += 1 - accepted;
      // Detailed balance of this pair.
      const double back = std::min(1.0, weight(all[from]) / weight(other));
      EXPECT_NEAR(weight(all[from]) * accepted, weight(other) * back, 1e-10 * weight(other));
    }
  }
  // The whole step: pair (0, 1), then pair (1, 2).
  std::array<std::array<double, 6>, 6> step{};
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < 6; ++b)
      for (std::size_t k = 0; k < 6; ++k) step[a][b] += swap_matrix[0][a][k] * swap_matrix[1][k][b];
  for (std::size_t b = 0; b < 6; ++b) {
    double flow = 0;
    for (std::size_t a = 0; a < 6; ++a) flow += weight(all[a]) * step[a][b];
    EXPECT_NEAR(flow, weight(all[b]), 1e-10 * weight(all[b]));
  }
  // What the program does, from each placement.
  const int times = 1000;
  bool is_random = false;
  for (std::size_t from = 0; from < 6; ++from) {
    std::array<int, 6> counts{};
    for (int n = 0; n < times; ++n) {
      place(all[from]);
      std::vector<ReplicaRecord> records(3);
      chain.swap({.seed = 3, .trajectory = std::uint32_t(n)}, u, records);
      Placement found;
      for (std::size_t r = 0; r < 3; ++r) found[r] = records[r].walker;
      ++counts[number_of(found)];
      // The links are where the walkers say.
      for (int r = 1; r < 3; ++r)
        ASSERT_EQ(chain.links(r).link({1, 0, 1, 0}, 2),
                  links[std::size_t(found[std::size_t(r)])].link({1, 0, 1, 0}, 2));
      ASSERT_EQ(u.link({1, 0, 1, 0}, 2), links[std::size_t(found[0])].link({1, 0, 1, 0}, 2));
    }
    for (std::size_t to = 0; to < 6; ++to) {
      const double expected = step[from][to];
      EXPECT_NEAR(counts[to] / double(times), expected, 4.5 * std::sqrt(expected * (1 - expected) / times) + 1e-12);
      is_random = is_random || (expected > 0.1 && expected < 0.9);
    }
  }
  EXPECT_TRUE(is_random);
}

TEST(Tempering, TrajectoriesAtADefectKeepTheEnergyAndGoBack) {
  for (const double c1 : {0.0, -1.0 / 12}) {
    const gauge::Action action{5.5, c1};
    const auto start = warm_links<wide>({4, 4, 4, 4}, 3, 0.3);
    const auto defect = defect_on<wide>(start.lattice(), {0, 3});
    defect->coupling = 0.2;
    std::vector<double> errors;
    for (const int steps : {8, 16}) {
      const auto u = start.clone();
      const auto record = hmc_at<wide>(defect, action, steps, u.lattice())(
          {.seed = 1, .trajectory = 1, .accept_always = true, .check_reversibility = true}, u, {});
      errors.push_back(std::abs(record.dH));
      EXPECT_LT(record.reversibility->links, 1e-12);
      EXPECT_LT(record.reversibility->momenta, 1e-12);
      EXPECT_LT(record.reversibility->energy, 1e-9);
    }
    // An integrator of second order, whose force belongs to this energy.
    EXPECT_NEAR(errors[0] / errors[1], 4, 0.6) << errors[0] << " " << errors[1];
    // A force that did not know the defect would change the energy.
    const auto u = start.clone();
    auto added = added_by<wide>(defect);
    added.add_force = nullptr;
    const HybridMonteCarlo<double, wide> wrong({0.5, {{minimum_norm_2(), 16, {"gauge"}}}},
                                               make_gauge_terms<double, wide>({{"gauge", action}}, added), u.lattice());
    EXPECT_GT(std::abs(wrong({.seed = 1, .trajectory = 1, .accept_always = true}, u).dH), 100 * errors[1]);
  }
}

// Links, walkers and records of a few trajectories; each of the pieces that end at `ends` knows only what is saved.
template <int W>
std::pair<std::vector<reference::Matrix>, std::vector<double>> trace(Update update, const std::vector<BoxLevel>& boxes,
                                                                     const std::vector<int>& ends) {
  const TemperingParameters parameters{{1, 1}, {1, 0.6, 0.2}, boxes, 1};
  const gauge::Action action{5.0, -1.0 / 12};
  auto u = warm_links<W>({4, 4, 4, 4}, 2, 0.4);
  auto chain = std::make_unique<Tempering<W>>(tempering<W>(update, parameters, action, u));
  std::vector<double> numbers;
  int number = 0;
  for (const int end : ends) {
    auto next = std::make_unique<Tempering<W>>(tempering<W>(update, parameters, action, u));
    for (int r = 1; r < 3; ++r) next->links(r).copy_from(chain->links(r));
    next->set_walkers(chain->walkers());
    u = u.clone();
    chain = std::move(next);
    for (; number < end; ++number) {
      const auto record = (*chain)({.seed = 8, .trajectory = std::uint32_t(number)}, u);
      for (const auto& replica : record.replicas)
        numbers.insert(numbers.end(), {replica.dH, double(replica.accepted), replica.swap_difference,
                                       double(replica.swapped), double(replica.walker)});
      EXPECT_EQ(record.dH, record.replicas[0].dH);
    }
  }
  auto links = to_reference(u).links;
  for (int r = 1; r < 3; ++r) {
    const auto more = to_reference(chain->links(r)).links;
    links.insert(links.end(), more.begin(), more.end());
  }
  return {links, numbers};
}

TEST(Tempering, SameBitsInPiecesAndForAnyLanesAndThreads) {
  const int threads_before = concurrency();
  const std::vector<BoxLevel> boxes{{2, 2}, {1, 3}};
  for (const Update update : {Update::hmc, Update::heatbath})
    for (const auto& of : {std::vector<BoxLevel>{}, boxes}) {
      set_thread_count(1);
      const auto expected = trace<1>(update, of, {6});
      // Some swaps are accepted, some are not.
      double swaps = 0;
      for (std::size_t n = 3; n < expected.second.size(); n += 5) swaps += expected.second[n];
      EXPECT_GT(swaps, 0);
      EXPECT_LT(swaps, 12);
      set_thread_count(2);
      EXPECT_EQ(trace<1>(update, of, {1, 2, 5, 6}), expected);
      EXPECT_EQ(trace<wide>(update, of, {3, 6}), expected);
    }
  set_thread_count(threads_before);
}

TEST(Tempering, CountsTheSweepsOfItsBoxes) {
  EXPECT_EQ(box_sweeps_of({{0, 1}, {1, 0}}), 0);
  EXPECT_EQ(box_sweeps_of({{0, 1}, {1, 0}, {{3, 2}}}), 2);
  EXPECT_EQ(box_sweeps_of({{0, 1}, {1, 0}, {{3, 2}, {2, 3}, {1, 5}}}), 2 + 2 * 3 + 2 * 3 * 5);
}

TEST(Tempering, BoxesMustLieInOneAnother) {
  const auto u = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 4}));
  for (const std::vector<BoxLevel>& wrong :
       {std::vector<BoxLevel>{{0, 1}}, {{2, 0}}, {{1, 1}, {1, 1}}, {{1, 1}, {2, 1}}})
    EXPECT_THROW(tempering<1>(Update::heatbath, {{0, 2}, {1, 0}, wrong}, {5, 0}, u), InputError);
  EXPECT_NO_THROW(tempering<1>(Update::heatbath, {{0, 2}, {1, 0}, {{7, 1}, {1, 2}}}, {5, 0}, u));
}

TEST(Tempering, SeedsOfChainsDiffer) {
  EXPECT_EQ(seed_of_chain(17, 0), 17U);
  std::map<std::uint64_t, int> seeds;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint32_t n = 0; n < 50; ++n) {
      ++seeds[seed_of_chain(seed, n)];
      EXPECT_LT(seed_of_chain(seed, n), std::uint64_t(1) << 63);
    }
  EXPECT_EQ(seeds.size(), 1000U);
}

TEST(Tempering, CouplingsMustFallFromOne) {
  const auto u = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 4}));
  for (const std::vector<double>& wrong :
       {std::vector<double>{}, {1.0}, {0.9, 0.0}, {1, 1}, {1, 0.5, 0.6}, {1, 0.5, -0.1}, {1, std::nan("")}})
    EXPECT_THROW(tempering<1>(Update::heatbath, {{0, 2}, wrong}, {5, 0}, u), InputError);
  auto chain = tempering<1>(Update::heatbath, {{0, 2}, {1, 0.5, 0}}, {5, 0}, u);
  for (const std::vector<int>& wrong : {std::vector<int>{0, 1}, {0, 1, 1}, {1, 2, 3}, {0, 1, 2, 3}})
    EXPECT_THROW(chain.set_walkers(wrong), Error);
}

// The periodic replica has the averages of a chain alone.
void expect_plaquette_of_a_chain_alone(Update update, double beta, const Coordinate& size, int thermalisation,
                                       int trajectories, const std::vector<BoxLevel>& boxes = {}) {
  const gauge::Action action{beta, 0};
  const TemperingParameters parameters{{0, 2}, {1, 0.87, 0.74, 0.6, 0.45, 0.3, 0.15, 0}, boxes, 1};
  std::vector<double> tempered, alone, opened;
  double swaps = 0;
  {
    const auto u = warm_links<wide>(size, 4, 0.3);
    auto chain = tempering<wide>(update, parameters, action, u);
    for (int n = 0; n < thermalisation + trajectories; ++n) {
      const auto record =
          chain({.seed = 5, .trajectory = std::uint32_t(n), .accept_always = n < thermalisation / 2}, u);
      if (n < thermalisation) continue;
      tempered.push_back(gauge::plaquette(u).average);
      opened.push_back(gauge::plaquette(chain.links(7)).average);
      for (const auto& replica : record.replicas) swaps += replica.swapped / (7.0 * trajectories);
    }
  }
  {
    const auto u = warm_links<wide>(size, 4, 0.3);
    const auto algorithm = heatbath<double, wide>({action, 1});
    for (int n = 0; n < thermalisation + trajectories; ++n) {
      algorithm({.seed = 6, .trajectory = std::uint32_t(n)}, u, {});
      if (n >= thermalisation) alone.push_back(gauge::plaquette(u).average);
    }
  }
  const auto a = analysis::gamma_method(tempered), b = analysis::gamma_method(alone),
             c = analysis::gamma_method(opened);
  EXPECT_NEAR(a.mean, b.mean, 4 * std::hypot(a.error, b.error)) << a.error << " " << b.error;
  EXPECT_LT(std::hypot(a.error, b.error), 0.003);
  EXPECT_GT(swaps, 0.05);
  EXPECT_LT(swaps, 0.95);
  // The open replica's plaquettes differ by more than that.
  EXPECT_GT(b.mean - c.mean, 4 * std::hypot(b.error, c.error));
}

TEST(Tempering, PeriodicReplicaHasThePlaquetteOfAChainAlone) {
  expect_plaquette_of_a_chain_alone(Update::heatbath, 5.7, {4, 4, 4, 4}, 50, 300);
}

TEST(Tempering, SoItHasWithSweepsOfBoxes) {
  expect_plaquette_of_a_chain_alone(Update::heatbath, 5.7, {4, 4, 4, 4}, 50, 150, {{1, 2}});
}

TEST(TemperingNightly, PeriodicReplicaHasThePlaquetteOfAChainAlone) {
  expect_plaquette_of_a_chain_alone(Update::heatbath, 5.8, {8, 4, 4, 8}, 200, 3000);
  expect_plaquette_of_a_chain_alone(Update::heatbath, 5.8, {8, 4, 4, 8}, 200, 3000, {{2, 1}, {1, 3}});
}

TEST(TemperingNightly, SoItHasWithHybridMonteCarlo) {
  expect_plaquette_of_a_chain_alone(Update::hmc, 5.7, {4, 4, 4, 4}, 200, 3000);
}

}  // namespace
}  // namespace trellis::hmc

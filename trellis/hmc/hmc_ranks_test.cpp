// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Trajectories on process grids give the bits of one process, and ranks end a chain together.
#include <algorithm>

#include "tests/support/flip_bit.hpp"
#include "tests/support/grid_lattices.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/certificate.hpp"
#include "trellis/hmc/chain.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/heatbath.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"
#include "trellis/hmc/replay.hpp"
#include "trellis/hmc/tempering/tempering.hpp"
#include "trellis/hmc/topology/topological_term.hpp"

namespace trellis::hmc {
namespace {

const Coordinate size{4, 4, 4, 4};  // eight ranks have blocks of 2x2x2x4 and the like

template <int W>
GaugeField<double, W> links_on(const Lattice& lattice) {
  const GaugeField<double, W> u = GaugeField<double, W>::unit(lattice);
  const AlgebraField<double, W> p(lattice);
  gauge::draw_momenta({11, 0, gauge::hot_start_purpose}, p);
  gauge::update_links(0.2, p, u);
  return u;
}

// All results of a trajectory except times.
std::vector<double> numbers_of(const TrajectoryRecord& record) {
  std::vector<double> numbers{record.dH, record.kinetic_difference, double(record.accepted)};
  for (const auto& term : record.terms) {
    numbers.insert(numbers.end(), {term.difference, term.force_average, term.force_maximum});
    if (term.solver)
      numbers.insert(numbers.end(), {double(term.solver->iterations), double(term.solver->applications),
                                     term.solver->residual, term.solver->largest_eigenvalue});
  }
  for (const auto& replica : record.replicas)
    numbers.insert(numbers.end(),
                   {replica.dH, replica.swap_difference, double(replica.swapped), double(replica.walker)});
  if (record.reversibility)
    numbers.insert(numbers.end(),
                   {record.reversibility->links, record.reversibility->momenta, record.reversibility->energy});
  return numbers;
}

// trajectory(u) on all lattices.
template <class F>
void expect_bits_of_one_process(const F& trajectory, std::size_t most_grids = 3, const Coordinate& extents = size) {
  const auto alone = links_on<1>(Lattice(extents));
  const auto expected = numbers_of(trajectory(alone));
  testing::on_lattices(
      extents,
      [&]<int W>(const Lattice& lattice) {
        const auto u = links_on<W>(lattice);
        EXPECT_EQ(numbers_of(trajectory(u)), expected);
        testing::expect_same_links(u, alone, "links");
      },
      most_grids);
}

TEST(RanksHmc, GaugeTrajectory) {
  expect_bits_of_one_process([]<int W>(const GaugeField<double, W>& u) {
    const HybridMonteCarlo<double, W> hmc(
        {0.3, {{force_gradient(), 2, {"rectangles"}}, {minimum_norm_2(), 2, {"plaquettes"}}}},
        make_gauge_terms<double, W>({{"plaquettes", {6.0, 0}}, {"rectangles", {0, -0.4}}}), u.lattice());
    hmc({.seed = 3, .trajectory = 0, .check_reversibility = true}, u);
    return hmc({.seed = 3, .trajectory = 1, .check_reversibility = true}, u);
  });
}

TEST(RanksHmc, TrajectoryInATopologicalPotential) {
  expect_bits_of_one_process([]<int W>(const GaugeField<double, W>& u) {
    auto terms = make_gauge_terms<double, W>({{"gauge", {5.0, -0.1}}});
    terms.push_back(make_topological_term<W>({{ChargePotentialForm::periodic, -9.0, 0.7}, {0.1, 3}}, u.lattice()));
    const HybridMonteCarlo<double, W> hmc({0.3, {{minimum_norm_2(), 2, {std::string(topological_term_name), "gauge"}}}},
                                          terms, u.lattice());
    hmc({.seed = 3, .trajectory = 0}, u);
    return hmc({.seed = 3, .trajectory = 1, .check_reversibility = true}, u);
  });
}

// Links are not those of the boundaries before impose_boundary.
TEST(RanksHmc, QuarksWithBoundariesInTime) {
  for (const gauge::Boundary& boundary :
       {gauge::Boundary{.kind = gauge::BoundaryKind::open, .c_g = 1.2},
        gauge::Boundary{.kind = gauge::BoundaryKind::schroedinger_functional, .extent = 3, .phi = {-1, 0.2, 0.8}}})
    expect_bits_of_one_process([&]<int W>(const GaugeField<double, W>& u) {
      gauge::impose_boundary(boundary, u);
      QuarkAction action;
      action.smearing = gauge::stout_smearing(0.12, 1);
      action.smearing.boundary = boundary;
      auto terms = make_gauge_terms<double, W>({{"gauge", {5.0, 0}, boundary}});
      for (auto& term : make_quark_terms<W>(action, {{"quark", 0.3, 0, 0.5, 1, {.boundary = boundary}}}, u.lattice()))
        terms.push_back(std::move(term));
      const HybridMonteCarlo<double, W> hmc({0.3, {{minimum_norm_2(), 2, {"gauge", "quark"}}}}, terms, u.lattice());
      return hmc({.seed = 3, .trajectory = 0, .check_reversibility = true}, u);
    });
}

TEST(RanksHmc, HeatbathTrajectory) {
  expect_bits_of_one_process([]<int W>(const GaugeField<double, W>& u) {
    return heatbath<double, W>({gauge::Action{5.0, -1.0 / 12}, 1})({.seed = 3, .trajectory = 1}, u, {});
  });
}

TEST(RanksHmc, TemperedTrajectories) {
  expect_bits_of_one_process([]<int W>(const GaugeField<double, W>& u) {
    const gauge::Action action{5.0, -1.0 / 12};
    const TemperingParameters parameters{{0, 3}, {1, 0.6, 0}};
    const auto defect = std::make_shared<CoupledDefect<W>>(CoupledDefect<W>{{u.lattice(), parameters.defect}, 1});
    const HybridMonteCarlo<double, W> hmc({0.3, {{minimum_norm_2(), 2, {"gauge"}}}},
                                          make_gauge_terms<double, W>({{"gauge", action}}, added_by<W>(defect)),
                                          u.lattice());
    Tempering<W> chain(parameters, action, defect, hmc, u);
    chain({.seed = 3, .trajectory = 0}, u);
    return chain({.seed = 3, .trajectory = 1}, u);
  });
}

// Two light flavours, split at a heavier mass, and a strange one in a background field; stout links.
template <int W>
HybridMonteCarlo<double, W> two_plus_one(const Lattice& lattice, SolverPrecision precision, bool in_single = false) {
  QuarkAction action;
  action.smearing = gauge::stout_smearing(0.12, 2);
  action.heatbath_error = action.metropolis_error = action.molecular_dynamics_error = 1e-5;
  const SolverPrecision of_energies = precision == SolverPrecision::fixed16 ? SolverPrecision::mixed : precision;
  action.heatbath_residual = action.metropolis_residual = of_energies == SolverPrecision::mixed ? 1e-6 : 1e-9;
  action.molecular_dynamics_residual = 1e-6;
  action.molecular_dynamics_precision = precision;
  action.heatbath_precision = action.metropolis_precision = of_energies;
  const std::vector<QuarkTerm> quarks{{"light", 0.3, 0.7, 0.5, 1, {.imaginary_mu = 0.2}},
                                      {"split", 0.7, 0, 0.25, 2, {.imaginary_mu = 0.2}},
                                      {"strange", 0.6, 0, 0.25, 1, {.quanta = {0, 0, 0, 0, 0, 1}}}};
  const std::vector<GaugeTerm> gauge{{"gauge", gauge::Action{4.0, -1.0 / 12}}};
  auto terms = make_quark_terms<W>(action, quarks, lattice);
  terms.push_back(make_gauge_terms<double, W>(gauge)[0]);
  const HmcParameters parameters{0.2,
                                 {{leapfrog(), 1, {"light", "split", "strange"}}, {minimum_norm_4(), 1, {"gauge"}}}};
  if (!in_single) return {parameters, terms, lattice};
  return {parameters, terms, lattice,
          single_precision_dynamics<W>(parameters, lattice, [&]<int WS>(const Lattice& there) {
            auto forces = make_quark_forces<WS>(action, quarks, there);
            forces.push_back(make_gauge_terms<float, WS>(gauge)[0]);
            return forces;
          })};
}

TEST(RanksHmc, TrajectoryOfTwoPlusOneFlavours) {
  for (const SolverPrecision precision : {SolverPrecision::double_, SolverPrecision::mixed, SolverPrecision::fixed16}) {
    SCOPED_TRACE(int(precision));
    expect_bits_of_one_process(
        [&]<int W>(const GaugeField<double, W>& u) {
          const auto hmc = two_plus_one<W>(u.lattice(), precision);
          hmc({.seed = 5, .trajectory = 0}, u);
          return hmc({.seed = 5, .trajectory = 1}, u);
        },
        precision == SolverPrecision::double_ ? 1 : 2);
  }
}

// Where messages overlap, as between machines and GPUs.
TEST(RanksHmc, TrajectoriesThatOverlapTheirMessages) {
  const char* const given = std::getenv("TRELLIS_OVERLAP");
  const std::string before = given != nullptr ? given : "";
  ::setenv("TRELLIS_OVERLAP", "1", 1);
  const std::vector<GaugeTerm> terms{{"plaquettes", {6.0, 0}}, {"rectangles", {0, -0.4}}};
  const int slices = std::max(8, 4 * comm::Communicator::world().size());  // two of each rank are inside
  // Kicks of rectangles, of plaquettes and of both follow drifts.
  for (const HmcParameters& parameters :
       {HmcParameters{0.3, {{force_gradient(), 2, {"rectangles"}}, {minimum_norm_2(), 2, {"plaquettes"}}}},
        HmcParameters{0.3, {{minimum_norm_2(), 2, {"plaquettes"}}, {force_gradient(), 2, {"rectangles"}}}},
        HmcParameters{0.3, {{leapfrog(), 4, {"rectangles", "plaquettes"}}}}})
    for (const bool in_single : {false, true})
      expect_bits_of_one_process(
          [&]<int W>(const GaugeField<double, W>& u) {
            std::shared_ptr<const SinglePrecisionDynamics<W>> single;
            if (in_single)
              single = single_precision_dynamics<W>(
                  parameters, u.lattice(), [&]<int WS>(const Lattice&) { return make_gauge_terms<float, WS>(terms); });
            const HybridMonteCarlo<double, W> hmc(parameters, make_gauge_terms<double, W>(terms), u.lattice(), single);
            hmc({.seed = 3, .trajectory = 0}, u);
            return hmc({.seed = 3, .trajectory = 1, .check_reversibility = true}, u);
          },
          1, {4, 4, 4, slices});
  ::setenv("TRELLIS_OVERLAP", before.c_str(), 1);
}

TEST(RanksHmc, TrajectoryInSinglePrecision) {
  expect_bits_of_one_process([]<int W>(const GaugeField<double, W>& u) {
    const auto hmc = two_plus_one<W>(u.lattice(), SolverPrecision::double_, true),
               in_16_bits = two_plus_one<W>(u.lattice(), SolverPrecision::fixed16, true);
    hmc({.seed = 5, .trajectory = 0}, u);
    in_16_bits({.seed = 5, .trajectory = 1}, u);
    return hmc({.seed = 5, .trajectory = 2, .check_reversibility = true}, u);
  });
}

// Every operation is computed twice, with ghosts; nothing is found where nothing is wrong. Then one rank has an error.
void expect_certified_trajectory(bool in_single) {
  const HmcParameters parameters{0.3, {{force_gradient(), 1, {"rectangles"}}, {minimum_norm_2(), 1, {"plaquettes"}}}};
  const auto world = comm::Communicator::world();
  const auto terms = []<class T, int W>() {
    return make_gauge_terms<T, W>({{"plaquettes", {6.0, 0}}, {"rectangles", {0, -0.4}}});
  };
  const auto trajectories = [&]<int W>(const GaugeField<double, W>& u, bool certified, bool damaged) {
    const Lattice& lattice = u.lattice();
    std::shared_ptr<const SinglePrecisionDynamics<W>> single;
    if (in_single)
      single = single_precision_dynamics<W>(
          parameters, lattice, [&]<int WS>(const Lattice&) { return terms.template operator()<float, WS>(); },
          certified);
    HybridMonteCarlo<double, W> hmc(parameters, terms.template operator()<double, W>(), lattice, single);
    std::vector<std::string> told;
    if (certified) {
      const Lattice other = rearranged(lattice);
      hmc.certify(std::make_shared<Certificate<double, W>>(
          1, make_replay<W, W>(parameters, terms.template operator()<double, W>(), lattice, other, in_single),
          [&](const std::string& text) { told.push_back(text); }));
    }
    hmc({.seed = 3, .trajectory = 0}, u);
    if (damaged && world.rank() + 1 == world.size()) test::flip_bit(u.view().data(), 5, 0);
    const auto record = hmc({.seed = 3, .trajectory = 1}, u);
    EXPECT_EQ(told.size(), damaged ? 1u : 0u);
    const auto where = fmt::format("on rank {} of {}", world.size() - 1, world.size());  // and on a GPU which
    EXPECT_TRUE(told.empty() || told[0].find(where) != std::string::npos) << told[0];
    return numbers_of(record);
  };
  const auto alone = links_on<1>(Lattice(size));
  const auto expected = trajectories(alone, false, false);
  testing::on_lattices(
      size,
      [&]<int W>(const Lattice& lattice) {
        if (lattice.ranks().size() != world.size()) return;
        for (const bool damaged : {false, true}) {
          const auto u = links_on<W>(lattice);
          EXPECT_EQ(trajectories(u, true, damaged), expected);
          testing::expect_same_links(u, alone, "links");
        }
      },
      3);
}
TEST(RanksHmc, CertifiedTrajectory) { expect_certified_trajectory(false); }
TEST(RanksHmc, CertifiedTrajectoryInSinglePrecision) { expect_certified_trajectory(true); }

TEST(RanksHmc, FieldsDifferOnAllRanksAlike) {
  const auto numbers = [&]<int W>(const Lattice& lattice) {
    const AlgebraField<double, W> p(lattice), q(lattice);
    gauge::draw_momenta({1, 0, gauge::momenta_purpose}, p);
    gauge::draw_momenta({2, 0, gauge::momenta_purpose}, q);
    const MomentumNorm norm = distance(p, q);
    const auto u = links_on<W>(lattice), v = u.clone();
    displace_links(0.3, p, u, v);
    return std::vector<double>{norm.root_mean_square, norm.maximum, largest_difference(p, q), largest_difference(u, v),
                               gauge::action(gauge::Action{5.0, 0}, v)};
  };
  const auto alone = numbers.operator()<1>(Lattice(size));
  testing::on_lattices(size,
                       [&]<int W>(const Lattice& lattice) { EXPECT_EQ((numbers.operator()<W>(lattice)), alone); });
}

// Clocks and reasons to stop that only the last rank has.
TEST(RanksHmc, RanksEndAChainTogether) {
  const auto world = comm::Communicator::world();
  const bool last = world.rank() + 1 == world.size();
  const auto grid = testing::grids_of(size).front();
  const Algorithm<double, 1> still = [](const TrajectoryRequest&, const GaugeField<double, 1>&,
                                        const BetweenSteps<double, 1>&) { return TrajectoryRecord(); };
  const auto run = [&](const ChainCallbacks<double, 1>& callbacks, double budget) {
    ChainState<double, 1> state{links_on<1>(Lattice(size, 1, SiteOrder::even_odd, {}, grid)), 0, {}};
    const auto result = run_chain<double, 1>({.trajectories = 10, .thermalisation = 0, .time_budget_seconds = budget},
                                             still, state, callbacks);
    return std::pair(result, state.completed);
  };
  ChainCallbacks<double, 1> stops, slow;
  int asked = 0;
  stops.should_stop = [&]() -> std::optional<std::string> {
    if (last && ++asked == 4) return "enough";
    return std::nullopt;
  };
  const auto [stopped, before_stop] = run(stops, 0);
  EXPECT_EQ(stopped.end, ChainEnd::stopped);
  EXPECT_EQ(stopped.reason, "enough");
  EXPECT_EQ(before_stop, 3u);

  double time = 0;
  slow.clock = [&] { return last ? time += 1 : 0; };
  const auto [late, before_late] = run(slow, 7.5);  // each trajectory lasts from one odd second to the next even one
  EXPECT_EQ(late.end, ChainEnd::out_of_time);
  EXPECT_EQ(before_late, 3u);
}

}  // namespace
}  // namespace trellis::hmc

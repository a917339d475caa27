// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/quark_action.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "reference/hisq.hpp"
#include "reference/numerical_derivative.hpp"
#include "reference/rooted_action.hpp"
#include "reference/stout.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_vectors.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/pseudofermion_kernel.hpp"
#include "trellis/hmc/rational_solver.hpp"

namespace trellis::hmc {
namespace {

constexpr Coordinate tiny{2, 2, 2, 4};
const RandomStream stream{77, 3, RandomPurpose::test};

QuarkAction accurate(const gauge::SmearingParameters& smearing, SolverPrecision precision = SolverPrecision::double_) {
  QuarkAction action;
  action.smearing = smearing;
  action.molecular_dynamics_error = 1e-13;
  action.molecular_dynamics_residual = 1e-13;
  action.heatbath_residual = action.metropolis_residual = 1e-13;
  action.molecular_dynamics_precision = precision;
  return action;
}
QuarkAction accurate(int levels, SolverPrecision precision = SolverPrecision::double_) {
  return accurate(gauge::stout_smearing(0.12, levels), precision);
}

QuarkTerm rooted(double heavier_mass = 0) {
  return {"quark", 0.2, heavier_mass, 0.25, 2, {.imaginary_mu = 0.3, .quanta = {0, 1, 0, 0, 0, 1}}};
}

reference::GaugeConfiguration warm(std::uint64_t seed, const Coordinate& size = tiny) {
  return reference::warm_configuration(size, seed, 0.4);
}

// f(A + m^2) of the term, as a function of the eigenvalues y, to the power s.
double function_of(const QuarkTerm& t, double y, double s) {
  const double delta = t.heavier_mass == 0 ? 0 : t.heavier_mass * t.heavier_mass - t.mass * t.mass;
  return std::pow(y, -s * t.power) * (t.heavier_mass == 0 ? 1 : std::pow(y + delta, s * t.power));
}

reference::DenseMatrix matrix_of(const reference::GaugeConfiguration& u, const QuarkTerm& t,
                                 const gauge::SmearingParameters& smearing) {
  const auto phases = test::reference_phases(t.phases, u.size);
  const auto& boundary = t.phases.boundary;
  if (smearing.kind == "stout") {
    const int levels = int(smearing.values.at("levels"));
    const auto links = test::stout_with_boundary(u, smearing.values.at("rho"), levels, boundary);
    return reference::staggered_even_matrix(test::staggered_hops(links, boundary), phases, t.mass);
  }
  auto links = reference::with_naik_epsilon(
      smearing.kind == "hisq" ? reference::hisq_links(u) : reference::asqtad_links(u, smearing.values.at("u0")),
      t.naik_epsilon);
  links.fat = test::staggered_hops(links.fat, boundary);
  links.three_steps = test::staggered_hops(links.three_steps, boundary, 3);
  return reference::even_matrix_of(
      u.size, [&](const reference::ColourField& psi) { return reference::apply_d(links, phases, psi); }, t.mass);
}

// The oracle's pseudofermion: f^(-1/2) of the noise that refresh() draws.
std::vector<reference::DenseVector> noise(const Lattice& lattice, const QuarkTerm& t) {
  std::vector<reference::DenseVector> xi;
  for (int j = 0; j < t.pseudofermions; ++j) {
    const ColourVectorField<double, 1> x(lattice, 0);
    draw_pseudofermion({stream.seed, stream.trajectory, pseudofermion_purpose}, std::uint32_t(j), x);
    xi.push_back(reference::even_part(lattice.size(), test::to_reference(x)));
  }
  return xi;
}

// Re a^dagger b
double product(const reference::DenseVector& a, const reference::DenseVector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (std::conj(a[k]) * b[k]).real();
  return sum;
}

double energy_of_oracle(const reference::GaugeConfiguration& u, const QuarkTerm& t,
                        const gauge::SmearingParameters& smearing, const std::vector<reference::DenseVector>& phi) {
  const auto system = reference::hermitian_eigensystem(matrix_of(u, t, smearing));
  double sum = 0;
  for (const auto& v : phi)
    sum += product(v, reference::apply_function(system, [&](double y) { return function_of(t, y, 1); }, v));
  return sum;
}

std::vector<reference::DenseVector> pseudofermions_of_oracle(const reference::GaugeConfiguration& u, const QuarkTerm& t,
                                                             const gauge::SmearingParameters& smearing) {
  const auto system = reference::hermitian_eigensystem(matrix_of(u, t, smearing));
  std::vector<reference::DenseVector> phi;
  for (const auto& xi : noise(Lattice(u.size), t))
    phi.push_back(reference::apply_function(system, [&](double y) { return function_of(t, y, -0.5); }, xi));
  return phi;
}

// A term, and links, with a boundary in time.
void expect_energy_and_force_of_oracle(const QuarkTerm& term, gauge::SmearingParameters smearing) {
  const auto& boundary = smearing.boundary = term.phases.boundary;
  const auto before = test::with_boundary(warm(1), boundary), after = test::with_boundary(warm(2), boundary);
  const std::string what =
      fmt::format("{}, splitting {}, epsilon {}", gauge::describe(smearing), term.heavier_mass, term.naik_epsilon);
  const auto phi = pseudofermions_of_oracle(before, term, smearing);
  double norm = 0;
  for (const auto& xi : noise(Lattice(tiny), term)) norm += product(xi, xi);
  const double expected = energy_of_oracle(after, term, smearing, phi) - norm;

  const auto u = test::from_reference<double, 1>(before), v = test::from_reference<double, 1>(after);
  const auto quark = make_quark_terms<1>(accurate(smearing), {term}, u.lattice()).at(0);
  quark->refresh(stream, u);
  EXPECT_NEAR(quark->difference(u, u), 0, 1e-9) << what;
  EXPECT_NEAR(quark->difference(v, u), expected, 1e-9) << what;

  const AlgebraField<double, 1> force(u.lattice());
  quark->add_force(v, 1, force);
  const auto energy = [&](const reference::GaugeConfiguration& w) { return energy_of_oracle(w, term, smearing, phi); };
  double worst = 0, size = 0;
  const bool fixed = boundary.kind == gauge::BoundaryKind::schroedinger_functional;
  std::vector<std::pair<Coordinate, int>> places{{{1, 0, 1, 3}, 3}, {{0, 0, 1, 0}, 1}};
  if (!boundary.is_periodic()) places = {{{1, 0, 1, 1}, 3}, {{1, 0, 1, 2}, 3}, {{0, 0, 1, fixed ? 1 : 0}, 1}};
  for (const auto& [x, mu] : places)
    for (const int a : {0, 4, 7}) {
      const double slope = reference::numerical_derivative(energy, after, x, mu, a);
      worst = std::max(worst, std::abs(force.at(x, mu)[std::size_t(a)] + slope));
      size = std::max(size, std::abs(slope));
    }
  EXPECT_LT(worst / size, 1e-7) << what;
}

TEST(QuarkAction, EnergyAndForceAreThoseOfTheOracle) {
  for (const double heavier : {0.0, 0.7})
    for (const int levels : {0, 1, 2})
      expect_energy_and_force_of_oracle(rooted(heavier), gauge::stout_smearing(0.12, levels));
}

TEST(QuarkAction, EnergyAndForceOfImprovedQuarksAreThoseOfTheOracle) {
  for (const double epsilon : {0.0, -0.3})
    for (const auto& smearing :
         {gauge::SmearingParameters{"hisq", {}}, gauge::SmearingParameters{"asqtad", {{"u0", 0.9}}}}) {
      QuarkTerm term = rooted(0.7);
      term.naik_epsilon = epsilon;
      expect_energy_and_force_of_oracle(term, smearing);
    }
}

// Of quarks that do not go around the lattice. Fixed links feel no force, and those that do not exist none.
TEST(QuarkAction, EnergyAndForceWithBoundariesInTimeAreThoseOfTheOracle) {
  const auto with = [](const gauge::Boundary& boundary) {
    QuarkTerm term = rooted(0.7);
    term.phases = {.quanta = {0, 0, 0, 0, 0, 1}, .boundary = boundary};
    return term;
  };
  for (const auto& boundary : {test::open_boundary, test::schroedinger_functional(3)})
    for (const int levels : {0, 1, 2})
      expect_energy_and_force_of_oracle(with(boundary), gauge::stout_smearing(0.12, levels));
  QuarkTerm improved = with(test::open_boundary);
  improved.naik_epsilon = -0.3;
  for (const auto& smearing :
       {gauge::SmearingParameters{"hisq", {}}, gauge::SmearingParameters{"asqtad", {{"u0", 0.9}}}})
    expect_energy_and_force_of_oracle(improved, smearing);
}

TEST(QuarkAction, LinksThatBoundariesTakeAwayFeelNoForce) {
  for (const auto& boundary : {test::open_boundary, test::schroedinger_functional(6)})
    for (const int levels : {0, 2}) {
      const auto u = test::from_reference<double, test::wide>(
          test::with_boundary(reference::hot_configuration({4, 4, 4, 8}, 3), boundary));
      auto smearing = gauge::stout_smearing(0.12, levels);
      smearing.boundary = boundary;
      QuarkTerm term = rooted();
      term.phases = {.boundary = boundary};
      const auto quark = make_quark_terms<test::wide>(accurate(smearing), {term}, u.lattice()).at(0);
      quark->refresh(stream, u);
      const AlgebraField<double, test::wide> force(u.lattice()), cleared(u.lattice());
      quark->add_force(u, 1, force);
      quark->add_force(u, 1, cleared);
      EXPECT_GT(largest_difference(force, AlgebraField<double, test::wide>(u.lattice())), 1e-3);
      gauge::clear_inactive(boundary, cleared);
      EXPECT_LT(largest_difference(force, cleared), 1e-14);
    }
}

TEST(QuarkAction, SmearingsThatDoNotKnowABoundaryAreRefused) {
  const Lattice lattice(tiny);
  const auto refused = [&](const std::string& kind, const gauge::Boundary& boundary) {
    EXPECT_THROW((gauge::smeared_links<1>({kind, {}, boundary}, lattice)), InputError) << kind;
  };
  for (const auto* kind : {"hisq", "asqtad", "naik", "fat7"}) refused(kind, test::schroedinger_functional(3));
  EXPECT_NO_THROW((gauge::smeared_links<1>({"hisq", {}, test::open_boundary}, lattice)));
}

// The forces of quarks with different epsilons are of one group.
TEST(QuarkAction, QuarksWithDifferentEpsilonsAddUp) {
  const auto u = test::from_reference<double, test::wide>(warm(6, {4, 4, 4, 4}));
  const QuarkAction action = accurate({"hisq", {}});
  QuarkTerm light = rooted(), charm = rooted();
  charm.name = "charm";
  charm.mass = 0.6;
  charm.naik_epsilon = -0.2;
  const auto force = [&](const std::vector<QuarkTerm>& terms, std::size_t from, std::size_t to) {
    const auto quarks = make_quark_terms<test::wide>(action, terms, u.lattice());
    for (const auto& one : quarks) one->refresh(stream, u);
    const AlgebraField<double, test::wide> sum(u.lattice());
    quarks[0]->group()->clear();
    for (std::size_t k = from; k < to; ++k) quarks[k]->contribute(u);
    quarks[0]->group()->add_force(u, 1, sum);
    return sum;
  };
  const auto both = force({light, charm}, 0, 2), first = force({light, charm}, 0, 1),
             second = force({light, charm}, 1, 2);
  double worst = 0, size = 0;
  for (std::int64_t site = 0; site < u.lattice().volume(); ++site)
    for (int mu = 0; mu < 4; ++mu) {
      const Coordinate x = u.lattice().coordinate(site);
      for (std::size_t a = 0; a < 8; ++a) {
        worst = std::max(worst, std::abs(both.at(x, mu)[a] - first.at(x, mu)[a] - second.at(x, mu)[a]));
        size = std::max(size, std::abs(second.at(x, mu)[a]));
      }
    }
  EXPECT_LT(worst, 1e-11 * std::max(1.0, size));
  EXPECT_GT(size, 1e-3);
}

TEST(QuarkAction, ForceIsTheNumericalDerivativeOfTheEnergy) {
  // On a lattice that is too large for the oracle, through two levels: its own energy, which was tested above.
  const auto c = warm(5, {4, 4, 4, 4});
  const auto u = test::from_reference<double, test::wide>(c);
  const QuarkTerm term = rooted();
  const auto quark = make_quark_terms<test::wide>(accurate(2), {term}, u.lattice()).at(0);
  quark->refresh(stream, u);
  const AlgebraField<double, test::wide> force(u.lattice());
  quark->add_force(u, 1, force);
  const auto energy = [&](const reference::GaugeConfiguration& w) {
    return quark->difference(test::from_reference<double, test::wide>(w), u);
  };
  const Coordinate x{1, 2, 3, 0};
  for (const int a : {1, 6}) {
    const double slope = reference::numerical_derivative(energy, c, x, 2, a, 1e-2);
    EXPECT_NEAR(force.at(x, 2)[std::size_t(a)], -slope, 1e-7 * std::max(1.0, std::abs(slope)));
  }
}

template <int W>
AlgebraField<double, W> force_of(const QuarkAction& action, const GaugeField<double, W>& u) {
  const auto quark = make_quark_terms<W>(action, {rooted()}, u.lattice()).at(0);
  quark->refresh(stream, u);
  const AlgebraField<double, W> force(u.lattice());
  quark->add_force(u, 1, force);
  return force;
}

TEST(QuarkAction, SinglePrecisionIsAsGoodAsItsResidual) {
  const auto u = test::from_reference<double, test::wide>(warm(6, {4, 4, 4, 4}));
  const auto exact = force_of(accurate(1), u);
  EXPECT_LT(largest_difference(force_of(accurate(1, SolverPrecision::mixed), u), exact), 1e-10);
  const gauge::SmearingParameters hisq{"hisq", {}};
  EXPECT_LT(largest_difference(force_of(accurate(hisq, SolverPrecision::mixed), u), force_of(accurate(hisq), u)),
            1e-10);
  QuarkAction rough = accurate(1, SolverPrecision::single);
  rough.molecular_dynamics_residual = 3e-6;
  const double difference = largest_difference(force_of(rough, u), exact);
  EXPECT_LT(difference, 1e-4);
  EXPECT_GT(difference, 1e-9);
}

// Default residuals are far below what single precision can reach with light quarks: what it leaves is accepted, in
// each of the three solves, and counted. A residual that iterations could still lower is not.
TEST(QuarkAction, WhatSinglePrecisionLeavesIsAccepted) {
  const auto u = test::from_reference<double, test::wide>(warm(6, {4, 4, 4, 4}));
  const QuarkTerm light{"light", 0.002, 0.05, 0.5, 1};
  const auto exact = make_quark_terms<test::wide>({}, {light}, u.lattice()).at(0);
  exact->refresh(stream, u);
  const AlgebraField<double, test::wide> expected(u.lattice());
  exact->add_force(u, 1, expected);
  for (auto purpose : {&QuarkAction::heatbath_precision, &QuarkAction::molecular_dynamics_precision,
                       &QuarkAction::metropolis_precision}) {
    QuarkAction action;
    action.*purpose = SolverPrecision::single;
    const auto quark = make_quark_terms<test::wide>(action, {light}, u.lattice()).at(0);
    quark->refresh(stream, u);
    const AlgebraField<double, test::wide> force(u.lattice());
    quark->add_force(u, 1, force);
    EXPECT_NEAR(quark->difference(u, u), 0, 1e-2);
    EXPECT_LT(largest_difference(force, expected), 1e-2);
    const auto counts = quark->take_counts().value();
    EXPECT_GT(counts.rounded, 1e-7);
    EXPECT_LT(counts.rounded, 1e-2);
  }
  QuarkAction few;
  few.molecular_dynamics_precision = SolverPrecision::single;
  const auto quark = make_quark_terms<test::wide>(few, {light}, u.lattice()).at(0);
  quark->refresh(stream, u);
  few.max_iterations = 20;
  const auto stopped = make_quark_terms<test::wide>(few, {light}, u.lattice()).at(0);
  const auto from = quark->sources(), to = stopped->sources();
  to[0].copy_from(from[0]);
  const AlgebraField<double, test::wide> force(u.lattice());
  EXPECT_THROW(stopped->add_force(u, 1, force), Error);
}

// Its force is that of links which are wrong by up to 2^-16.
TEST(QuarkAction, LinksIn16BitsGiveTheForceToTheirAccuracy) {
  const auto u = test::from_reference<double, test::wide>(warm(6, {4, 4, 4, 4}));
  const auto exact = force_of(accurate(1), u);
  QuarkAction rough = accurate(1, SolverPrecision::fixed16);
  for (const double residual : {1e-4, 1e-12}) {
    rough.molecular_dynamics_residual = residual;
    const double difference = largest_difference(force_of(rough, u), exact);
    EXPECT_LT(difference, 1e-3) << residual;
    EXPECT_GT(difference, 1e-7) << residual;
  }
}

// Free links after a gauge transformation have zero modes, which rounded links need not have. With a mass that hardly
// lifts them, conjugate gradients do not converge.
TEST(QuarkAction, SolvesThatDoNotWorkIn16BitsAreDoneInDoublePrecision) {
  const Coordinate size{4, 4, 4, 4};
  const auto u = test::from_reference<double, test::wide>(
      reference::gauge_transform(reference::GaugeConfiguration(size), reference::random_transformation(size, 5)));
  QuarkAction action = accurate(0, SolverPrecision::fixed16);
  action.heatbath_error = action.metropolis_error = action.molecular_dynamics_error = 1e-6;
  action.heatbath_residual = action.molecular_dynamics_residual = 1e-4;
  action.max_iterations = 1000;
  const auto fallbacks = [&](double mass, bool antiperiodic) {
    const QuarkTerm term{"quark", mass, 0, 0.25, 2, {.antiperiodic_time = antiperiodic}};
    const auto quark = make_quark_terms<test::wide>(action, {term}, u.lattice()).at(0);
    quark->refresh(stream, u);
    const AlgebraField<double, test::wide> force(u.lattice());
    quark->add_force(u, 1, force);
    return quark->take_counts()->fallbacks;
  };
  EXPECT_EQ(fallbacks(0.1, true), 0);
  EXPECT_EQ(fallbacks(1e-5, false), 2);
}

// Links with determinants other than one, whose third row is wrong, make an operator that is not positive.
TEST(QuarkAction, AnOperatorThatIsNotPositiveIsNoticed) {
  auto u = reference::hot_configuration({4, 4, 4, 4}, 5);
  for (auto& link : u.links) link = std::polar(1.0, 1.0) * link;
  const auto links = test::from_reference<float, test::wide>(u);
  const dirac::StaggeredOperator<float, test::wide, Fixed16> massless(dirac::StaggeredLinks<Fixed16, test::wide>(links),
                                                                      {}, 0.0);
  const ColourVectorField<double, test::wide> source(links.lattice(), 0);
  draw_pseudofermion(stream, 0, source);
  const ColourVectorField<float, test::wide> b(links.lattice(), 0), x(links.lattice(), 0, 2);
  solver::PrecisionMaps<test::wide, test::wide>(links.lattice(), links.lattice()).convert(source, b);
  const RationalApproximation function{.residues = {1, 1}, .poles = {0.01, 0.1}};
  const PoleSolver<float, test::wide, Fixed16> poles(massless, 0.1, function);
  EXPECT_THROW(poles.solve(b, x, {1e-4, 1000}, {}), solver::NotPositive);
  EXPECT_FALSE(poles.solve_unrefined(b, x, {1e-4, 1000}, {}));
}

// An energy with solutions that are wrong by `error`, relative to the exact ones: [without, with] what their residuals
// say about it.
template <int W, int WS>
std::array<double, 2> errors_of_energy(const GaugeField<double, W>& u, double error) {
  const QuarkTerm term = rooted(0.7);
  QuarkLinks<W, WS> links({.smearing = gauge::stout_smearing(0.12, 1)}, u.lattice(), {0}, {});
  links.take(u);
  const dirac::StaggeredOperator<double, W> massless(links.packed(0), term.phases, 0.0);
  const QuarkFunctions functions = quark_functions(accurate(1), term);
  const RationalSolver<W, WS> solver(links, massless, term.phases, 0, term.mass, functions.metropolis,
                                     SolverPrecision::double_);
  const ColourVectorField<double, W> phi(u.lattice(), 0), x(u.lattice(), 0, functions.metropolis.order()),
      chi = phi.like(), zero = phi.like();
  draw_pseudofermion(stream, 0, phi);
  SolverCounts counts;
  solver.poles(phi, x, {1e-14, 10000}, "test", counts);
  const auto energy = [&] {
    sum_poles<W>(functions.metropolis.constant, phi, functions.metropolis.residues, x, chi);
    const double without = pseudofermion_difference(phi, chi, zero);
    return std::array{without, without + solver.energy_of_residuals(phi, x)};
  };
  const auto exact = energy();
  const auto wrong = x.like();
  for (int n = 0; n < x.count(); ++n) {
    const auto one = phi.like();
    draw_pseudofermion(stream, 1 + std::uint32_t(n), one);
    solver::scatter(one, std::array{n}, wrong);
  }
  solver::add_scaled(std::vector<double>(std::size_t(x.count()), error), wrong, x);
  const auto found = energy();
  return {std::abs(found[0] - exact[0]), std::abs(found[1] - exact[0])};
}

TEST(QuarkAction, EnergyIsWrongToSecondOrderInTheResiduals) {
  const auto u = test::from_reference<double, test::wide>(warm(9, {4, 4, 4, 4}));
  const auto errors = [&](double error) { return errors_of_energy<test::wide, test::wide>(u, error); };
  const auto coarse = errors(1e-2), fine = errors(1e-3);
  EXPECT_NEAR(coarse[0] / fine[0], 10, 1);
  EXPECT_NEAR(coarse[1] / fine[1], 100, 1);
}

// The energy after the heatbath is |xi|^2, and on other links what solves in double precision say, with residuals that
// are several digits short. The heatbath of a quark that is not split is in double precision in any case.
TEST(QuarkAction, SolvesInSinglePrecisionGiveTheEnergy) {
  const auto u = test::from_reference<double, test::wide>(warm(6, {4, 4, 4, 4})),
             v = test::from_reference<double, test::wide>(warm(7, {4, 4, 4, 4}));
  for (const double heavier : {0.0, 0.7}) {
    const auto differences = [&](const QuarkAction& action) {
      const auto quark = make_quark_terms<test::wide>(action, {rooted(heavier)}, u.lattice()).at(0);
      quark->refresh(stream, u);
      return std::array{quark->difference(u, u), quark->difference(v, u)};
    };
    const auto exact = differences(accurate(1));
    for (const SolverPrecision precision : {SolverPrecision::mixed, SolverPrecision::single}) {
      QuarkAction action = accurate(1);
      action.metropolis_precision = precision;
      action.metropolis_residual = 1e-5;
      const auto energy = differences(action);
      EXPECT_NEAR(energy[0], exact[0], 1e-7) << heavier;
      EXPECT_NEAR(energy[1], exact[1], 1e-7) << heavier;
      EXPECT_NE(energy[1], exact[1]);
      action.heatbath_precision = precision;
      action.heatbath_residual = 1e-6;
      const auto both = differences(action);
      EXPECT_NEAR(both[0], exact[0], 1e-5) << heavier;
      EXPECT_NEAR(both[1], exact[1], 1e-5) << heavier;
      EXPECT_NE(both[0], energy[0]);
      action.heatbath_precision = SolverPrecision::double_;
      EXPECT_EQ(differences(action) == both, heavier == 0) << heavier;
    }
  }
}

TEST(QuarkAction, TheWayBackGoneOnceIsThatOfEachTerm) {
  const auto u = test::from_reference<double, test::wide>(warm(7, {4, 4, 4, 4}));
  QuarkTerm light = rooted(0.5), heavy = rooted();
  heavy.name = "heavy";
  heavy.phases = {};
  const auto terms = make_quark_terms<test::wide>(accurate(2), {light, heavy}, u.lattice());
  const AlgebraField<double, test::wide> apart(u.lattice()), together(u.lattice());
  ASSERT_EQ(terms[0]->group(), terms[1]->group());
  for (const auto& term : terms) {
    term->refresh(stream, u);
    term->add_force(u, 0.3, apart);
  }
  terms[0]->group()->clear();
  for (const auto& term : terms) term->contribute(u);
  terms[0]->group()->add_force(u, 0.3, together);
  EXPECT_LT(largest_difference(apart, together), 1e-13);
}

TEST(QuarkAction, NonsenseIsRefused) {
  const Lattice lattice(tiny);
  const auto with = [&](auto change) {
    QuarkTerm term = rooted();
    QuarkAction action;
    change(term, action);
    return [=] { make_quark_terms<1>(action, {term}, lattice); };
  };
  EXPECT_THROW(with([](auto& t, auto&) { t.mass = 0; })(), InputError);
  EXPECT_THROW(with([](auto& t, auto&) { t.mass = -0.1; })(), InputError);
  EXPECT_THROW(with([](auto& t, auto&) { t.heavier_mass = 0.1; })(), InputError);
  EXPECT_THROW(with([](auto& t, auto&) { t.power = 1.25; })(), InputError);
  EXPECT_THROW(with([](auto& t, auto&) { t.pseudofermions = 0; })(), InputError);
  EXPECT_THROW(with([](auto&, auto& a) { a.largest_eigenvalue = 0; })(), InputError);
  EXPECT_THROW(with([](auto&, auto& a) { a.heatbath_precision = SolverPrecision::fixed16; })(), InputError);
  EXPECT_THROW(with([](auto&, auto& a) { a.metropolis_precision = SolverPrecision::fixed16; })(), InputError);
  EXPECT_THROW(with([](auto&, auto& a) { a.smearing = gauge::stout_smearing(-1, 1); })(), InputError);
  try {
    with([](auto& t, auto&) { t.mass = 1e-6; })();
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("rational.heatbath_error = 1e-12 cannot be had for term 'quark' with mass "
                        "= 1e-06 and rational.largest_eigenvalue = 16: no rational approximation"),
              0U)
        << error.what();
  }
}

// A trajectory that cannot be completed says why and leaves the links alone.
void expect_failure(const QuarkAction& action, const std::string& part_of_message) {
  const auto u = test::from_reference<double, test::wide>(warm(8, {4, 4, 4, 4})), before = u.clone();
  const HybridMonteCarlo<double, test::wide> hmc(
      {0.1, {{leapfrog(), 1, {"quark"}}}}, make_quark_terms<test::wide>(action, {rooted()}, u.lattice()), u.lattice());
  try {
    hmc({1, 0, false, false}, u);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part_of_message), std::string::npos) << error.what();
  }
  EXPECT_EQ(largest_difference(u, before), 0);
}

TEST(QuarkAction, SpectrumBeyondTheIntervalStopsTheTrajectory) {
  QuarkAction action;
  action.largest_eigenvalue = 3;
  expect_failure(action, "largest eigenvalue");
}

TEST(QuarkAction, SolverThatDoesNotConvergeStopsTheTrajectory) {
  QuarkAction action;
  action.max_iterations = 5;
  expect_failure(action, "after 5 iterations");
}

}  // namespace
}  // namespace trellis::hmc

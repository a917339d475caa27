// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Measurements on process grids give the bits of one process.
#include "tests/support/grid_lattices.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/measure/gauge_observables.hpp"
#include "trellis/measure/hadrons.hpp"
#include "trellis/measure/loops/glueballs.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"
#include "trellis/measure/quark_observables.hpp"
#include "trellis/measure/staggered_eigenvalues.hpp"
#include "trellis/measure/staggered_hadrons.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::measure {
namespace {

template <int W>
GaugeField<double, W> links_on(const Lattice& lattice) {
  const GaugeField<double, W> u = GaugeField<double, W>::unit(lattice);
  const AlgebraField<double, W> p(lattice);
  gauge::draw_momenta({11, 0, gauge::hot_start_purpose}, p);
  gauge::update_links(0.2, p, u);
  return u;
}

// numbers(u) on all lattices.
template <class F>
void expect_bits_of_one_process(const Coordinate& size, const F& numbers, std::size_t most_grids = 3) {
  const auto alone = numbers(links_on<1>(Lattice(size)));
  testing::on_lattices(
      size, [&]<int W>(const Lattice& lattice) { EXPECT_EQ(numbers(links_on<W>(lattice)), alone); }, most_grids);
}

TEST(RanksMeasure, Gauge) {
  expect_bits_of_one_process({4, 4, 4, 16}, [](const auto& u) {
    const auto m = measure_gauge({.observables = observables_named(names_of(observables())),
                                  .flow = gauge::FlowParameters{.step = 0.05, .time_max = 0.1, .measure_every = 0.05},
                                  .smoothings = {{.name = "cooling", .steps = 2, .every = 1},
                                                 {.name = "stout", .weight = 0.1, .steps = 2, .every = 1},
                                                 {.name = "ape", .weight = 0.5, .steps = 2, .every = 1},
                                                 {.name = "hyp", .steps = 1, .every = 1}}},
                                 u);
    std::vector<double> found{m.plaquette.average, m.rectangle};
    for (const auto& [name, values] : m.observables) found.insert(found.end(), values.begin(), values.end());
    for (const auto& point : m.flow) found.insert(found.end(), {point.energy_clover, point.topological_charge});
    for (const auto& [name, charges] : m.smoothed)
      for (const auto& charge : charges) found.insert(found.end(), {charge.topological_charge, charge.plaquette});
    return found;
  });
}

TEST(RanksMeasure, LoopsAndGlueballs) {
  expect_bits_of_one_process({4, 4, 4, 16}, [](const auto& u) {
    std::vector<double> found;
    for (const auto& loop : wilson_loops({.directions = {"100", "110", "111", "210"},
                                          .distance = 1,
                                          .time = 3,
                                          .levels = {0, 2},
                                          .hyp_alpha = {0.75, 0.6, 0.3}},
                                         u))
      found.push_back(loop.value);
    for (const auto& loop : wilson_loops({.distance = 2, .time = 8}, u)) found.push_back(loop.value);
    for (const auto& o : glueball_operators({.levels = {0, 2}}, u))
      found.insert(found.end(), {o.scalar, o.tensor_1, o.tensor_2, o.pseudoscalar});
    return found;
  });
}

// Also where ranks or lanes cut t.
void expect_gauge(const gauge::Boundary& boundary) {
  GaugeSelection s{.smoothings = {{.name = "cooling", .steps = 2, .every = 1},
                                  {.name = "stout", .weight = 0.1, .steps = 2, .every = 1},
                                  {.name = "ape", .weight = 0.5, .steps = 2, .every = 1},
                                  {.name = "hyp", .steps = 1, .every = 1}}};
  s.wilson_loops = WilsonLoopSelection{
      .distance = 1, .time = 12, .levels = {0, 2}, .hyp_alpha = {0.75, 0.6, 0.3}, .boundary_distance = 1};
  s.glueballs = GlueballSelection{.levels = {0, 2}};
  expect_bits_of_one_process({4, 4, 4, 16}, [&](const auto& periodic) {
    const auto u = periodic.clone();
    gauge::impose_boundary(boundary, u);
    const auto m = measure_gauge(s, u, boundary);
    std::vector<double> found;
    for (const auto& [name, charges] : m.smoothed)
      for (const auto& charge : charges) found.insert(found.end(), {charge.topological_charge, charge.plaquette});
    for (const auto& loop : m.wilson_loops) found.push_back(loop.value);
    for (const auto& o : m.glueballs) found.insert(found.end(), {o.scalar, o.tensor_1, o.tensor_2, o.pseudoscalar});
    return found;
  });
}

TEST(RanksMeasure, GaugeWithOpenBoundaries) { expect_gauge({.kind = gauge::BoundaryKind::open}); }
TEST(RanksMeasure, GaugeOfASchroedingerFunctional) {
  expect_gauge({.kind = gauge::BoundaryKind::schroedinger_functional,
                .extent = 14,
                .phi = {-1, 0.2, 0.8},
                .phi_prime = {-3, 1, 2}});
}

TEST(RanksMeasure, SumsOverTimeSlices) {
  const Coordinate size{4, 2, 4, 16};
  const auto sums = [&]<int W>(const Lattice& lattice) {
    const SiteNumbers<W> f(lattice, 2);
    for (std::int64_t n = 0; n < lattice.volume(); ++n)
      if (const Coordinate x = lattice.coordinate(n); lattice.owns(x))
        for (int number = 0; number < 2; ++number) f.set(x, number, double((n * 7919 + 31 * number) % 1009) / 7);
    return time_slice_sums(
        f, {.origin = {1, 0, 2, 5}, .momenta = {{0, 0, 0}, {1, 0, -1}}, .winding_over_pi = {0.3, 0, 0, 1}});
  };
  const auto alone = sums.operator()<1>(Lattice(size));
  testing::on_lattices(
      size, [&]<int W>(const Lattice& lattice) { EXPECT_EQ((sums.template operator()<W>(lattice)), alone); }, 8);
}

void expect_hadrons(const Coordinate& size, const HadronSelection& s, std::size_t most_grids) {
  expect_bits_of_one_process(
      size,
      [&]<int W>(const GaugeField<double, W>& u) {
        gauge::impose_boundary(s.quark.boundary, u);
        const auto m = measure_hadrons(s, u);
        auto found = m.correlators;
        for (const auto& sink : m.fixed_sinks) found.insert(found.end(), sink.begin(), sink.end());
        found.emplace_back(m.residual, m.iterations);
        return found;
      },
      most_grids);
}

TEST(RanksMeasure, HadronsFromAPoint) {
  expect_hadrons({4, 4, 4, 8},
                 {.kappas = {0.11},
                  .quark = {.clover = 1.2, .boundary_angle_over_pi = {0.2, 0, 0, 1}},
                  .stout = {0.1, 1},
                  .positions = {{1, 2, 3, 5}},
                  .momenta = {{0, 0, 0}, {0, 1, 0}},
                  .channels = hadron_names(),
                  .inverse = {.residual = 1e-6}},
                 2);
}

TEST(RanksMeasure, HadronsOfQuarks) {
  HadronSelection s{.positions = {{1, 2, 3, 5}},
                    .momenta = {{0, 0, 0}, {0, 1, 0}},
                    .channels = {"axial_x", "proton", "lambda", "decuplet"},
                    .inverse = {.residual = 1e-6}};
  s.quarks = {{"l", {.kappa = 0.11}}, {"s", {.kappa = 0.1, .clover = 1.2}}};
  s.combinations = {{0, 1}, {0, 0, 1}, {1, 0, 0}};
  s.fixed_sinks = {{.name = "p",
                    .quarks = {0, 0, 1},
                    .place = 2,
                    .to = 1,
                    .channel = "proton",
                    .momentum = {0, 1, 0},
                    .time = 3,
                    .currents = {"vector_t", "axial_z"},
                    .momenta = {{0, 0, 0}, {1, 0, 0}}}};
  expect_hadrons({4, 4, 4, 8}, s, 2);
}

TEST(RanksMeasure, HadronsFromNoise) {
  for (const auto kind : {NoiseKind::z4, NoiseKind::u1})
    expect_hadrons({4, 4, 4, 4},
                   {.kappas = {0.11},
                    .source = QuarkSourceKind::noise,
                    .positions = {{0, 0, 0, 1}},
                    .noise = {.kind = kind, .vectors = 2, .spacing = {2, 1, 1}, .seed = 3},
                    .momenta = {{0, 0, 0}, {0, 1, 0}},
                    .channels = {"pion", "axial_t"},
                    .inverse = {.residual = 1e-6}},
                   1);
}

TEST(RanksMeasure, HadronsBetweenBoundaries) {
  const gauge::Boundary open{.kind = gauge::BoundaryKind::open},
      functional{.kind = gauge::BoundaryKind::schroedinger_functional,
                 .extent = 7,
                 .phi = {-1, 0.2, 0.8},
                 .phi_prime = {-3, 1, 2}};
  expect_hadrons({4, 4, 4, 8},
                 {.kappas = {0.11},
                  .quark = {.clover = 1.2, .boundary = open, .c_f = 0.9},
                  .source = QuarkSourceKind::noise,
                  .positions = {{0, 0, 0, 2}},
                  .noise = {.kind = NoiseKind::u1, .vectors = 1, .seed = 3},
                  .momenta = {{0, 0, 0}, {0, 1, 0}},
                  .channels = {"pion", "axial_t"},
                  .inverse = {.residual = 1e-6}},
                 1);
  const dirac::WilsonParameters quark{.kappa = 0.11, .clover = 1.2, .boundary = functional, .c_f = 0.9};
  HadronSelection s{.quark = quark,
                    .quarks = {{"l", quark}},
                    .combinations = {{0, 0}},
                    .stout = {0.1, 2, functional},
                    .stout_is_spatial = true,
                    .positions = {{1, 2, 3, 2}},
                    .channels = {"pion"},
                    .inverse = {.residual = 1e-6}};
  s.fixed_sinks = {{.name = "p",
                    .quarks = {0, 0, 0},
                    .place = 2,
                    .channel = "proton",
                    .momentum = {0, 1, 0},
                    .time = 3,
                    .currents = {"vector_t", "axial_z"},
                    .momenta = {{0, 0, 0}, {1, 0, 0}}}};
  expect_hadrons({4, 4, 4, 8}, s, 1);
}

TEST(RanksMeasure, HadronsFromAWallAndSmearedOnesInLowerPrecision) {
  HadronSelection s{.kappas = {0.11},
                    .quark = {.boundary_angle_over_pi = {0.2, 0, 0, 1}},
                    .source = QuarkSourceKind::gaussian,
                    .positions = {{1, 2, 3, 3}},
                    .gaussian = {.alpha = 0.3, .steps = 3, .rho = 0.1, .levels = 2},
                    .sinks = {QuarkSink::point, QuarkSink::smeared},
                    .channels = {"pion", "proton"},
                    .inverse = {.precision = SolverPrecision::mixed, .residual = 1e-6}};
  expect_hadrons({4, 4, 4, 4}, s, 2);
  s.source = QuarkSourceKind::wall;
  s.sinks = {QuarkSink::point};
  s.inverse.precision = SolverPrecision::fixed16;
  expect_hadrons({4, 4, 4, 4}, s, 1);
}

TEST(RanksMeasure, StaggeredHadrons) {
  StaggeredHadronSelection s{.positions = {{1, 2, 3, 3}},
                             .momenta = {{0, 0, 0}, {0, 1, 0}},
                             .channels = staggered_hadron_names(),
                             .inverse = {.residual = 1e-6}};
  const auto expect = [&](const Coordinate& size) {
    expect_bits_of_one_process(
        size,
        [&](const auto& u) {
          const auto m = measure_staggered_hadrons(
              s, {{.name = "l", .mass = 0.2, .phases = {.imaginary_mu = 0.4}}, {.name = "s", .mass = 0.5}},
              gauge::stout_smearing(0.1, 1), 7, 3, u);
          auto found = m.correlators;
          found.emplace_back(m.residual, m.ward_identity);
          return found;
        },
        2);
  };
  expect({4, 4, 4, 8});
  s.momenta = {{0, 0, 0}};
  s.channels = {"pion", "rho_axial"};
  s.source = StaggeredSource::z4_wall;
  expect({4, 4, 4, 4});
}

TEST(RanksMeasure, Quarks) {
  expect_bits_of_one_process(
      {4, 4, 4, 4},
      [](const auto& u) {
        const auto m = measure_quarks(
            {.quark_number = true,
             .susceptibilities = true,
             .planes = {5},
             .noise_vectors = 2,
             .inverse = {.residual = 1e-8}},
            {{.name = "u", .mass = 0.2, .tastes = 1, .phases = {.imaginary_mu = 0.4, .quanta = {0, 0, 0, 1, 0, 2}}}},
            gauge::stout_smearing(0.1, 1), 7, 3, u);
        std::vector<std::complex<double>> found;
        for (const auto& flavour : m.flavours)
          for (const auto& e : flavour.estimates)
            found.insert(found.end(), {e.condensate,
                                       e.quark_number,
                                       e.magnetisation[5],
                                       e.second_derivative,
                                       e.bubble,
                                       {e.residual, double(e.iterations)}});
        return found;
      },
      2);
}

TEST(RanksMeasure, Eigenvalues) {
  expect_bits_of_one_process(
      {4, 4, 4, 4},
      [](const auto& u) {
        const auto found =
            measure_eigenvalues({.count = 4, .tolerance = 1e-6}, {{.name = "u", .phases = {.imaginary_mu = 0.4}}},
                                gauge::stout_smearing(0.1, 1), u);
        auto numbers = found[0].values;
        numbers.insert(numbers.end(), found[0].residuals.begin(), found[0].residuals.end());
        numbers.push_back(found[0].applications);
        return numbers;
      },
      2);
}

}  // namespace
}  // namespace trellis::measure

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Operators on every process grid of the test's ranks, and on one process with ghosts of its own sites, give the same
// bits as one process without ghosts.
#include <array>
#include <bit>

#include "tests/support/ghost_paths.hpp"
#include "tests/support/grids.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/staggered/staggered_force.hpp"
#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::dirac {
namespace {

const Coordinate size{4, 4, 4, 8};
const LinkPhases phases{}, turning{.imaginary_mu = 0.3, .quanta = {0, 0, 1, 0, 0, 0}},
    functional{.boundary = {.kind = gauge::BoundaryKind::schroedinger_functional, .extent = 6}};

template <class T, int W>
GaugeField<T, W> some_links(const Lattice& lattice) {
  const GaugeField<T, W> u(lattice);
  gauge::hot_start(RandomStream(7), u);
  u.exchange();
  return u;
}

// Most sites have non-zero numbers, some have zeros of both signs.
template <class Field>
Field some_vectors(const Lattice& lattice, int parity, int count) {
  const Field x(lattice, parity, count);
  testing::for_each_own_site(lattice, [&](const Coordinate& site) {
    if ((site[0] + site[1] + site[2] + site[3]) % 2 != parity) return;
    for (int n = 0; n < count; ++n) {
      std::array<double, Field::reals> numbers;
      const auto name = lattice.lexicographic(site);
      for (int k = 0; k < Field::reals; ++k) {
        const double v = double((name * 7919 + 104729 * k + 1299709 * n) % 2003) / 1001 - 1;
        numbers[std::size_t(k)] = name % 3 == 0 ? (k % 2 == 0 ? 0.0 : -0.0) : v;
      }
      x.set(site, numbers, n);
    }
  });
  return x;
}

template <class Field, class Other>
void expect_same(const Field& x, const Other& alone) {
  const Lattice& lattice = x.lattice();
  testing::for_each_own_site(lattice, [&](const Coordinate& site) {
    if ((site[0] + site[1] + site[2] + site[3]) % 2 != x.parity()) return;
    for (int n = 0; n < x.count(); ++n) {
      const auto a = x.at(site, n), b = alone.at(site, n);
      for (std::size_t k = 0; k < a.size(); ++k)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k]))
            << a[k] << " and " << b[k] << " at " << lattice.lexicographic(site) << " vector " << n << " number " << k;
    }
  });
}

// f(lattice) on all grids, with all lane counts of T that fit; on a single rank, with ghosts of its own sites.
template <class T, class F>
void on_lattices(const F& f) {
  std::vector<std::pair<comm::ProcessGrid, LatticeShape>> ways;
  for (const auto& grid : testing::grids_of(size)) ways.push_back({grid, {}});
  if (ways.size() == 1 && ways[0].first.size() == 1)
    for (const Coordinate& ghosts : {Coordinate{0, 0, 0, 1}, {1, 1, 1, 1}, {0, 1, 1, 0}})
      ways.push_back({ways[0].first, {.ghosts = ghosts}});
  for (const auto& [grid, shape] : ways) {
    SCOPED_TRACE(to_string(grid.extents()));
    for (const int lanes : compiled_lane_counts<T>()) {
      if (!Lattice::divides(grid.local(size), lanes)) continue;
      with_lanes<T>(lanes,
                    [&]<int W>() { f.template operator()<W>(Lattice(size, W, SiteOrder::even_odd, shape, grid)); });
    }
  }
}

template <class T, int W>
auto staggered(const Lattice& lattice, int count, const LinkPhases& u) {
  struct Results {
    ColourVectorField<T, W> hop, twice;
    std::vector<double> products;
  };
  const StaggeredOperator<T, W> d(StaggeredLinks<T, W>(some_links<arithmetic_t<T>, W>(lattice)), u, 0.1);
  const auto in = some_vectors<ColourVectorField<T, W>>(lattice, 0, count);
  Results r{ColourVectorField<T, W>(lattice, 1, count), in.like(), {}};
  d.hop(in, r.hop);
  r.products = d(in, r.twice);
  return r;
}

template <class T>
void expect_staggered(int count, const LinkPhases& u = phases) {
  const auto alone = staggered<T, 1>(Lattice(size), count, u);
  on_lattices<arithmetic_t<T>>([&]<int W>(const Lattice& lattice) {
    const auto found = staggered<T, W>(lattice, count, u);
    expect_same(found.hop, alone.hop);
    expect_same(found.twice, alone.twice);
    EXPECT_EQ(found.products, alone.products);
  });
}

TEST(RanksOperators, StaggeredHasTheBitsOfOneProcess) {
  expect_staggered<double>(1);
  expect_staggered<float>(1);
  expect_staggered<double>(1, turning);
  expect_staggered<double>(1, functional);
  expect_staggered<Fixed16>(1);
}
TEST(RanksOperators, StaggeredOfSeveralVectorsHasTheBitsOfOneProcess) {
  expect_staggered<double>(3);
  expect_staggered<float>(8);
  expect_staggered<Fixed16>(2);
}

TEST(RanksOperators, StaggeredForceHasTheBitsOfOneProcess) {
  const std::vector<double> weights{0.3, -1.1};
  const auto force = [&]<int W>(const Lattice& lattice) {
    const HopTable<double, W> table(lattice, staggered_coefficient(phases, size));
    const GaugeField<double, W> derivative(lattice);
    add_staggered_derivative(table, weights, some_vectors<ColourVectorField<double, W>>(lattice, 0, 2),
                             some_vectors<ColourVectorField<double, W>>(lattice, 1, 2), derivative);
    return derivative;
  };
  const auto alone = force.operator()<1>(Lattice(size));
  on_lattices<double>([&]<int W>(const Lattice& lattice) {
    const auto found = force.operator()<W>(lattice);
    testing::for_each_own_site(lattice, [&](const Coordinate& x) {
      for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(found.link(x, mu), alone.link(x, mu));
    });
  });
}

// On grids whose blocks have three steps in each direction; on a single rank, with ghosts of its own sites.
template <class T, class F>
void on_lattices_of_three_steps(const Coordinate& extents, const F& f) {
  std::vector<std::pair<comm::ProcessGrid, LatticeShape>> ways;
  for (const auto& grid : testing::grids_of(extents)) ways.push_back({grid, {.vector_reach = 3}});
  if (ways.size() == 1 && ways[0].first.size() == 1)
    for (const Coordinate& ghosts : {Coordinate{0, 0, 0, 1}, {1, 1, 1, 1}, {0, 1, 1, 0}})
      ways.push_back({ways[0].first, {.ghosts = ghosts, .vector_reach = 3}});
  for (const auto& [grid, shape] : ways) {
    SCOPED_TRACE(to_string(grid.extents()));
    const Coordinate local = grid.local(extents);
    bool thin = false;
    for (int mu = 0; mu < 4; ++mu) thin = thin || (grid.extents()[mu] > 1 && local[mu] < 3);
    if (thin) {
      EXPECT_THROW(Lattice(extents, 1, SiteOrder::even_odd, shape, grid), InputError);
      continue;
    }
    for (const int lanes : compiled_lane_counts<T>())
      if (Lattice::divides(local, lanes))
        with_lanes<T>(
            lanes, [&]<int W>() { f.template operator()<W>(Lattice(extents, W, SiteOrder::even_odd, shape, grid)); });
  }
}

template <class T, int W>
auto naik(const Lattice& lattice, int count, const LinkPhases& u) {
  struct Results {
    ColourVectorField<T, W> hop, twice;
    std::vector<double> products;
  };
  const auto thin = some_links<arithmetic_t<T>, W>(lattice);
  const StaggeredLinks<T, W> links(lattice, LinkKind::fat_and_long);
  links.pack(thin, thin, thin, -0.3);
  const StaggeredOperator<T, W> d(links, u, 0.1);
  const auto in = some_vectors<ColourVectorField<T, W>>(lattice, 0, count);
  Results r{ColourVectorField<T, W>(lattice, 1, count), in.like(), {}};
  d.hop(in, r.hop);
  r.products = d(in, r.twice);
  return r;
}

const Coordinate wide{8, 4, 8, 8};

template <class T>
void expect_naik(int count, const LinkPhases& u = phases) {
  const auto alone = naik<T, 1>(Lattice(wide), count, u);
  on_lattices_of_three_steps<arithmetic_t<T>>(wide, [&]<int W>(const Lattice& lattice) {
    const auto found = naik<T, W>(lattice, count, u);
    expect_same(found.hop, alone.hop);
    expect_same(found.twice, alone.twice);
    EXPECT_EQ(found.products, alone.products);
  });
}

TEST(RanksOperators, LongLinksHaveTheBitsOfOneProcess) {
  expect_naik<double>(1);
  expect_naik<float>(1);
  expect_naik<double>(1, turning);
  expect_naik<double>(1, functional);
  expect_naik<Fixed16>(1);
}
TEST(RanksOperators, LongLinksOfSeveralVectorsHaveTheBitsOfOneProcess) {
  expect_naik<double>(3);
  expect_naik<double>(4);
  expect_naik<float>(16);
  expect_naik<Fixed16>(2);
}

TEST(RanksOperators, DerivativeByLongLinksHasTheBitsOfOneProcess) {
  const std::vector<double> weights{0.3, -1.1};
  const auto force = [&]<int W>(const Lattice& lattice) {
    const HopTable<double, W> table(lattice, staggered_coefficient(turning, wide), naik_neighbours);
    const std::array derivatives{GaugeField<double, W>(lattice), GaugeField<double, W>(lattice)};
    add_staggered_derivative(table, weights, some_vectors<ColourVectorField<double, W>>(lattice, 0, 2),
                             some_vectors<ColourVectorField<double, W>>(lattice, 1, 2), derivatives[0], derivatives[1]);
    return derivatives;
  };
  const auto alone = force.operator()<1>(Lattice(wide));
  on_lattices_of_three_steps<double>(wide, [&]<int W>(const Lattice& lattice) {
    const auto found = force.operator()<W>(lattice);
    testing::for_each_own_site(lattice, [&](const Coordinate& x) {
      for (int mu = 0; mu < 4; ++mu)
        for (const std::size_t k : {0u, 1u}) ASSERT_EQ(found[k].link(x, mu), alone[k].link(x, mu));
    });
  });
}

template <class T, int W>
auto wilson(const Lattice& lattice, int count, const WilsonParameters& parameters) {
  struct Results {
    SpinorField<T, W> hop, adjoint, mhat, mhat_adjoint, normal, full;
    std::vector<double> norms;
  };
  const auto u = some_links<arithmetic_t<T>, W>(lattice);
  const WilsonOperator<T, W> m(u, parameters);
  const auto even = some_vectors<SpinorField<T, W>>(lattice, 0, count);
  const auto odd = some_vectors<SpinorField<T, W>>(lattice, 1, count);
  Results r{odd.like(), odd.like(), even.like(), even.like(), even.like(), even.like(), {}};
  wilson_hops(m.links(), even, r.hop);
  wilson_hops(m.links(), even, r.adjoint, HopSign::adjoint);
  m.apply(even, r.mhat);
  m.apply_adjoint(even, r.mhat_adjoint);
  r.norms = m(even, r.normal);
  m.full(even, odd, r.full);
  return r;
}

template <class T>
void expect_wilson(int count, const WilsonParameters& parameters) {
  const auto alone = wilson<T, 1>(Lattice(size), count, parameters);
  on_lattices<arithmetic_t<T>>([&]<int W>(const Lattice& lattice) {
    const auto found = wilson<T, W>(lattice, count, parameters);
    expect_same(found.hop, alone.hop);
    expect_same(found.adjoint, alone.adjoint);
    expect_same(found.mhat, alone.mhat);
    expect_same(found.mhat_adjoint, alone.mhat_adjoint);
    expect_same(found.normal, alone.normal);
    expect_same(found.full, alone.full);
    EXPECT_EQ(found.norms, alone.norms);
  });
}

TEST(RanksOperators, WilsonHasTheBitsOfOneProcess) {
  const WilsonParameters parameters{.kappa = 0.137, .spatial_hopping = 0.9, .boundary_angle_over_pi = {0.2, 0, 0, 1}};
  expect_wilson<double>(1, parameters);
  expect_wilson<float>(1, parameters);
  expect_wilson<Fixed16>(1, parameters);
}
TEST(RanksOperators, WilsonOfSeveralVectorsHasTheBitsOfOneProcess) {
  const WilsonParameters parameters{.kappa = 0.137};
  expect_wilson<double>(2, parameters);
  expect_wilson<float>(4, parameters);
}
// Enough vectors for GPU threads to share links.
TEST(RanksOperators, ManyVectorsHaveTheBitsOfOneProcess) {
  expect_staggered<double>(4);
  expect_staggered<float>(16);
  expect_staggered<Fixed16>(16);
  expect_wilson<double>(4, {.kappa = 0.137});
  expect_wilson<double>(12, {.kappa = 0.137});
  expect_wilson<float>(12, {.kappa = 0.137, .boundary_angle_over_pi = {0.2, 0, 0, 1}});
  expect_wilson<Fixed16>(16, {.kappa = 0.137});
}
TEST(RanksOperators, CloverHasTheBitsOfOneProcess) { expect_wilson<double>(1, {.kappa = 0.11, .clover = 1.3}); }
TEST(RanksOperators, BoundariesInTimeHaveTheBitsOfOneProcess) {
  expect_wilson<double>(2, {.kappa = 0.11, .boundary = {.kind = gauge::BoundaryKind::open}});
  expect_wilson<double>(1, {.kappa = 0.11, .clover = 1.3, .boundary = functional.boundary, .c_f = 0.9});
}

}  // namespace
}  // namespace trellis::dirac

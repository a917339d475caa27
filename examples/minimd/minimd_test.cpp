// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "examples/minimd/simulation.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"

namespace examples::minimd {
namespace {

using namespace trellis;

using Point = std::array<double, 3>;

template <class V>
std::vector<Point> rows_of(const V& view, Index count) {
  const auto host = create_mirror_view_and_copy(HostSpace{}, view);
  std::vector<Point> rows;
  for (Index i = 0; i < count; ++i) rows.push_back({host(i, 0), host(i, 1), host(i, 2)});
  return rows;
}

// All pairs including the nearest 27 boxes: f(i, j, x_i - x_j, r^2) within `range`.
template <class F>
void naive_pairs(const std::vector<Point>& x, double box, double range, const F& f) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (int image = 0; image < 27; ++image) {
        const int shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        if (i == j && image == 13) continue;
        Point d;
        double r2 = 0;
        for (int c = 0; c < 3; ++c) {
          d[c] = x[i][c] - x[j][c] - shift[c] * box;
          r2 += d[c] * d[c];
        }
        if (r2 < range * range) f(i, j, d, r2);
      }
    }
  }
}

double potential(double r2) { return 4 * (std::pow(r2, -6) - std::pow(r2, -3)); }

// Continuous at the cutoff.
double naive_energy(const std::vector<Point>& x, double box, double cutoff) {
  double sum = 0;
  naive_pairs(x, box, cutoff,
              [&](auto, auto, const Point&, double r2) { sum += 0.5 * (potential(r2) - potential(cutoff * cutoff)); });
  return sum;
}

// A liquid: the lattice after some steps, with fresh lists.
template <class Layout>
Simulation<Layout> liquid(int size, int steps = 25) {
  auto s = start<Layout>({.size = size, .temperature = 3});
  while (s.steps < steps || s.steps_of_lists != 0) advance(s);
  return s;
}

template <class Layout>
void check_lists(int size) {
  const auto s = liquid<Layout>(size);
  const auto x = rows_of(s.atoms.position, s.atoms.count);
  std::vector<std::vector<int>> expected(x.size());
  naive_pairs(x, s.atoms.box, s.parameters.range(), [&](auto i, auto j, auto&&...) { expected[i].push_back(int(j)); });

  const auto rows = create_mirror_view_and_copy(HostSpace{}, s.neighbours.rows);
  const auto count = create_mirror_view_and_copy(HostSpace{}, s.neighbours.count);
  const auto image = create_mirror_view_and_copy(HostSpace{}, s.images.atom);
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<int> found;
    for (int k = 0; k < count(i); ++k) {
      const int j = rows(i, k);
      ASSERT_TRUE(j >= 0 && j < s.atoms.far_row());
      found.push_back(j < s.atoms.count ? j : image(j - s.atoms.count));
    }
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, expected[i]) << "atom " << i;
    for (int k = count(i); k % lanes != 0; ++k) ASSERT_EQ(rows(i, k), s.atoms.far_row());
  }
}

TEST(MiniMD, ListsHoldAllPairsWithinRangeAndNoOther) {
  check_lists<LayoutRight>(4);
  check_lists<LayoutLeft>(4);
}

TEST(MiniMD, AnAtomMayMeetSeveralImagesOfAnotherInASmallBox) { check_lists<LayoutRight>(2); }

template <class Layout>
void check_forces() {
  const auto s = liquid<Layout>(4);
  const double cutoff = s.parameters.cutoff;
  const auto x = rows_of(s.atoms.position, s.atoms.count), force = rows_of(s.atoms.force, s.atoms.count);
  std::vector<Point> expected(x.size(), Point{});
  double energy = 0, virial = 0, pairs = 0;
  naive_pairs(x, s.atoms.box, cutoff, [&](auto i, auto, const Point& d, double r2) {
    const double f = 48 * std::pow(r2, -7) - 24 * std::pow(r2, -4);
    for (int c = 0; c < 3; ++c) expected[i][c] += f * d[c];
    energy += 0.5 * potential(r2);
    virial += 0.5 * f * r2;
    pairs += 0.5;
  });
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(force[i][c], expected[i][c], 1e-10) << "atom " << i;
  const PairSums sums = sum_over_pairs(s.atoms, s.neighbours, cutoff);
  EXPECT_NEAR(sums.energy, energy, 1e-9 * std::fabs(energy));
  EXPECT_NEAR(sums.virial, virial, 1e-9 * std::fabs(virial));
  EXPECT_EQ(sums.pairs, pairs);
}

TEST(MiniMD, ForcesAndSumsAreThoseOfAllPairs) {
  check_forces<LayoutRight>();
  check_forces<LayoutLeft>();
}

TEST(MiniMD, ForcesAreMinusTheDerivativeOfTheEnergy) {
  const auto s = liquid<LayoutRight>(3);
  auto x = rows_of(s.atoms.position, s.atoms.count);
  const auto force = rows_of(s.atoms.force, s.atoms.count);
  const double h = 1e-5;
  for (const std::size_t i : {0, 17, 50, 107}) {
    for (int c = 0; c < 3; ++c) {
      const double at = x[i][c];
      x[i][c] = at + h;
      const double above = naive_energy(x, s.atoms.box, s.parameters.cutoff);
      x[i][c] = at - h;
      const double below = naive_energy(x, s.atoms.box, s.parameters.cutoff);
      x[i][c] = at;
      EXPECT_NEAR(force[i][c], -(above - below) / (2 * h), 1e-5) << "atom " << i;
    }
  }
}

// The first line that miniMD and LAMMPS print for this problem, 32000 atoms (bench/in.lj of LAMMPS: energy -6.7733681,
// pressure -5.0197073), and the sum over the shells of the lattice.
TEST(MiniMD, TheLatticeHasItsKnownEnergyAndPressure) {
  const auto s = start<LayoutRight>({.size = 20});
  const State state = measure(s);
  EXPECT_EQ(s.atoms.count, 32000);
  EXPECT_EQ(mean_count(s.neighbours), 78);  // 12 + 6 + 24 + 12 + 24
  EXPECT_NEAR(state.temperature, 1.44, 1e-12);
  EXPECT_NEAR(state.potential_energy, -6.7733681, 1e-7);
  EXPECT_NEAR(state.pressure, -5.0197073, 1e-7);
  double energy = 0;
  const double nearest = std::pow(4 / 0.8442, 2.0 / 3) / 2;  // squared; shell n is at sqrt(n) times that
  const int atoms_of_shell[] = {12, 6, 24, 12};
  for (int n = 1; n <= 4; ++n) energy += 0.5 * atoms_of_shell[n - 1] * potential(n * nearest);
  EXPECT_NEAR(state.potential_energy, energy, 1e-12);
  EXPECT_LT(state.momentum, 1e-14);
  for (const Point& f : rows_of(s.atoms.force, s.atoms.count)) ASSERT_NEAR(std::hypot(f[0], f[1], f[2]), 0, 1e-11);
}

double drift(double time_step, int steps, State* last = nullptr) {
  auto s = start<LayoutRight>({.size = 5, .time_step = time_step});
  const double first = measure(s).conserved_energy;
  double largest = 0;
  for (int step = 0; step < steps; ++step) {
    advance(s);
    const State now = measure(s);
    largest = std::max(largest, std::fabs(now.conserved_energy - first));
    if (last != nullptr) *last = now;
  }
  return largest;
}

TEST(MiniMD, EnergyAndMomentumAreConserved) {
  State last{};
  EXPECT_LT(drift(0.005, 200, &last), 2e-3);
  EXPECT_LT(last.momentum, 1e-13);
  EXPECT_LT(last.temperature, 0.9);  // it has melted: half of the kinetic energy is gone
  EXPECT_GT(last.temperature, 0.6);
}

TEST(MiniMD, TheErrorOfTheEnergyIsOfSecondOrder) {
  const double coarse = drift(0.004, 40), fine = drift(0.002, 80);
  EXPECT_GT(coarse, 3.3 * fine);
  EXPECT_LT(coarse, 4.7 * fine);
}

template <class Layout>
std::vector<Point> trajectory(int threads, const Parameters& parameters, int steps) {
  const int before = concurrency();
  set_thread_count(threads);
  auto s = start<Layout>(parameters);
  while (s.steps < steps) advance(s);
  auto x = rows_of(s.atoms.position, s.atoms.count);
  const auto v = rows_of(s.atoms.velocity, s.atoms.count);
  const auto id = create_mirror_view_and_copy(HostSpace{}, s.atoms.id);
  std::vector<Point> by_id(2 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    by_id[2 * std::size_t(id(i))] = x[i];
    by_id[2 * std::size_t(id(i)) + 1] = v[i];
  }
  set_thread_count(before);
  return by_id;
}

TEST(MiniMD, BitsDependNeitherOnThreadsNorOnLayout) {
  const Parameters p{.size = 5};
  const auto one = trajectory<LayoutRight>(1, p, 40);
  EXPECT_EQ(one, trajectory<LayoutRight>(2, p, 40));
  EXPECT_EQ(one, trajectory<LayoutRight>(5, p, 40));
  EXPECT_EQ(one, trajectory<LayoutLeft>(3, p, 40));
}

// Lists with a skin, rebuilt now and then, compared with lists built for every step: the same forces up to rounding.
TEST(MiniMD, NoPairIsMissedBetweenLists) {
  const auto with_skin = trajectory<LayoutRight>(2, {.size = 4}, 30);
  const auto without = trajectory<LayoutRight>(2, {.size = 4, .skin = 0, .rebuild_every = 1}, 30);
  const double box = 4 * std::cbrt(4 / 0.8442);
  for (std::size_t n = 0; n < with_skin.size(); ++n) {
    for (int c = 0; c < 3; ++c) {
      const double d = with_skin[n][c] - without[n][c];
      ASSERT_NEAR(d - (n % 2 == 0 ? box * std::round(d / box) : 0), 0, 1e-9);
    }
  }
}

TEST(MiniMD, ListsAreBuiltWhenAskedTo) {
  auto every_five = start<LayoutRight>({.size = 3, .rebuild_every = 5});
  for (int step = 0; step < 12; ++step) advance(every_five);
  EXPECT_EQ(every_five.builds, 2);
  auto when_needed = start<LayoutRight>({.size = 3});
  for (int step = 0; step < 40; ++step) {
    const int before = when_needed.builds;
    advance(when_needed);
    if (when_needed.builds == before) continue;
    EXPECT_GT(when_needed.farthest, 0.15);
    EXPECT_LT(when_needed.farthest, 0.3);
  }
  EXPECT_GT(when_needed.builds, 1);
}

TEST(MiniMD, CellsHoldTheirAtomsInRisingOrder) {
  const auto s = liquid<LayoutRight>(4);
  const CellList cells = sort_into_cells(CellGrid(s.atoms.box, s.parameters.range()), s.atoms.position, s.atoms.count);
  const auto x = rows_of(s.atoms.position, s.atoms.count);
  const auto first = create_mirror_view_and_copy(HostSpace{}, cells.first);
  const auto atoms = create_mirror_view_and_copy(HostSpace{}, cells.atoms);
  const CellGrid& grid = cells.grid;
  std::vector<bool> seen(x.size());
  for (Index cell = 0; cell < grid.cells(); ++cell) {
    for (int k = first(cell); k < first(cell + 1); ++k) {
      const auto i = std::size_t(atoms(k));
      EXPECT_EQ(grid.cell(grid.along(x[i][0]), grid.along(x[i][1]), grid.along(x[i][2])), cell);
      EXPECT_TRUE(k == first(cell) || atoms(k - 1) < atoms(k));
      seen[i] = true;
    }
  }
  EXPECT_EQ(first(grid.cells()), s.atoms.count);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), s.atoms.count);
}

TEST(MiniMD, RefusesWhatMakesNoSense) {
  EXPECT_THROW(start<LayoutRight>({.size = 0}), InputError);
  EXPECT_THROW(start<LayoutRight>({.size = 1}), InputError);  // narrower than the lists reach
  EXPECT_THROW(start<LayoutRight>({.size = 3, .density = 0}), InputError);
  EXPECT_THROW(start<LayoutRight>({.size = 3, .skin = -0.1}), InputError);
  EXPECT_THROW(start<LayoutRight>({.size = 3, .time_step = 0}), InputError);
  EXPECT_THROW(start<LayoutRight>({.size = 3, .temperature = std::nan("")}), InputError);
}

}  // namespace
}  // namespace examples::minimd

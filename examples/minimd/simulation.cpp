// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minimd/simulation.hpp"

#include <cmath>

#include "examples/minimd/lennard_jones.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/stopwatch.hpp"

namespace examples::minimd {

using namespace trellis;

namespace {

void require(bool good, const char* what, double found, const char* expected) {
  if (!good) fail_input("{} is {}; it must be {}", what, found, expected);
}

void require_valid(const Parameters& p) {
  require(p.size >= 1 && p.size <= 500, "size", p.size, "1 to 500 cells");
  require(p.density > 0, "density", p.density, "positive");
  require(p.temperature >= 0, "temperature", p.temperature, "zero or more");
  require(p.cutoff > 0, "cutoff", p.cutoff, "positive");
  require(p.skin >= 0, "skin", p.skin, "zero or more");
  require(p.time_step > 0, "time step", p.time_step, "positive");
  require(p.rebuild_every >= 0, "steps between lists", p.rebuild_every, "zero or more");
}

double farthest_from(const Vectors& then, const Atoms& atoms) {
  const auto now = atoms.position;
  double square = 0;
  parallel_reduce(
      "moved", atoms.count,
      TRELLIS_LAMBDA(Index i, double& largest) {
        const double x = now(i, 0) - then(i, 0), y = now(i, 1) - then(i, 1), z = now(i, 2) - then(i, 2);
        const double r2 = x * x + y * y + z * z;
        largest = r2 > largest ? r2 : largest;
      },
      square, Max<double>{});
  return std::sqrt(square);
}

void kick(const Atoms& atoms, double dt) {
  const auto velocity = atoms.velocity, force = atoms.force;
  parallel_for(
      "kick", atoms.count, TRELLIS_LAMBDA(Index i) {
        for (int c = 0; c < 3; ++c) velocity(i, c) += dt * force(i, c);
      });
}

void drift(const Atoms& atoms, double dt) {
  const auto position = atoms.position, velocity = atoms.velocity;
  parallel_for(
      "drift", atoms.count, TRELLIS_LAMBDA(Index i) {
        for (int c = 0; c < 3; ++c) position(i, c) += dt * velocity(i, c);
      });
}

void copy_positions(const Atoms& atoms, const Vectors& to) {
  const auto position = atoms.position;
  parallel_for(
      "remember", atoms.count, TRELLIS_LAMBDA(Index i) {
        for (int c = 0; c < 3; ++c) to(i, c) = position(i, c);
      });
}

template <class Layout>
void build_lists(Simulation<Layout>& s) {
  timed(s.neighbour_seconds, [&] {
    s.images = sort_atoms(s.atoms, s.parameters.range());
    build(s.neighbours, s.atoms, s.parameters.range());
    copy_positions(s.atoms, s.position_of_lists);
  });
  s.steps_of_lists = 0;
  ++s.builds;
}

// Checks lists with the positions for which they are about to be used.
template <class Layout>
bool lists_are_old(Simulation<Layout>& s) {
  const int every = s.parameters.rebuild_every;
  if (every > 0 && s.steps_of_lists < every) return false;
  const double moved = farthest_from(s.position_of_lists, s.atoms);
  const bool old = every > 0 || moved > 0.5 * s.parameters.skin;
  if (old) s.farthest = std::max(s.farthest, moved);
  return old;
}

template <class Layout>
void update_forces(Simulation<Layout>& s) {
  timed(s.force_seconds, [&] { compute_forces(s.atoms, s.neighbours, s.parameters.cutoff); });
}

struct Motion {
  double square = 0, x = 0, y = 0, z = 0;  // sums of v^2 and of v
  TRELLIS_FUNCTION Motion& operator+=(const Motion& other) {
    square += other.square;
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
};

Motion sum_of_motion(const Atoms& atoms) {
  const auto v = atoms.velocity;
  Motion total;
  parallel_reduce(
      "motion", atoms.count,
      TRELLIS_LAMBDA(Index i, Motion & sum) {
        const double x = v(i, 0), y = v(i, 1), z = v(i, 2);
        sum += Motion{x * x + y * y + z * z, x, y, z};
      },
      total);
  return total;
}

}  // namespace

template <class Layout>
Simulation<Layout> start(const Parameters& p) {
  require_valid(p);
  Simulation<Layout> s{.parameters = p, .atoms = fcc_lattice(p.size, p.density, p.temperature, p.seed)};
  s.position_of_lists = Vectors("positions of lists", s.atoms.count);
  build_lists(s);
  update_forces(s);
  s.force_seconds = s.neighbour_seconds = 0;
  s.builds = 0;
  return s;
}

template <class Layout>
void advance(Simulation<Layout>& s) {
  const double dt = s.parameters.time_step;
  kick(s.atoms, dt / 2);
  drift(s.atoms, dt);
  ++s.steps;
  ++s.steps_of_lists;
  if (lists_are_old(s)) {
    build_lists(s);
  } else {
    move_images(s.atoms, s.images);
  }
  update_forces(s);
  kick(s.atoms, dt / 2);
}

template <class Layout>
State measure(const Simulation<Layout>& s) {
  const double n = double(s.atoms.count), volume = std::pow(s.atoms.box, 3);
  const double cutoff = s.parameters.cutoff;
  const Motion motion = sum_of_motion(s.atoms);
  const PairSums pairs = sum_over_pairs(s.atoms, s.neighbours, cutoff);
  State state{};
  state.temperature = motion.square / (3 * (n - 1));
  state.potential_energy = pairs.energy / n;
  state.pressure = ((n - 1) * state.temperature + pairs.virial / 3) / volume;
  state.conserved_energy = (motion.square / 2 + pairs.energy - pairs.pairs * pair_energy(cutoff * cutoff)) / n;
  state.momentum = std::max({std::fabs(motion.x), std::fabs(motion.y), std::fabs(motion.z)}) / n;
  return state;
}

template Simulation<LayoutRight> start(const Parameters&);
template Simulation<LayoutLeft> start(const Parameters&);
template void advance(Simulation<LayoutRight>&);
template void advance(Simulation<LayoutLeft>&);
template State measure(const Simulation<LayoutRight>&);
template State measure(const Simulation<LayoutLeft>&);

}  // namespace examples::minimd

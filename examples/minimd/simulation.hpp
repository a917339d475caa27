// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Atoms that follow Newton's equations at constant energy (velocity Verlet), starting from a lattice that melts:
//   v += F dt / 2,  x += v dt,  F from x,  v += F dt / 2
// Neighbour lists reach one skin further than the force. They are rebuilt when an atom has moved by half the skin, so
// that no pair is ever missed, or, as in miniMD, after a fixed number of steps, however far atoms have moved. Results
// have the same bits for any number of threads.

#include "examples/minimd/forces.hpp"
#include "examples/minimd/images.hpp"

namespace examples::minimd {

// miniMD's standard problem, in units of the potential.
struct Parameters {
  int size = 60;  // cells of the lattice along the box, four atoms each
  double density = 0.8442;
  double temperature = 1.44;
  double cutoff = 2.5;
  double skin = 0.3;
  double time_step = 0.005;
  int rebuild_every = 0;  // steps; 0: when an atom has moved by half the skin
  std::uint64_t seed = 1;

  double range() const { return cutoff + skin; }
};

template <class Layout>
struct Simulation {
  Parameters parameters{};
  Atoms atoms{};
  Images images{};
  NeighbourList<Layout> neighbours{};
  Vectors position_of_lists{};  // of the atoms when lists were built
  int steps = 0;
  int steps_of_lists = 0;  // since then
  int builds = 0;
  double farthest = 0;  // distance an atom moved before its list was rebuilt
  double force_seconds = 0, neighbour_seconds = 0;
};

// At step 0, with forces computed. Throws InputError for senseless parameters.
template <class Layout>
Simulation<Layout> start(const Parameters& parameters);
template <class Layout>
void advance(Simulation<Layout>& simulation);

// The quantities that miniMD prints, and those that should be conserved.
struct State {
  double temperature;       // T = sum v^2 / (3 (N - 1))
  double potential_energy;  // per atom, cut but not shifted
  double pressure;          // ((N - 1) T + sum over pairs of F . r / 3) / volume
  double conserved_energy;  // per atom, with the potential shifted to zero at the cutoff
  double momentum;          // largest component of sum v / N
};
template <class Layout>
State measure(const Simulation<Layout>& simulation);

}  // namespace examples::minimd

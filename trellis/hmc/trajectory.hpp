// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// One trajectory of a Markov chain of gauge fields: what is requested of an algorithm, and what it reports. Everything
// random in a trajectory follows from the seed and the trajectory's number (RandomStream); an algorithm keeps nothing
// from one trajectory to the next, so that a chain can be restarted at any trajectory and give the same bits.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trellis/lattice/field.hpp"

namespace trellis::hmc {

struct TrajectoryRequest {
  std::uint64_t seed = 1;
  std::uint32_t trajectory = 0;
  bool accept_always = false;
  bool check_reversibility = false;
};

// The solves for one term in a trajectory: for pseudofermions, forces and the energy together.
struct SolverCounts {
  int solves = 0;
  std::int64_t iterations = 0;    // of conjugate gradients, over all solves
  std::int64_t applications = 0;  // of D_eo D_oe to a vector, in any precision
  double seconds = 0;
  double force_seconds = 0;       // those of the solves for forces
  double residual = 0;            // the largest relative true residual, except of solves for forces
  double rounded = 0;             // the largest accepted above its goal, because rounding allows no less
  int fallbacks = 0;              // solves in 16 bits that had to be done again without
  double largest_eigenvalue = 0;  // of -D_eo D_oe, the larger of start and end
};

// Of one term of the action. Force norms are those of the term's first kick: |F|^2 = sum_a F_a^2 of a link; `average`
// is the root mean square over links, `maximum` the largest; accurate to about 1e-15 |p| / (time of the kick).
struct TermRecord {
  std::string name;
  double difference = 0;  // S after - S before
  double force_average = 0, force_maximum = 0;
  std::optional<SolverCounts> solver = {};  // of terms with pseudofermions
};

// After integrating forward, reversing the momenta and integrating back: the largest difference from the start of a
// real or imaginary part of a link and of a component of a momentum, and the difference of the energy.
struct Reversibility {
  double links = 0, momenta = 0, energy = 0;
};

// How a trajectory was certified (certificate.hpp).
struct CertificateCounts {
  std::int64_t operations = 0;    // computed a second time
  std::int64_t fingerprints = 0;  // of fields at rest, compared with those from when they were written
  std::int64_t found = 0;         // differences; always 0 in the record of a trajectory, which is repeated after one
};

// What parallel tempering (tempering/tempering.hpp) did with each replica, the periodic one first: its own trajectory,
// then its swap with the next replica, after which `walker` is here. The last replica has no next one.
struct ReplicaRecord {
  double dH = 0, exp_minus_dH = 1;
  bool accepted = true;
  double swap_difference = 0;  // of the actions, by a swap
  bool swapped = false;
  int walker = 0;
};

// Seconds by kind of work.
struct Profile {
  double force = 0;          // forces of all terms
  double links = 0;          // update of the links, or sweeps
  double momenta = 0;        // drawing momenta and pseudofermions
  double energy = 0;         // energy differences
  double copies = 0;         // copies of fields and reunitarisation
  double reversibility = 0;  // integrating back, if requested
  double certificate = 0;    // fingerprints and repeated operations, if requested
  double total = 0;          // measured as a whole

  // The fraction of the time that was spent outside the kernels that the benchmarks measure (forces, updates of the
  // links, energies), not counting checks that were requested.
  double overhead() const {
    const double own = total - reversibility - certificate;
    return own > 0 ? 1 - (force + links + energy) / own : 0;
  }
};

struct TrajectoryRecord {
  std::uint32_t trajectory = 0;
  double dH = 0;            // zero for a heatbath
  double exp_minus_dH = 1;  // exp(-dH), whose average is 1
  bool accepted = true;
  double kinetic_difference = 0;
  std::vector<TermRecord> terms;
  std::optional<Reversibility> reversibility;
  std::optional<CertificateCounts> certificate;
  std::vector<ReplicaRecord> replicas;  // of parallel tempering; the profile is then that of all replicas
  Profile profile;
};

// Called from time to time during a trajectory, by all ranks, with the links at its start. An exception ends the
// trajectory. May be empty.
template <class T, int W>
using BetweenSteps = std::function<void(const GaugeField<T, W>& before)>;

// Turns the links into the next configuration of the chain; both are unitary, as gauge::reunitarise() leaves links. If
// a trajectory is rejected, or an algorithm throws, the links keep their bits.
template <class T, int W>
using Algorithm =
    std::function<TrajectoryRecord(const TrajectoryRequest&, const GaugeField<T, W>&, const BetweenSteps<T, W>&)>;

}  // namespace trellis::hmc

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A second computation of parts of a trajectory, for its certificate (certificate.hpp). It has its own fields, on a
// lattice whose sites are arranged in another way: in other SIMD lanes and places in memory, and so with other threads.
// Since no bit depends on the arrangement, results must agree to the last bit; a bit that flips in one of the two
// computations, or a lane or core that always errs, makes them differ.
// Fields come from the chain, with W lanes, and results are returned as fingerprints of this rank
// (lattice/fingerprint.hpp), made after copying them back into the chain's arrangement.
// Memory: as much as the chain's own algorithm.

#include <cstdint>
#include <memory>
#include <vector>

#include "trellis/hmc/dynamics/dynamics_certificate.hpp"
#include "trellis/hmc/dynamics/molecular_dynamics.hpp"

namespace trellis::hmc {

template <class T, int W>
class TrajectoryReplay : public DynamicsReplay<T, W> {
 public:
  // For all terms, Term::forget().
  virtual void forget() = 0;
  // Draws momenta and pseudofermions for these links; the stream is that of the momenta.
  virtual void draw(const RandomStream& stream, const GaugeField<T, W>& u) = 0;
  virtual std::vector<std::uint64_t> pseudofermions() = 0;

  virtual void reunitarise() = 0;

  // Of what was taken, after a trajectory that began with these: dH and its parts.
  virtual TrajectoryRecord energies(const GaugeField<T, W>& links_before, const AlgebraField<T, W>& momenta_before) = 0;
};

// The same lattice with as many lanes, arranged as differently as it allows.
Lattice rearranged(const Lattice& lattice);

// terms: those of the chain's action, made for the lattice `other`, which has WO lanes; `own` is that of the chain.
// rounds_momenta: once drawn, as for molecular dynamics in single precision, whose operations this cannot perform.
template <int W, int WO>
std::shared_ptr<TrajectoryReplay<double, W>> make_replay(const HmcParameters& parameters, Terms<double, WO> terms,
                                                         const Lattice& own, const Lattice& other,
                                                         bool rounds_momenta = false);

}  // namespace trellis::hmc

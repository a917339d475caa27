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

#include "trellis/hmc/hybrid_monte_carlo.hpp"

namespace trellis::hmc {

template <class T, int W>
class TrajectoryReplay {
 public:
  virtual ~TrajectoryReplay() = default;
  // For all terms, Term::forget().
  virtual void forget() = 0;
  // Draws momenta and pseudofermions for these links; the stream is that of the momenta.
  virtual void draw(const RandomStream& stream, const GaugeField<T, W>& u) = 0;
  // Or takes the pseudofermions that the chain has drawn.
  virtual void take_pseudofermions(const RandomStream& stream, const Terms<T, W>& terms) = 0;
  virtual std::vector<std::uint64_t> pseudofermions() = 0;

  // Links and momenta before an operation, which is then performed on these copies. first: it is the first kick of its
  // level in the trajectory.
  virtual void take(const GaugeField<T, W>& u, const AlgebraField<T, W>& p) = 0;
  virtual void perform(const Operation& operation, bool first) = 0;
  virtual void reunitarise() = 0;
  virtual std::uint64_t links() = 0;
  virtual std::uint64_t momenta() = 0;

  // Of what was taken, after a trajectory that began with these: dH and its parts.
  virtual TrajectoryRecord energies(const GaugeField<T, W>& links_before, const AlgebraField<T, W>& momenta_before) = 0;
};

// The same lattice with as many lanes, arranged as differently as it allows.
Lattice rearranged(const Lattice& lattice);

// terms: those of the chain's action, made for the lattice `other`, which has WO lanes; `own` is that of the chain.
template <int W, int WO>
std::shared_ptr<TrajectoryReplay<double, W>> make_replay(const HmcParameters& parameters, Terms<double, WO> terms,
                                                         const Lattice& own, const Lattice& other);

}  // namespace trellis::hmc

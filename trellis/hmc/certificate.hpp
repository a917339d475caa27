// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Certified trajectories: evidence that no bit of a chain was flipped by the machine, for a small part of the cost of
// computing everything twice.
//   Memory. What writes links or momenta leaves their fingerprint (lattice/fingerprint.hpp), and what writes them next,
//   or decides by them, compares it first. On a host fingerprints are followed while kernels write
//   (lattice/followed_fingerprint.hpp): a change is found also while a kernel is at work on other numbers of the field.
//   The copies from the start of a trajectory, the pseudofermions, and the links between trajectories and before they
//   are saved are compared as well. Every change at rest is found before the next checkpoint.
//   Arithmetic. Operations of a trajectory (the drawing of momenta and pseudofermions, kicks, drifts, the energies, the
//   final projection to SU(3)) are chosen at random, each with the probability `fraction`, by numbers that follow from
//   seed and trajectory. A chosen one is computed again from copies, in another arrangement of the sites (replay.hpp),
//   solves included, and must give the same bits. A single error is found with that probability; one that comes back
//   is found soon.
// Whatever differs ends a trajectory with a Mismatch; the algorithm goes back to its start and repeats it once. No bit
// of a chain depends on any of this.
// Cost: `fraction` of the trajectory, and two readings of the momenta for each kick, of links for each drift; on a host
// tile by tile, while caches hold them, and one reading of both for each step of level 0.
// Collective: all functions except replays(), counted_on_average(), at() and counts(), and all ranks see the same
// outcome.
// Of molecular dynamics in single precision the operations are computed again in that precision, and its links, momenta
// and pseudofermions have fingerprints of their own; so are the way there and back (dynamics/single_precision.hpp).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "trellis/hmc/dynamics/dynamics_certificate.hpp"

namespace trellis::hmc {

inline constexpr RandomPurpose certificate_purpose{13};

template <class T, int W>
class TrajectoryReplay;

template <class T, int W>
class Certificate : public DynamicsCertificate<T, W> {
 public:
  using typename DynamicsCertificate<T, W>::Kept;
  // What is found is told on all ranks, in the same words.
  using Tell = std::function<void(const std::string&)>;

  // Throws InputError unless fraction is in (0, 1].
  Certificate(double fraction, std::shared_ptr<TrajectoryReplay<T, W>> replay, Tell tell);

  // Of everything so far.
  const CertificateCounts& counts() const { return this->state()->counts; }

  // The chain begins with these links, or goes on with them: they are at rest from now on.
  void keep_at_rest(const GaugeField<T, W>& u);
  // Links that should be those of the last trajectory's end, or of keep_at_rest(). If they are not, this is told, and
  // they are set right from a copy. Throws Error if no copy is intact. Does nothing before either.
  void check_at_rest(const GaugeField<T, W>& u, const std::string& when);

  // For algorithms. A trajectory, or its repetition, begins with the links u; `before` becomes their copy. describe
  // says what an operation is.
  void begin(const TrajectoryRequest& request, const GaugeField<T, W>& u, const GaugeField<T, W>& before,
             const std::function<std::string(int)>& describe);
  // With the pseudofermions of the terms, unless the replay is to draw its own.
  TrajectoryReplay<T, W>& replay(const Terms<T, W>& terms);
  TrajectoryReplay<T, W>& replay_of_draw() { return *replay_; }

  void compare_energies(const TrajectoryRecord& record, const AlgebraField<T, W>& momenta_before);
  // The links become those of the start again.
  void restore(const GaugeField<T, W>& u);
  // The trajectory leaves the links u, of which a copy is made. Returns what certified it.
  CertificateCounts end(const GaugeField<T, W>& u);

  // Counts an error of the machine, and tells of it.
  void found(const std::string& text);
  void tell(const std::string& text) const;

 private:
  bool is_intact(const GaugeField<T, W>& u, std::uint64_t expected);
  void repair(const GaugeField<T, W>& u);
  void keep_spare(const GaugeField<T, W>& u);

  std::shared_ptr<TrajectoryReplay<T, W>> replay_;
  Tell tell_;
  CertificateCounts counts_before_;
  GaugeField<T, W> spare_;                // another copy of the links at the start, for repairs
  GaugeField<T, W> before_;               // shares memory with the algorithm's copy
  std::optional<std::uint64_t> at_rest_;  // fingerprint of the links between trajectories
};

}  // namespace trellis::hmc

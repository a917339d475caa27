// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Certified trajectories: evidence that no bit of a chain was flipped by the machine, for a small part of the cost of
// computing everything twice.
//   Memory at rest. What writes links or momenta leaves their fingerprint (lattice/fingerprint.hpp), and what writes
//   them next, or decides by them, compares it first. So do the copies from the start of a trajectory, the
//   pseudofermions, and the links between trajectories and before they are saved. Every change at rest is found before
//   the next checkpoint.
//   Arithmetic. Operations of a trajectory (the drawing of momenta and pseudofermions, kicks, drifts, the energies, the
//   final projection to SU(3)) are chosen at random, each with the probability `fraction`, by numbers that follow from
//   seed and trajectory. A chosen one is computed again from copies, in another arrangement of the sites (replay.hpp),
//   solves included, and must give the same bits. A single error is found with that probability; one that comes back
//   is found soon.
// Whatever differs ends a trajectory with a Mismatch; the algorithm goes back to its start and repeats it once. No bit
// of a chain depends on any of this.
// Cost: two readings of the momenta for each kick, of links for each drift, and `fraction` of the trajectory.
// Collective: all functions except replays(), counted_on_average(), at() and counts(), and all ranks see the same
// outcome.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/core/random.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/hmc/term.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::hmc {

inline constexpr RandomPurpose certificate_purpose{13};

template <class T, int W>
class TrajectoryReplay;

// Thrown by all ranks: what differs, in which operation, and on which ranks.
class Mismatch : public Error {
 public:
  using Error::Error;
};

template <class T, int W>
class Certificate {
 public:
  // Fields that rest while others change.
  enum class Kept { links, momenta, links_before, momenta_before };
  // What is found is told on all ranks, in the same words.
  using Tell = std::function<void(const std::string&)>;

  // Throws InputError unless fraction is in (0, 1].
  Certificate(double fraction, std::shared_ptr<TrajectoryReplay<T, W>> replay, Tell tell);

  // Of everything so far.
  const CertificateCounts& counts() const { return counts_; }

  // Links that should be those of the last trajectory's end. If they are not, this is told, and they are set right from
  // a copy. Throws Error if no copy is intact. Does nothing before the first trajectory.
  void check_at_rest(const GaugeField<T, W>& u, const std::string& when);

  // For algorithms. A trajectory, or its repetition, begins with the links u; `before` becomes their copy. describe
  // says what an operation is.
  void begin(const TrajectoryRequest& request, const GaugeField<T, W>& u, const GaugeField<T, W>& before,
             std::function<std::string(int)> describe);
  // The operation that now begins; for messages.
  void at(int operation) { operation_ = operation; }
  // A dry run replays all operations once, so that no memory is missed.
  bool replays(int operation) const;
  // To be held during a replay: a dry run counts its kernels as often as they run on average.
  std::optional<DryLoop> counted_on_average() const;
  // With the pseudofermions of the terms, unless the replay is to draw its own.
  TrajectoryReplay<T, W>& replay(const Terms<T, W>& terms);
  TrajectoryReplay<T, W>& replay_of_draw() { return *replay_; }

  void keep(Kept what, const GaugeField<T, W>& u);
  void keep(Kept what, const AlgebraField<T, W>& p);
  void keep_pseudofermions(const Terms<T, W>& terms);
  void compare(Kept what, const GaugeField<T, W>& u);
  void compare(Kept what, const AlgebraField<T, W>& p);
  void compare_pseudofermions(const Terms<T, W>& terms);
  // Whether the chain has what the replay has; links and momenta are those that were kept last.
  void compare_links();
  void compare_momenta();
  void compare_drawn_pseudofermions();
  void compare_energies(const TrajectoryRecord& record, const AlgebraField<T, W>& momenta_before);
  // The links become those of the start again.
  void restore(const GaugeField<T, W>& u);
  // The trajectory leaves the links u, of which a copy is made. Returns what certified it.
  CertificateCounts end(const GaugeField<T, W>& u);

  // Counts an error of the machine, and tells of it.
  void found(const std::string& text);
  void tell(const std::string& text) const;

 private:
  bool anywhere(bool here) const;
  bool is_intact(const GaugeField<T, W>& u, std::uint64_t expected);
  void require_equal(bool equal, const std::string& what);
  void repair(const GaugeField<T, W>& u);
  std::vector<std::uint64_t> of(const Terms<T, W>& terms) const;
  const comm::Communicator& ranks() const { return before_.lattice().ranks(); }

  double fraction_;
  std::shared_ptr<TrajectoryReplay<T, W>> replay_;
  Tell tell_;
  CertificateCounts counts_, counts_before_;
  RandomStream stream_;
  std::function<std::string(int)> describe_;
  int operation_ = 0;
  bool has_pseudofermions_ = false;       // the replay
  GaugeField<T, W> spare_;                // another copy of the links at the start, for repairs
  GaugeField<T, W> before_;               // shares memory with the algorithm's copy
  std::optional<std::uint64_t> at_rest_;  // fingerprint of the links between trajectories
  std::array<std::uint64_t, 4> kept_{};   // by Kept
  std::vector<std::uint64_t> kept_pseudofermions_;
};

}  // namespace trellis::hmc

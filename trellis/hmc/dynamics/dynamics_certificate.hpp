// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a certificate (certificate.hpp) that molecular dynamics needs: fingerprints of links and momenta at rest,
// and operations computed again (DynamicsReplay). In single precision it has fields of its own, and shares the rest,
// the CertificateState, with the certificate of the trajectory in double precision. Collective: keep() of links, and
// all functions that compare.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/comm/communicator.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/random.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/hmc/integrator.hpp"
#include "trellis/hmc/term.hpp"
#include "trellis/hmc/trajectory.hpp"
#include "trellis/lattice/followed_fingerprint.hpp"

namespace trellis::hmc {

// Thrown by all ranks: what differs, in which operation, and on which ranks.
class Mismatch : public Error {
 public:
  using Error::Error;
};

// The operations of a trajectory are numbered: first those of its plan, then these.
struct OperationNumbers {
  int plan = 0;
  int drawing() const { return plan; }
  int energies() const { return plan + 1; }
  int ending() const { return plan + 2; }
  int rounding() const { return plan + 3; }  // to single precision
  int widening() const { return plan + 4; }  // to double precision, and what follows
};

// What certificates of one trajectory share.
struct CertificateState {
  double fraction = 1;
  CertificateCounts counts;
  comm::Communicator ranks;
  RandomStream stream;
  std::function<std::string(int)> describe;  // what an operation is
  int operation = 0;                         // that now begins; for messages

  // A dry run replays all operations once, so that no memory is missed.
  bool replays(int number) const;
  bool anywhere(bool here) const;
  // Throws Mismatch on all ranks if not on all of them.
  void require_equal(bool equal, const std::string& what) const;
  // The names of the ranks that are concerned.
  std::string places(bool concerned) const;
};

// Operations of molecular dynamics, computed again from copies, in another arrangement of the sites.
template <class T, int W>
class DynamicsReplay {
 public:
  virtual ~DynamicsReplay() = default;
  // The pseudofermions on which the forces of these terms depend; the stream is that of the trajectory.
  virtual void take_pseudofermions(const RandomStream& stream, const Terms<T, W>& terms) = 0;
  // Links and momenta before an operation, which is then performed on these copies. first: it is the first kick of its
  // level in the trajectory.
  virtual void take(const GaugeField<T, W>& u, const AlgebraField<T, W>& p) = 0;
  virtual void perform(const Operation& operation, bool first) = 0;
  // Fingerprints of this rank, in the chain's arrangement.
  virtual std::uint64_t links() = 0;
  virtual std::uint64_t momenta() = 0;
};

template <class T, int W>
class DynamicsCertificate {
 public:
  // Fields that rest while others change; the last two only in double precision.
  enum class Kept { links, momenta, links_before, momenta_before };

  DynamicsCertificate(std::shared_ptr<CertificateState> state, std::shared_ptr<DynamicsReplay<T, W>> replay);

  const std::shared_ptr<CertificateState>& state() const { return state_; }
  void at(int operation) { state_->operation = operation; }
  bool replays(int operation) const { return state_->replays(operation); }
  // To be held during a replay: a dry run counts its kernels as often as they run on average.
  std::optional<DryLoop> counted_on_average() const;
  // With the pseudofermions of the terms.
  DynamicsReplay<T, W>& replay(const Terms<T, W>& terms);

  // Of links and momenta on a host fingerprints are followed while they are written: an error of any time remains
  // visible.
  static constexpr bool follows = fields_on_host;
  // To be held while they are written.
  [[nodiscard]] std::optional<WatchingTiles> follow(const GaugeField<T, W>& u) { return link_changes_->watch(u); }
  [[nodiscard]] std::optional<WatchingTiles> follow(const AlgebraField<T, W>& p) { return momentum_changes_->watch(p); }

  // The fingerprint as it is now.
  void keep(Kept what, const GaugeField<T, W>& u);
  void keep(Kept what, const AlgebraField<T, W>& p);
  // That of links or momenta after they were written: if it was followed, what it must be.
  void keep_written(const GaugeField<T, W>& u);
  void keep_written(const AlgebraField<T, W>& p);
  void compare(Kept what, const GaugeField<T, W>& u);
  void compare(Kept what, const AlgebraField<T, W>& p);
  // Of terms: Term::pseudofermions() in double precision, Term::sources() in single.
  void keep_pseudofermions(const Terms<T, W>& terms);
  void compare_pseudofermions(const Terms<T, W>& terms);
  // Whether the chain has what the replay has; links and momenta are those that were kept last.
  void compare_links();
  void compare_momenta();
  // Whether the pseudofermions that were kept last have these fingerprints, of the replay.
  void compare_drawn(const std::vector<std::uint64_t>& again) const;

 protected:
  void compare(Kept what, std::uint64_t print);
  void set_kept(Kept what, std::uint64_t print) { kept_[std::size_t(what)] = print; }
  // The links have this fingerprint, or a bit has just flipped.
  void set_kept_links(const GaugeField<T, W>& u, std::uint64_t print);
  void forget_pseudofermions() { has_pseudofermions_ = false; }

 private:
  static std::vector<std::uint64_t> of(const Terms<T, W>& terms);

  std::shared_ptr<CertificateState> state_;
  std::shared_ptr<DynamicsReplay<T, W>> replay_;
  bool has_pseudofermions_ = false;  // the replay
  std::array<std::uint64_t, 4> kept_{};
  std::uint64_t kept_own_links_ = 0;  // of own sites
  std::unique_ptr<FingerprintChanges> link_changes_ = std::make_unique<FingerprintChanges>(),
                                      momentum_changes_ = std::make_unique<FingerprintChanges>();
  std::vector<std::uint64_t> kept_pseudofermions_;
};

}  // namespace trellis::hmc

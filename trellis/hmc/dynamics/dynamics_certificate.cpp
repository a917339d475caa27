// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/dynamics/dynamics_certificate.hpp"

#include "trellis/core/base/joined.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::hmc {

namespace {

constexpr std::array<const char*, 4> kept_names{"the links", "the momenta", "the copy of the links at the start",
                                                "the copy of the momenta at the start"};

std::string this_place(const comm::Communicator& ranks) {
  const std::string rank = fmt::format("rank {} of {}", ranks.rank(), ranks.size());
  return fields_on_host ? rank : fmt::format("{} ({})", rank, current_device().name);
}

}  // namespace

bool CertificateState::replays(int number) const {
  return in_dry_run() || fraction >= 1 || stream.uniform(std::uint64_t(number), 0)[0] < fraction;
}

bool CertificateState::anywhere(bool here) const {
  double flag = here ? 1 : 0;
  ranks.maximum("certificate", {&flag, 1});
  return flag != 0;
}

std::string CertificateState::places(bool concerned) const {
  std::vector<std::string> found;
  for (auto& place : ranks.gather("certificate", concerned ? this_place(ranks) : ""))
    if (!place.empty()) found.push_back(std::move(place));
  return joined(found, ", ");
}

void CertificateState::require_equal(bool equal, const std::string& what) const {
  if (!anywhere(!equal)) return;
  throw Mismatch(fmt::format("{}: {}, on {}", describe(operation), what, places(!equal)));
}

template <class T, int W>
DynamicsCertificate<T, W>::DynamicsCertificate(std::shared_ptr<CertificateState> state,
                                               std::shared_ptr<DynamicsReplay<T, W>> replay)
    : state_(std::move(state)), replay_(std::move(replay)) {}

template <class T, int W>
std::optional<DryLoop> DynamicsCertificate<T, W>::counted_on_average() const {
  if (!in_dry_run()) return std::nullopt;
  return std::optional<DryLoop>(std::in_place, state_->fraction);
}

template <class T, int W>
DynamicsReplay<T, W>& DynamicsCertificate<T, W>::replay(const Terms<T, W>& terms) {
  if (!has_pseudofermions_) replay_->take_pseudofermions(state_->stream, terms);
  has_pseudofermions_ = true;
  return *replay_;
}

template <class T, int W>
void DynamicsCertificate<T, W>::set_kept_links(const GaugeField<T, W>& u, std::uint64_t print) {
  link_changes_->take();
  kept_own_links_ = print - ghost_fingerprint(u);
  set_kept(Kept::links, print);
}

// Stencils that look two steps away fill more ghosts than others; all are filled before a fingerprint, which would
// otherwise change.
template <class T, int W>
void DynamicsCertificate<T, W>::keep(Kept what, const GaugeField<T, W>& u) {
  u.exchange(Reach::two_steps);
  const std::uint64_t print = rank_fingerprint(u);
  what == Kept::links ? set_kept_links(u, print) : set_kept(what, print);
}

template <class T, int W>
void DynamicsCertificate<T, W>::keep(Kept what, const AlgebraField<T, W>& p) {
  if (what == Kept::momenta) momentum_changes_->take();
  set_kept(what, rank_fingerprint(p));
}

template <class T, int W>
void DynamicsCertificate<T, W>::keep_written(const GaugeField<T, W>& u) {
  if (!follows) return keep(Kept::links, u);
  u.exchange(Reach::two_steps);
  kept_own_links_ += link_changes_->take();
  set_kept(Kept::links, kept_own_links_ + ghost_fingerprint(u));
}

template <class T, int W>
void DynamicsCertificate<T, W>::keep_written(const AlgebraField<T, W>& p) {
  if (!follows) return keep(Kept::momenta, p);
  kept_[std::size_t(Kept::momenta)] += momentum_changes_->take();
}

template <class T, int W>
void DynamicsCertificate<T, W>::compare(Kept what, std::uint64_t print) {
  ++state_->counts.fingerprints;
  const auto n = std::size_t(what);
  state_->require_equal(print == kept_[n], fmt::format("a bit of {}{} has changed in memory", kept_names[n],
                                                       is_single<T> ? " in single precision" : ""));
}

template <class T, int W>
void DynamicsCertificate<T, W>::compare(Kept what, const GaugeField<T, W>& u) {
  compare(what, rank_fingerprint(u));
}

template <class T, int W>
void DynamicsCertificate<T, W>::compare(Kept what, const AlgebraField<T, W>& p) {
  compare(what, rank_fingerprint(p));
}

template <class T, int W>
std::vector<std::uint64_t> DynamicsCertificate<T, W>::of(const Terms<T, W>& terms) {
  std::vector<std::uint64_t> all;
  for (const auto& term : terms)
    for (const auto& field : is_single<T> ? term->sources() : term->pseudofermions())
      all.push_back(rank_fingerprint(field));
  return all;
}

template <class T, int W>
void DynamicsCertificate<T, W>::keep_pseudofermions(const Terms<T, W>& terms) {
  kept_pseudofermions_ = of(terms);
}

template <class T, int W>
void DynamicsCertificate<T, W>::compare_pseudofermions(const Terms<T, W>& terms) {
  state_->counts.fingerprints += std::int64_t(kept_pseudofermions_.size());
  state_->require_equal(of(terms) == kept_pseudofermions_, "a bit of the pseudofermions has changed in memory");
}

template <class T, int W>
void DynamicsCertificate<T, W>::compare_links() {
  ++state_->counts.operations;
  state_->require_equal(replay_->links() == kept_[std::size_t(Kept::links)], "computed again, the links differ");
}

template <class T, int W>
void DynamicsCertificate<T, W>::compare_momenta() {
  ++state_->counts.operations;
  state_->require_equal(replay_->momenta() == kept_[std::size_t(Kept::momenta)], "computed again, the momenta differ");
}

template <class T, int W>
void DynamicsCertificate<T, W>::compare_drawn(const std::vector<std::uint64_t>& again) const {
  state_->require_equal(again == kept_pseudofermions_, "computed again, the pseudofermions differ");
}

#define TRELLIS_INSTANTIATE(T, W) template class DynamicsCertificate<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc

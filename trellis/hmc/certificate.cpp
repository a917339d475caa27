// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/certificate.hpp"

#include <bit>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/hmc/replay.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::hmc {

namespace {

constexpr std::array<const char*, 4> kept_names{"the links", "the momenta", "the copy of the links at the start",
                                                "the copy of the momenta at the start"};

std::string this_place(const comm::Communicator& ranks) {
  const std::string rank = fmt::format("rank {} of {}", ranks.rank(), ranks.size());
  return fields_on_host ? rank : fmt::format("{} ({})", rank, current_device().name);
}

// The places of the ranks that are concerned.
std::string places(const comm::Communicator& ranks, bool concerned) {
  std::vector<std::string> found;
  for (auto& place : ranks.gather("certificate", concerned ? this_place(ranks) : ""))
    if (!place.empty()) found.push_back(std::move(place));
  return joined(found, ", ");
}

// Stencils that look two steps away fill more ghosts than others; all are filled before a fingerprint, which would
// otherwise change.
template <class T, int W>
void fill_ghosts(const GaugeField<T, W>& u) {
  u.exchange(Reach::two_steps);
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

template <class T, int W>
Certificate<T, W>::Certificate(double fraction, std::shared_ptr<TrajectoryReplay<T, W>> replay, Tell tell)
    : fraction_(fraction), replay_(std::move(replay)), tell_(std::move(tell)) {
  if (!(fraction > 0 && fraction <= 1)) fail_input("certify is {}; it must be above 0, and at most 1", fraction);
}

template <class T, int W>
bool Certificate<T, W>::anywhere(bool here) const {
  double flag = here ? 1 : 0;
  ranks().maximum("certificate", {&flag, 1});
  return flag != 0;
}

template <class T, int W>
void Certificate<T, W>::require_equal(bool equal, const std::string& what) {
  if (!anywhere(!equal)) return;
  throw Mismatch(fmt::format("{}: {}, on {}", describe_(operation_), what, places(ranks(), !equal)));
}

template <class T, int W>
bool Certificate<T, W>::is_intact(const GaugeField<T, W>& u, std::uint64_t expected) {
  return !anywhere(rank_fingerprint(u) != expected);
}

template <class T, int W>
void Certificate<T, W>::found(const std::string& text) {
  ++counts_.found;
  tell(text);
}

template <class T, int W>
void Certificate<T, W>::tell(const std::string& text) const {
  if (tell_) tell_(text);
}

template <class T, int W>
void Certificate<T, W>::check_at_rest(const GaugeField<T, W>& u, const std::string& when) {
  if (!at_rest_) return;
  ++counts_.fingerprints;
  ++counts_before_.fingerprints;  // when files are written is no property of a trajectory
  const bool changed = rank_fingerprint(u) != *at_rest_;
  if (!anywhere(changed)) return;
  found(fmt::format("{}: a bit of the links has changed in memory, on {}; they are set right from a copy", when,
                    places(ranks(), changed)));
  repair(u);
}

template <class T, int W>
void Certificate<T, W>::repair(const GaugeField<T, W>& u) {
  if (is_intact(u, *at_rest_)) return;
  if (u.view().data() != before_.view().data() && is_intact(before_, *at_rest_)) {
    u.copy_from(before_);
    if (is_intact(u, *at_rest_)) return;
  }
  if (is_intact(spare_, *at_rest_)) {
    u.copy_from(spare_);
    if (is_intact(u, *at_rest_)) return;
  }
  fail("no copy of the links is intact: memory of this machine is not reliable. Continue from the last checkpoint");
}

template <class T, int W>
void Certificate<T, W>::begin(const TrajectoryRequest& request, const GaugeField<T, W>& u,
                              const GaugeField<T, W>& before, std::function<std::string(int)> describe) {
  stream_ = {request.seed, request.trajectory, certificate_purpose};
  describe_ = std::move(describe);
  before_ = before;
  if (at_rest_) {
    check_at_rest(u, fmt::format("before trajectory {}", request.trajectory));
  } else {
    fill_ghosts(u);
    at_rest_ = rank_fingerprint(u);
  }
  // An intact copy, of end(), may be the only one if a bit of u flips now.
  if (!is_intact(before, *at_rest_)) before.copy_from(u);
  if (!spare_.is_allocated()) spare_ = GaugeField<T, W>(u.lattice(), "spare copy of links");
  spare_.copy_from(u);
  has_pseudofermions_ = false;
  kept_[std::size_t(Kept::links)] = kept_[std::size_t(Kept::links_before)] = *at_rest_;
  counts_before_ = counts_;
}

template <class T, int W>
bool Certificate<T, W>::replays(int operation) const {
  return in_dry_run() || fraction_ >= 1 || stream_.uniform(std::uint64_t(operation), 0)[0] < fraction_;
}

template <class T, int W>
std::optional<DryLoop> Certificate<T, W>::counted_on_average() const {
  if (!in_dry_run()) return std::nullopt;
  return std::optional<DryLoop>(std::in_place, fraction_);
}

template <class T, int W>
TrajectoryReplay<T, W>& Certificate<T, W>::replay(const Terms<T, W>& terms) {
  if (!has_pseudofermions_) replay_->take_pseudofermions(stream_, terms);
  has_pseudofermions_ = true;
  return *replay_;
}

template <class T, int W>
void Certificate<T, W>::keep(Kept what, const GaugeField<T, W>& u) {
  fill_ghosts(u);
  kept_[std::size_t(what)] = rank_fingerprint(u);
}

template <class T, int W>
void Certificate<T, W>::keep(Kept what, const AlgebraField<T, W>& p) {
  kept_[std::size_t(what)] = rank_fingerprint(p);
}

template <class T, int W>
std::vector<std::uint64_t> Certificate<T, W>::of(const Terms<T, W>& terms) const {
  std::vector<std::uint64_t> all;
  for (const auto& term : terms)
    for (const auto& field : term->pseudofermions()) all.push_back(rank_fingerprint(field));
  return all;
}

template <class T, int W>
void Certificate<T, W>::keep_pseudofermions(const Terms<T, W>& terms) {
  kept_pseudofermions_ = of(terms);
}

template <class T, int W>
void Certificate<T, W>::compare(Kept what, const GaugeField<T, W>& u) {
  ++counts_.fingerprints;
  require_equal(rank_fingerprint(u) == kept_[std::size_t(what)],
                fmt::format("a bit of {} has changed in memory", kept_names[std::size_t(what)]));
}

template <class T, int W>
void Certificate<T, W>::compare(Kept what, const AlgebraField<T, W>& p) {
  ++counts_.fingerprints;
  require_equal(rank_fingerprint(p) == kept_[std::size_t(what)],
                fmt::format("a bit of {} has changed in memory", kept_names[std::size_t(what)]));
}

template <class T, int W>
void Certificate<T, W>::compare_pseudofermions(const Terms<T, W>& terms) {
  counts_.fingerprints += std::int64_t(kept_pseudofermions_.size());
  require_equal(of(terms) == kept_pseudofermions_, "a bit of the pseudofermions has changed in memory");
}

template <class T, int W>
void Certificate<T, W>::compare_links() {
  ++counts_.operations;
  require_equal(replay_->links() == kept_[std::size_t(Kept::links)], "computed again, the links differ");
}

template <class T, int W>
void Certificate<T, W>::compare_momenta() {
  ++counts_.operations;
  require_equal(replay_->momenta() == kept_[std::size_t(Kept::momenta)], "computed again, the momenta differ");
}

template <class T, int W>
void Certificate<T, W>::compare_drawn_pseudofermions() {
  require_equal(replay_->pseudofermions() == kept_pseudofermions_, "computed again, the pseudofermions differ");
}

template <class T, int W>
void Certificate<T, W>::compare_energies(const TrajectoryRecord& record, const AlgebraField<T, W>& momenta_before) {
  const TrajectoryRecord again = replay_->energies(before_, momenta_before);
  ++counts_.operations;
  const auto require = [&](double here, double there, const std::string& what) {
    require_equal(same_bits(here, there), fmt::format("computed again, {} differs: {} and {}", what, here, there));
  };
  require(record.kinetic_difference, again.kinetic_difference, "the difference of kinetic energies");
  for (std::size_t i = 0; i < record.terms.size(); ++i)
    require(record.terms[i].difference, again.terms[i].difference,
            fmt::format("the energy difference of the term '{}'", record.terms[i].name));
  require(record.dH, again.dH, "dH");
}

template <class T, int W>
void Certificate<T, W>::restore(const GaugeField<T, W>& u) {
  u.copy_from(before_);
  repair(u);
}

template <class T, int W>
CertificateCounts Certificate<T, W>::end(const GaugeField<T, W>& u) {
  fill_ghosts(u);
  const std::uint64_t left = rank_fingerprint(u);
  before_.copy_from(u);
  require_equal(rank_fingerprint(before_) == left, "a copy of the links differs from them");
  at_rest_ = left;
  return {counts_.operations - counts_before_.operations, counts_.fingerprints - counts_before_.fingerprints, 0};
}

#define TRELLIS_INSTANTIATE(W) template class Certificate<double, W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc

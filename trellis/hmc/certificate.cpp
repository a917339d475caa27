// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/certificate.hpp"

#include <bit>

#include "trellis/core/lanes.hpp"
#include "trellis/hmc/replay.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::hmc {

namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

template <class T, int W>
Certificate<T, W>::Certificate(double fraction, std::shared_ptr<TrajectoryReplay<T, W>> replay, Tell tell)
    : DynamicsCertificate<T, W>(std::make_shared<CertificateState>(), replay),
      replay_(std::move(replay)),
      tell_(std::move(tell)) {
  if (!(fraction > 0 && fraction <= 1)) fail_input("certify is {}; it must be above 0, and at most 1", fraction);
  this->state()->fraction = fraction;
}

template <class T, int W>
bool Certificate<T, W>::is_intact(const GaugeField<T, W>& u, std::uint64_t expected) {
  return !this->state()->anywhere(rank_fingerprint(u) != expected);
}

template <class T, int W>
void Certificate<T, W>::found(const std::string& text) {
  ++this->state()->counts.found;
  tell(text);
}

template <class T, int W>
void Certificate<T, W>::tell(const std::string& text) const {
  if (tell_) tell_(text);
}

template <class T, int W>
void Certificate<T, W>::keep_spare(const GaugeField<T, W>& u) {
  if (!spare_.is_allocated()) spare_ = GaugeField<T, W>(u.lattice(), "spare copy of links");
  spare_.copy_from(u);
}

template <class T, int W>
void Certificate<T, W>::keep_at_rest(const GaugeField<T, W>& u) {
  this->state()->ranks = u.lattice().ranks();
  u.exchange(Reach::two_steps);
  at_rest_ = rank_fingerprint(u);
  keep_spare(u);
}

template <class T, int W>
void Certificate<T, W>::check_at_rest(const GaugeField<T, W>& u, const std::string& when) {
  if (!at_rest_) return;
  ++this->state()->counts.fingerprints;
  ++counts_before_.fingerprints;  // when files are written is no property of a trajectory
  const bool changed = rank_fingerprint(u) != *at_rest_;
  if (!this->state()->anywhere(changed)) return;
  found(fmt::format("{}: a bit of the links has changed in memory, on {}; they are set right from a copy", when,
                    this->state()->places(changed)));
  repair(u);
}

template <class T, int W>
void Certificate<T, W>::repair(const GaugeField<T, W>& u) {
  if (is_intact(u, *at_rest_)) return;
  if (before_.is_allocated() && u.view().data() != before_.view().data() && is_intact(before_, *at_rest_)) {
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
                              const GaugeField<T, W>& before, const std::function<std::string(int)>& describe) {
  this->state()->ranks = u.lattice().ranks();
  this->state()->stream = {request.seed, request.trajectory, certificate_purpose};
  this->state()->describe = describe;
  before_ = before;
  if (at_rest_)
    check_at_rest(u, fmt::format("before trajectory {}", request.trajectory + 1));
  else
    keep_at_rest(u);
  // An intact copy, of end(), may be the only one if a bit of u flips now.
  if (!is_intact(before, *at_rest_)) before.copy_from(u);
  keep_spare(u);
  this->forget_pseudofermions();
  this->set_kept_links(u, *at_rest_);
  this->set_kept(Kept::links_before, *at_rest_);
  counts_before_ = counts();
}

template <class T, int W>
TrajectoryReplay<T, W>& Certificate<T, W>::replay(const Terms<T, W>& terms) {
  DynamicsCertificate<T, W>::replay(terms);
  return *replay_;
}

template <class T, int W>
void Certificate<T, W>::compare_energies(const TrajectoryRecord& record, const AlgebraField<T, W>& momenta_before) {
  const TrajectoryRecord again = replay_->energies(before_, momenta_before);
  ++this->state()->counts.operations;
  const auto require = [&](double here, double there, const std::string& what) {
    this->state()->require_equal(same_bits(here, there),
                                 fmt::format("computed again, {} differs: {} and {}", what, here, there));
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
  this->set_kept(Kept::links, *at_rest_);
}

template <class T, int W>
CertificateCounts Certificate<T, W>::end(const GaugeField<T, W>& u) {
  const std::uint64_t left = rank_fingerprint(u);
  this->compare(Kept::links, left);
  before_.copy_from(u);
  this->state()->require_equal(rank_fingerprint(before_) == left, "a copy of the links differs from them");
  at_rest_ = left;
  return {counts().operations - counts_before_.operations, counts().fingerprints - counts_before_.fingerprints, 0};
}

#define TRELLIS_INSTANTIATE(W) template class Certificate<double, W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc

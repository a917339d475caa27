// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/link_checks.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/io/formats/link_algebra.hpp"

namespace trellis::io {
namespace {

bool has_single_numbers(const Link& link) {
  return std::all_of(link.u.begin(), link.u.begin() + 12,
                     [](double number) { return static_cast<double>(static_cast<float>(number)) == number; });
}

}  // namespace

void LinkChecks::add_bytes(std::int64_t first_site, std::size_t site_bytes, std::span<const std::byte> bytes) {
  has_bytes_ = true;
  if (!info_.checksums.empty()) checksum_.add(info_, first_site, site_bytes, bytes, sums_);
}

void LinkChecks::add_links(std::span<const Link> links) {
  for (std::size_t first = 0; first < links.size(); first += links_at_once) {
    const auto some = links.subspan(first, std::min(links_at_once, links.size() - first));
    links_.single_numbers = links_.single_numbers && std::ranges::all_of(some, has_single_numbers);
    if (const auto deviation = deviation_near_su3(some)) {
      links_.max_unitarity_violation = std::max(links_.max_unitarity_violation, deviation->unitarity);
      links_.max_det_violation = std::max(links_.max_det_violation, deviation->determinant);
    } else {
      for (const auto& link : some) add_link(link);
    }
  }
}

void LinkChecks::add_link(const Link& link) {
  const auto q = examine(link.u);
  if (q.zero) {
    ++links_.zero;
    std::int64_t ahead = link.site;
    for (int nu = 0; nu < link.mu; ++nu) ahead /= info_.size[std::size_t(nu)];
    const auto mu = static_cast<std::size_t>(link.mu);
    if (ahead % info_.size[mu] == info_.size[mu] - 1) ++zero_across_[mu];
  } else if (!std::isfinite(q.unitarity)) {
    ++links_.non_finite;
  } else {
    links_.max_unitarity_violation = std::max(links_.max_unitarity_violation, q.unitarity);
    const double off = std::hypot(q.det_re - 1, q.det_im);
    links_.max_det_violation = std::max(links_.max_det_violation, off);
    if (std::hypot(q.det_re + 1, q.det_im) < 0.01) ++links_.det_minus_one;
  }
}

void LinkChecks::add(const LinkChecks& part) {
  has_bytes_ = has_bytes_ || part.has_bytes_;
  links_.single_numbers = links_.single_numbers && part.links_.single_numbers;
  for (std::size_t n = 0; n < sums_.size(); ++n)
    sums_[n] = checksum_.kinds[n].exclusive_or ? sums_[n] ^ part.sums_[n] : sums_[n] + part.sums_[n];
  links_.non_finite += part.links_.non_finite;
  links_.zero += part.links_.zero;
  links_.det_minus_one += part.links_.det_minus_one;
  links_.max_unitarity_violation = std::max(links_.max_unitarity_violation, part.links_.max_unitarity_violation);
  links_.max_det_violation = std::max(links_.max_det_violation, part.links_.max_det_violation);
  for (std::size_t mu = 0; mu < 4; ++mu) zero_across_[mu] += part.zero_across_[mu];
}

void LinkChecks::join(const comm::Communicator& ranks) {
  if (ranks.size() == 1) return;
  std::vector<std::uint64_t> added, combined;
  for (std::size_t n = 0; n < sums_.size(); ++n)
    (checksum_.kinds[n].exclusive_or ? combined : added).push_back(sums_[n]);
  std::vector<std::uint64_t> counts{static_cast<std::uint64_t>(links_.non_finite),
                                    static_cast<std::uint64_t>(links_.zero),
                                    static_cast<std::uint64_t>(links_.det_minus_one), links_.single_numbers ? 0U : 1U};
  counts.insert(counts.end(), zero_across_.begin(), zero_across_.end());
  if (!combined.empty()) ranks.bitwise_xor("checksums of links", combined);
  if (!added.empty()) ranks.sum("checksums of links", added);
  ranks.sum("checks of links", counts);
  for (std::size_t n = sums_.size(); n-- > 0;) {
    auto& sums = checksum_.kinds[n].exclusive_or ? combined : added;
    sums_[n] = static_cast<std::uint32_t>(sums.back());
    sums.pop_back();
  }
  links_.non_finite = static_cast<std::int64_t>(counts[0]);
  links_.zero = static_cast<std::int64_t>(counts[1]);
  links_.det_minus_one = static_cast<std::int64_t>(counts[2]);
  links_.single_numbers = counts[3] == 0;
  for (std::size_t mu = 0; mu < 4; ++mu) zero_across_[mu] = static_cast<std::int64_t>(counts[4 + mu]);
  double largest[] = {links_.max_unitarity_violation, links_.max_det_violation};
  ranks.maximum("checksums of links", largest);
  links_.max_unitarity_violation = largest[0];
  links_.max_det_violation = largest[1];
}

ChecksumReport LinkChecks::report() const {
  ChecksumReport report = links_;
  report.stray_zero = report.zero;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (zero_across_[mu] * info_.size[mu] == volume(info_.size)) report.stray_zero -= zero_across_[mu];
  if (has_bytes_)
    for (const auto& claim : info_.checksums)
      report.checksums.push_back({claim.kind, claim.value, computed(claim.kind), claim.source});
  return report;
}

std::uint32_t LinkChecks::computed(std::string_view kind) const {
  return sums_[static_cast<std::size_t>(std::ranges::find(checksum_.kinds, kind, &ChecksumKind::name) -
                                        checksum_.kinds.begin())];
}

}  // namespace trellis::io

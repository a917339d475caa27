// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/dry_exchanges.hpp"

#include <utility>

namespace trellis {

namespace {
constinit thread_local DryExchanges* of_this_thread = nullptr;
}  // namespace

DryExchanges* dry_exchanges() { return of_this_thread; }

DryExchanges::DryExchanges(const DryRun& run) : run_(run), before_(std::exchange(of_this_thread, this)) {}
DryExchanges::~DryExchanges() { of_this_thread = before_; }

void DryExchanges::add(bool of_parity, Reach reach, Faces faces, std::span<const HaloPart> parts, bool overlapped) {
  double bytes = 0;
  for (const HaloPart& part : parts) bytes += double(part.sent_words) * part.word;
  list_.push_back({run_.calls().size(), bytes, of_parity, reach, faces, overlapped});
  if (!of_parity && reach == Reach::corners) ++changes_[parts[0].data];
}

std::uint64_t DryExchanges::content(const void* links) const {
  const auto found = changes_.find(links);
  return reinterpret_cast<std::uintptr_t>(links) + (found == changes_.end() ? 0 : found->second);
}

}  // namespace trellis

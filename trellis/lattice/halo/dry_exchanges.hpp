// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records which ghosts would be filled in a dry run (core/runtime/dry_run.hpp). There, messages are not sent and
// lattices have no Halo, only room for their ghosts:
//   DryRun run;
//   const DryExchanges exchanges(run);
//   algorithm(links);
//   for (const DryExchange& exchange : exchanges.list()) ...
// Exchanges are recorded whether the lattice has ghosts or not.

#include <map>

#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/lattice/halo/halo.hpp"

namespace trellis {

struct DryExchange {
  std::size_t calls = 0;  // kernel calls that the run had recorded before
  double bytes = 0;       // per ghost site
  bool of_parity = false;
  Reach reach = Reach::near;
  Faces faces = Faces::all;
  bool overlapped = false;  // with the kernel that follows
};

// Records for this thread, until the end of the scope.
class DryExchanges {
 public:
  explicit DryExchanges(const DryRun& run);
  DryExchanges(const DryExchanges&) = delete;
  DryExchanges& operator=(const DryExchanges&) = delete;
  ~DryExchanges();

  const std::vector<DryExchange>& list() const { return list_; }
  void add(bool of_parity, Reach reach, Faces faces, std::span<const HaloPart> parts, bool overlapped);
  // Identifies the content of the links at this address: the number changes when they do. Code that changes links
  // announces that by exchanging their ghosts up to corners (field.hpp).
  std::uint64_t content(const void* links) const;

 private:
  const DryRun& run_;
  std::vector<DryExchange> list_;
  std::map<const void*, std::uint64_t> changes_;
  DryExchanges* before_;
};

// The DryExchanges of this thread, or null.
DryExchanges* dry_exchanges();

}  // namespace trellis

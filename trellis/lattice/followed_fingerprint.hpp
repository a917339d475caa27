// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What kernels change of a field's fingerprint (fingerprint.hpp), while they write it: for each tile that a kernel
// works on, its terms afterwards minus those that its words in memory had just before. So a bit that flips at any time,
// also while a kernel is at work on other tiles, makes the fingerprint known before plus these changes differ from that
// of the field.
//
//   FingerprintChanges changes;
//   { const auto watching = changes.watch(p); add_force(..., p); }   // for each kernel that writes p
//   expected += changes.take();
//
// Kernels may write to the tile that they are called for, and no others (core/runtime/tile_watch.hpp). On a host; on a
// GPU there is nothing to watch with. Cost: the terms of each tile twice.

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "trellis/core/runtime/tile_watch.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis {

class FingerprintChanges : public TileWatch {
 public:
  template <class T, int W>
  [[nodiscard]] std::optional<WatchingTiles> watch(const AlgebraField<T, W>& p) {
    return watch(p.access().data, 32 * W * int(sizeof(T)) / 8, p.lattice().places() / W);
  }
  // Of own sites.
  template <class T, int W>
  [[nodiscard]] std::optional<WatchingTiles> watch(const GaugeField<T, W>& u) {
    return watch(u.access().data, 72 * W * int(sizeof(T)) / 8, u.lattice().places() / W);
  }
  // Since the last call; no kernel may run.
  std::uint64_t take();

  std::uint64_t before(int tile) override;
  void after(int tile, std::uint64_t found_before) override;

 private:
  std::optional<WatchingTiles> watch(const void* data, int words_a_tile, Index tiles);

  const void* data_ = nullptr;
  int words_ = 0;
  Index tiles_ = 0;
  struct alignas(64) Part {
    std::atomic<std::uint64_t> sum = 0;
  };
  std::array<Part, 64> parts_;
};

}  // namespace trellis

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/gauge_file.hpp"

#include <algorithm>

namespace trellis::io {

bool ChecksumReport::checksums_agree() const {
  return std::all_of(checksums.begin(), checksums.end(), [](const ChecksumResult& c) { return c.agrees(); });
}

void allow_single_precision(GaugeFileInfo& info) {
  for (auto* claim : {&info.plaquette, &info.plaquette_spatial, &info.plaquette_temporal, &info.link_trace})
    if (*claim) (*claim)->tolerance = std::max((*claim)->tolerance, 1e-6);
}

std::string_view name_of(ByteOrder order) { return order == ByteOrder::little ? "little" : "big"; }

std::optional<std::int64_t> volume(const Coordinate& size) {
  std::int64_t v = 1;
  for (const int n : size) {
    if (n < 1 || v > (std::int64_t{1} << 40) / n) return std::nullopt;
    v *= n;
  }
  return v;
}

std::uint64_t link_bytes(std::int64_t volume, int rows, Precision precision) {
  return static_cast<std::uint64_t>(volume) * 4U * static_cast<unsigned>(rows) * 6U *
         unsigned(arithmetic_bytes(precision));
}

}  // namespace trellis::io

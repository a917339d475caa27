// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a pass over a file's links finds out: checksums of their bytes, and how far each link is from SU(3). Parts of
// the links may be looked at by different ranks, and in any order.

#include <array>
#include <cstddef>
#include <span>

#include "trellis/comm/communicator.hpp"
#include "trellis/io/formats/file_formats.hpp"

namespace trellis::io {

class LinkChecks {
 public:
  // Both must outlive this: info says which checksums the file claims, `checksum` how its format computes them.
  LinkChecks(const GaugeFileInfo& info, const FormatChecksum& checksum)
      : info_(info), checksum_(checksum), sums_(checksum.kinds.size()) {}

  // The bytes of consecutive sites.
  void add_bytes(std::int64_t first_site, std::size_t site_bytes, std::span<const std::byte> bytes);
  void add_links(std::span<const Link> links);

  // Of what all ranks looked at, on all of them.
  void join(const comm::Communicator& ranks);
  // Checksums are in it if bytes were added.
  ChecksumReport report() const;

 private:
  std::uint32_t computed(std::string_view kind) const;

  const GaugeFileInfo& info_;
  const FormatChecksum& checksum_;
  bool has_bytes_ = false;
  std::vector<std::uint32_t> sums_;
  ChecksumReport links_;
  std::array<std::int64_t, 4> zero_across_{};  // links of each direction that leave the lattice and are 0
};

}  // namespace trellis::io

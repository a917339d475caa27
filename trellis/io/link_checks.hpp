// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks during a pass over a file's links: checksums of their bytes, and how far each link is from SU(3). Different
// ranks may check different parts of the links, in any order.

#include <array>
#include <cstddef>
#include <span>

#include "trellis/comm/communicator.hpp"
#include "trellis/io/formats/file_formats.hpp"

namespace trellis::io {

class LinkChecks {
 public:
  // Both must outlive this: info has the checksums that the file claims, `checksum` says how its format computes them.
  LinkChecks(const GaugeFileInfo& info, const FormatChecksum& checksum)
      : info_(info), checksum_(checksum), sums_(checksum.kinds.size()) {}

  // The bytes of consecutive sites.
  void add_bytes(std::int64_t first_site, std::size_t site_bytes, std::span<const std::byte> bytes);
  void add_links(std::span<const Link> links);

  // For a part of the links, to be added when it was checked.
  LinkChecks empty_copy() const { return {info_, checksum_}; }
  void add(const LinkChecks& part);

  // Combines the results of all ranks, on all of them.
  void join(const comm::Communicator& ranks);
  // Includes checksums if bytes were added.
  ChecksumReport report() const;

 private:
  void add_link(const Link& link);
  std::uint32_t computed(std::string_view kind) const;

  const GaugeFileInfo& info_;
  const FormatChecksum& checksum_;
  bool has_bytes_ = false;
  std::vector<std::uint32_t> sums_;
  ChecksumReport links_;
  std::array<std::int64_t, 4> zero_across_{};  // by direction: links that cross the boundary and are 0
};

}  // namespace trellis::io

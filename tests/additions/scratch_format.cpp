// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A file format as a contributor would add it, for additions.cmake: "SCRATCH\n", four sizes, then the links in double
// precision.
#include <array>
#include <bit>

#include "trellis/io/atomic_file.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/link_stream.hpp"

namespace trellis::io {
namespace {

constexpr std::string_view magic = "SCRATCH\n";
constexpr std::uint64_t header_bytes = magic.size() + 16;

Likeness match_scratch(const InputFile&, std::string_view start) {
  return start.starts_with(magic) ? Likeness::certain : Likeness::none;
}

GaugeLayout scratch_layout(const InputFile& file, const ReadOptions&) {
  GaugeLayout layout;
  layout.data_offset = header_bytes;
  auto& info = layout.info;
  info.variant = "scratch";
  std::array<std::byte, 16> sizes{};
  file.read(magic.size(), sizes, "the scratch header");
  for (std::size_t mu = 0; mu < 4; ++mu) info.size[mu] = load<std::int32_t>(sizes.data() + 4 * mu, ByteOrder::big);
  require_fit(file, "scratch header", info, file.size() - header_bytes);
  return layout;
}

std::vector<ChecksumClaim> write_scratch(const std::filesystem::path& path, const WriteParameters& p,
                                         const LinkSource& source) {
  AtomicFile file(path);
  std::string header(magic);
  for (const int n : p.size)
    for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>(n >> shift);
  file.write(header);
  encode_links({p.size, p.precision, ByteOrder::big, 3}, source,
               [&](std::int64_t, std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit(p.check);
  return {};
}

}  // namespace

FileFormat scratch_format() {
  return {.name = "scratch",
          .title = "scratch files",
          .match = match_scratch,
          .layout = scratch_layout,
          .write = write_scratch,
          .extensions = {"scratch"}};
}

}  // namespace trellis::io

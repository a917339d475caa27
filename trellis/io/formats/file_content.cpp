// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/file_content.hpp"

#include <fmt/format.h>

#include <array>

#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/formats/gauge_layout.hpp"
#include "trellis/io/input_file.hpp"
#include "trellis/io/tables/checked_rows.hpp"

namespace trellis::io {

std::string content_of(const std::filesystem::path& file, const ReadOptions& options) {
  std::string sums;
  const auto layout = find_layout(InputFile(file), options);
  for (const auto& claim : layout.info.checksums)
    if (claim.source == ChecksumClaim().source)  // not those of a file beside it
      sums += fmt::format("{}{:08x}", sums.empty() ? "" : "-", claim.value);
  if (!sums.empty()) return sums;
  CheckedRows bytes;
  auto stream = input_stream(file);
  std::array<char, 65536> buffer;
  while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0)
    bytes.add(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  if (stream.bad() || !stream.eof()) fail_input("{}: cannot be read to its end", file.string());
  return fmt::format("{:08x}", bytes.crc);
}

}  // namespace trellis::io

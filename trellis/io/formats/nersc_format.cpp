// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/tables/clean_text.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

constexpr std::uint64_t longest_header = 1U << 16;
constexpr const char* nersc_accepted_key = "TRELLIS_ACCEPTED";
// Of a converted file: what they say is as true of the new one.
constexpr std::array kept_nersc_keys{"ENSEMBLE_ID",      "ENSEMBLE_LABEL", "SEQUENCE_NUMBER", "CREATOR",
                                     "CREATOR_HARDWARE", "CREATION_DATE",  "ARCHIVE_DATE"};

const std::string& require_key(const InputFile& file, const GaugeFileInfo& info, std::string_view key) {
  const auto* value = find_key(info.header, key);
  if (value == nullptr) fail_input("{}: the NERSC header has no {}", file.name(), key);
  return *value;
}

int read_rows(const InputFile& file, const GaugeFileInfo& info) {
  const auto& type = require_key(file, info, "DATATYPE");
  if (type == "4D_SU3_GAUGE") return 2;
  if (type == "4D_SU3_GAUGE_3x3" || type == "4D_SU3_GAUGE_3X3") return 3;
  fail_input("{}: NERSC header: DATATYPE = '{}', expected 4D_SU3_GAUGE or 4D_SU3_GAUGE_3x3", file.name(),
             printable(type));
}

// Sets precision and byte order; false if the header does not say which byte order.
bool read_floating_point(const InputFile& file, GaugeFileInfo& info) {
  std::string_view type = require_key(file, info, "FLOATING_POINT");
  const bool single = type.starts_with("IEEE32");
  const bool known_size = single || type.starts_with("IEEE64");
  const auto order = known_size ? type.substr(6) : type;
  if (!known_size || !(order.empty() || order == "BIG" || order == "LITTLE")) {
    fail_input("{}: NERSC header: FLOATING_POINT = '{}', expected IEEE32 or IEEE64, then BIG, LITTLE or nothing",
               file.name(), printable(type));
  }
  info.precision = single ? Precision::single : Precision::double_;
  info.byte_order = order == "LITTLE" ? ByteOrder::little : ByteOrder::big;
  return !order.empty();
}

void read_claims(const InputFile& file, GaugeFileInfo& info) {
  if (const auto* v = find_key(info.header, "PLAQUETTE")) info.plaquette = parse_claim("PLAQUETTE", *v);
  if (const auto* v = find_key(info.header, "LINK_TRACE")) info.link_trace = parse_claim("LINK_TRACE", *v);
  if (const auto* v = find_key(info.header, "CHECKSUM")) {
    info.checksums.push_back({"nersc", parse_checksum(*v, file.name() + ": NERSC header: CHECKSUM")});
  } else {
    info.notes.emplace_back("the NERSC header has no CHECKSUM");
  }
  if (const auto* v = find_key(info.header, nersc_accepted_key)) info.accepted.push_back(*v);
  for (int mu = 0; mu < 4; ++mu) {
    if (const auto* v = find_key(info.header, fmt::format("BOUNDARY_{}", mu + 1))) {
      info.boundary[static_cast<std::size_t>(mu)] = *v;
    }
  }
}

std::vector<ChecksumClaim> write_3x3(const std::filesystem::path& path, const WriteParameters& p,
                                     const LinkSource& source) {
  NerscParameters nersc{.size = p.size,
                        .precision = p.precision,
                        .comments = {},
                        .fixed_in_time = !p.functional.empty(),
                        .check = p.check};
  const auto add = [&](const std::string& key, std::string text) {
    std::ranges::replace(text, '=', ' ');
    nersc.comments.emplace_back(key, clean_ascii(text));
  };
  for (const auto* key : kept_nersc_keys)
    if (const auto* value = find_key(p.header, key)) add(key, *value);
  for (auto [key, value] : functional_keys(p.functional)) {
    std::ranges::transform(key, key.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    add("TRELLIS_" + key, value);
  }
  if (!p.accepted.empty()) add(nersc_accepted_key, joined(p.accepted, "; "));
  return write_nersc(path, nersc, source);
}

GaugeLayout nersc_layout(const InputFile& file, const ReadOptions&) {
  GaugeLayout layout;
  auto& info = layout.info;
  const auto start = file.text(0, std::min(file.size(), longest_header), "the NERSC header");
  constexpr std::string_view mark = "END_HEADER";
  const auto end = start.find(mark);
  const auto line_end = end == start.npos ? end : start.find('\n', end);
  if (line_end == start.npos) {
    fail_input("{}: the NERSC header does not end (no END_HEADER line in the first {} bytes)", file.name(),
               start.size());
  }
  layout.data_offset = line_end + 1;
  parse_key_values(std::string_view(start).substr(0, end), info.header);

  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto key = fmt::format("DIMENSION_{}", mu + 1);
    const auto& text = require_key(file, info, key);
    const auto n = parse_int(text);
    if (!n || *n < 1) {
      fail_input("{}: NERSC header: {} = '{}', expected a positive integer", file.name(), key, printable(text));
    }
    info.size[mu] = *n;
  }
  info.rows = read_rows(file, info);
  info.variant = fmt::format("NERSC archive, {}", info.rows == 2 ? "two rows (third rebuilt)" : "3x3");
  const bool order_known = read_floating_point(file, info);
  require_fit(file, "NERSC header", info, file.size() - layout.data_offset);
  if (!order_known) {
    // Some programs meant big-endian, some the writing machine's order: the data decide.
    const double big = first_link_violation(file, layout, ByteOrder::big);
    const double little = first_link_violation(file, layout, ByteOrder::little);
    info.byte_order = little < big ? ByteOrder::little : ByteOrder::big;
    info.notes.push_back(fmt::format("FLOATING_POINT does not say the byte order; the links are unitary if read as {}",
                                     name_of(info.byte_order)));
  }
  read_claims(file, info);
  info.conventions.emplace_back("PLAQUETTE and LINK_TRACE are averages of Re tr / 3, as ours");
  return layout;
}

void add_to_nersc_sum(const GaugeFileInfo& info, std::int64_t, std::size_t, std::span<const std::byte> bytes,
                      std::span<std::uint32_t> sums) {
  NerscChecksum checksum{sums[0]};
  checksum.add(bytes, info.byte_order);
  sums[0] = checksum.sum;
}

}  // namespace

FileFormat nersc_format() {
  return {.name = "nersc",
          .title = "NERSC",
          .match =
              [](const InputFile&, std::string_view start) {
                return start.starts_with("BEGIN_HEADER") ? Likeness::certain : Likeness::none;
              },
          .layout = nersc_layout,
          .checksum = {{{"nersc"}}, add_to_nersc_sum},
          .write = write_3x3,
          .extensions = {"nersc"}};
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// openQCD "exported" configurations: four int32 (sizes t, x, y, z), the plaquette as a double, the links in double
// precision. And Bridge++ text: nothing but numbers.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/gauge_layout.hpp"

namespace trellis::io {
namespace {

constexpr std::uint64_t header_bytes = 24;

Size read_size(const InputFile& file, ByteOrder order) {
  std::array<std::byte, 16> h{};
  file.read(0, h, "the openQCD header");
  const auto n = [&](std::size_t i) { return load<std::int32_t>(h.data() + 4 * i, order); };
  return {n(1), n(2), n(3), n(0)};
}

}  // namespace

OpenqcdMatch match_openqcd(const InputFile& file, ByteOrder order) {
  if (file.size() < header_bytes) return OpenqcdMatch::no;
  const auto size = read_size(file, order);
  for (const int n : size) {
    if (n < 2 || n > 65536 || n % 2 != 0) return OpenqcdMatch::no;
  }
  const auto sites = volume(size);
  if (!sites) return OpenqcdMatch::no;
  return file.size() - header_bytes == link_bytes(*sites, 3, Precision::double_) ? OpenqcdMatch::length
                                                                                 : OpenqcdMatch::sizes;
}

GaugeLayout openqcd_layout(const InputFile& file, ByteOrder order) {
  GaugeLayout layout;
  layout.order = LinkOrder::openqcd;
  layout.data_offset = header_bytes;
  auto& info = layout.info;
  info.format = Format::openqcd;
  info.variant = "openQCD exported configuration";
  info.byte_order = order;
  info.size = read_size(file, order);
  require_fit(file, "openQCD header (as it seems to be)", info, file.size() - header_bytes);
  std::array<std::byte, 8> h{};
  file.read(16, h, "the openQCD plaquette");
  const double plaquette = load<double>(h.data(), order);
  info.header.emplace_back("N0 N1 N2 N3",
                           fmt::format("{} {} {} {}", info.size[3], info.size[0], info.size[1], info.size[2]));
  info.header.emplace_back("plaquette", fmt::format("{:.16g}", plaquette));
  if (std::isfinite(plaquette)) {
    // A sum of rounded terms in another order than ours.
    info.plaquette = Claim{"plaquette", fmt::format("{:.16g}", plaquette), plaquette / 3, 1e-13};
  } else {
    info.notes.emplace_back("the header's plaquette is not a number");
  }
  info.notes.emplace_back("this format has no checksum; the header's plaquette is its only check");
  info.conventions.emplace_back("the header's plaquette is the average of Re tr: 3 times ours");
  info.conventions.emplace_back("openQCD's directions 0, 1, 2, 3 are t, x, y, z");
  return layout;
}

GaugeLayout text_layout(const InputFile& file, const ReadOptions& options) {
  GaugeLayout layout;
  layout.order = LinkOrder::text;
  auto& info = layout.info;
  info.format = Format::bridge_text;
  info.variant = "Bridge++ text";
  info.byte_order = native_order;
  if (!options.size) {
    fail_input(
        "{}: this looks like Bridge++ text, which does not say the lattice size: add --size 4,4,4,4 (x,y,z,t), or size "
        "= [4, 4, 4, 4] to an input's [configurations]",
        file.name());
  }
  info.size = *options.size;
  const auto sites = volume(info.size);
  if (!sites) fail_input("{}: the size given, {}, is not possible", file.name(), to_string(info.size));
  // A number takes at least two bytes, so that no more work is done than the file's length allows.
  if (static_cast<std::uint64_t>(*sites) * 72 > file.size() / 2 + 1) {
    fail_input("{}: a {} lattice needs {} numbers, but the file has only {} bytes", file.name(), to_string(info.size),
               *sites * 72, file.size());
  }
  info.notes.emplace_back("this format has neither sizes nor checksum");
  return layout;
}

}  // namespace trellis::io

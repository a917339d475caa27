// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/formats/link_stream.hpp"

namespace trellis::io {
namespace {

constexpr std::int32_t magic_number = 20103;
constexpr std::size_t most_time_stamp = 63;  // of 64 bytes, the last of which ends it

bool is_plain(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"'; });
}

void require_valid(const MilcParameters& p) {
  if (p.time_stamp.size() > most_time_stamp || !is_plain(p.time_stamp))
    fail_input("MILC header: time stamp \"{}\": expected at most {} printable characters without quotes", p.time_stamp,
               most_time_stamp);
  for (const auto& [key, value] : p.info)
    if (!is_plain(key) || !is_plain(value) || key.find('=') != std::string::npos)
      fail_input("MILC info file: {} = {}: expected printable characters, without quotes, and no '=' in the key", key,
                 value);
}

struct Sums {
  MilcChecksum links;
  std::uint32_t two_rows = 0;  // that of the NERSC archive with two rows, which .info files quote
};

void add_to(Sums& sums, const LinkCoding& coding, std::int64_t first, std::span<const std::byte> bytes) {
  sums.links.add(static_cast<std::uint64_t>(first) * (coding.site_bytes() / 4), bytes, coding.byte_order);
  sums.two_rows = two_rows_sum(sums.two_rows, bytes, coding.byte_order);
}

std::array<std::byte, 96> header_of(const MilcParameters& p, const MilcChecksum& sums) {
  std::array<std::byte, 96> header{};
  const auto put = [&](std::size_t at, auto value) { store(header.data() + at, value, p.byte_order); };
  put(0, magic_number);
  for (std::size_t mu = 0; mu < 4; ++mu) put(4 + 4 * mu, std::int32_t{p.size[mu]});
  std::ranges::transform(p.time_stamp, header.begin() + 20, [](char c) { return static_cast<std::byte>(c); });
  put(84, std::int32_t{0});  // natural order of the sites
  put(88, sums.sum29);
  put(92, sums.sum31);
  return header;
}

// Numbers as they are, all else in quotes.
std::string quoted(const std::string& value) {
  const bool is_number = !value.empty() && std::ranges::all_of(value, [](unsigned char c) {
    return std::isdigit(c) != 0 || c == '.' || c == '-' || c == '+' || c == 'e';
  });
  return is_number ? value : fmt::format("\"{}\"", value);
}

std::string info_text(const MilcParameters& p, const Sums& sums, const Loops& loops) {
  std::string text = fmt::format("magic_number = {}\ntime_stamp = \"{}\"\nchecksums = \"{:x} {:x}\"\n", magic_number,
                                 p.time_stamp, sums.links.sum29, sums.links.sum31);
  for (std::size_t mu = 0; mu < 4; ++mu) text += fmt::format("n{} = {}\n", "xyzt"[mu], p.size[mu]);
  for (const auto& [key, value] : p.info) text += fmt::format("{} = {}\n", key, quoted(value));
  return text + fmt::format(
                    "gauge.ssplaq = {:.6f}\ngauge.stplaq = {:.6f}\ngauge.nersc_linktr = {:.6f}\n"
                    "gauge.nersc_checksum = {}\n",
                    3 * loops.plaquette_spatial, 3 * loops.plaquette_temporal, loops.link_trace, sums.two_rows);
}

}  // namespace

std::vector<ChecksumClaim> write_milc(const std::filesystem::path& path, const MilcParameters& parameters,
                                      const LinkSource& source) {
  require_valid(parameters);
  const LinkCoding coding{parameters.size, Precision::single, parameters.byte_order, 3};
  Sums sums;
  AtomicFile file(path);
  auto info_path = path;
  info_path += ".info";
  AtomicFile info(info_path);
  file.leave_room(header_of(parameters, sums.links).size());
  const auto loops = encode_and_measure(coding, source, [&](std::int64_t first, std::span<const std::byte> bytes) {
    add_to(sums, coding, first, bytes);
    file.write(bytes);
  });
  file.fill_room(header_of(parameters, sums.links));
  info.write(info_text(parameters, sums, loops));
  // A reader ignores an info file with another time stamp, so one of an earlier file does no harm meanwhile.
  file.commit(parameters.check);
  info.commit();
  return {{"milc sum29", sums.links.sum29}, {"milc sum31", sums.links.sum31}};
}

std::vector<ChecksumClaim> write_milc(const std::filesystem::path& path, const MilcParameters& parameters,
                                      const FieldLinks& links) {
  if (links.own.lattice != parameters.size)
    fail("{}: links of a {} lattice are given, expected {}", path.string(), to_string(links.own.lattice),
         to_string(parameters.size));
  std::vector<ChecksumClaim> claims{{"milc sum29", 0}, {"milc sum31", 0}};
  with_all_links(links, [&](const LinkSource& source) { claims = write_milc(path, parameters, source); });
  for (auto& claim : claims)
    links.ranks.broadcast("checksums of links", std::as_writable_bytes(std::span(&claim.value, 1)));
  return claims;
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/formats/link_stream.hpp"

namespace trellis::io {

namespace {

// Always 15 characters; numbers that are no averages of SU(3) may be large.
std::string of_fixed_length(double value) {
  if (std::abs(value) < 9) return fmt::format("{:.{}f}", value, std::signbit(value) ? 12 : 13);
  return fmt::format("{: .{}e}", value, std::abs(value) < 1e99 ? 8 : 7);
}

// Always equally long: it is written after the links.
std::string header_of(const NerscParameters& p, const NerscChecksum& checksum, const Loops& loops, bool open) {
  std::string header = "BEGIN_HEADER\nHDR_VERSION = 1.0\n";
  header += fmt::format("DATATYPE = 4D_SU3_GAUGE{}\n", p.rows == 3 ? "_3x3" : "");
  for (std::size_t mu = 0; mu < 4; ++mu) header += fmt::format("DIMENSION_{} = {}\n", mu + 1, p.size[mu]);
  header += fmt::format("CHECKSUM = {:08x}\nLINK_TRACE = {}\nPLAQUETTE = {}\n", checksum.sum,
                        of_fixed_length(loops.link_trace), of_fixed_length(loops.plaquette));
  for (std::size_t mu = 0; mu < 3; ++mu) header += fmt::format("BOUNDARY_{} = PERIODIC\n", mu + 1);
  header += fmt::format("BOUNDARY_4 = {:<8}\n", p.fixed_in_time ? "FIXED" : open ? "OPEN" : "PERIODIC");
  for (const auto& [key, value] : p.comments) {
    if ((key + value).find_first_of("\r\n=") != std::string::npos) {
      fail_input("NERSC header: {} = {}: a key or value must not contain '=' or a line break", key, value);
    }
    header += fmt::format("{} = {}\n", key, value);
  }
  return header + fmt::format("FLOATING_POINT = IEEE{}{}\nEND_HEADER\n", p.precision == Precision::single ? 32 : 64,
                              p.byte_order == ByteOrder::big ? "BIG" : "LITTLE");
}

}  // namespace

std::vector<ChecksumClaim> write_nersc(const std::filesystem::path& path, const NerscParameters& parameters,
                                       const LinkSource& source) {
  if (parameters.rows != 2 && parameters.rows != 3) fail_input("NERSC: {} rows, expected 2 or 3", parameters.rows);
  const LinkCoding coding{parameters.size, parameters.precision, parameters.byte_order, parameters.rows};
  NerscChecksum checksum;
  AtomicFile file(path);
  file.leave_room(header_of(parameters, checksum, {}, false).size());
  const auto sites = volume(parameters.size).value(), last_slice = sites - sites / parameters.size[3];
  bool open = true;
  const LinkSource watched = [&](std::int64_t first, std::span<double> out) {
    source(first, out);
    for (std::size_t at = 0; open && at < out.size(); at += 72)
      if (first + static_cast<std::int64_t>(at / 72) >= last_slice)
        open = std::ranges::all_of(out.subspan(at + 54, 18), [](double number) { return number == 0; });
  };
  const auto loops = encode_and_measure(coding, watched, [&](std::int64_t, std::span<const std::byte> bytes) {
    checksum.add(bytes, coding.byte_order);
    file.write(bytes);
  });
  file.fill_room(header_of(parameters, checksum, loops, open));
  file.commit(parameters.check);
  return {{"nersc", checksum.sum}};
}

std::vector<ChecksumClaim> write_nersc(const std::filesystem::path& path, const NerscParameters& parameters,
                                       const FieldLinks& links) {
  if (links.own.lattice != parameters.size)
    fail("{}: links of a {} lattice are given, expected {}", path.string(), to_string(links.own.lattice),
         to_string(parameters.size));
  std::vector<ChecksumClaim> claims{{"nersc", 0}};
  with_all_links(links, [&](const LinkSource& source) { claims = write_nersc(path, parameters, source); });
  links.ranks.broadcast("checksums of links", std::as_writable_bytes(std::span(&claims[0].value, 1)));
  return claims;
}

}  // namespace trellis::io

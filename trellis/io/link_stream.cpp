// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/link_stream.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/io/link_algebra.hpp"

namespace trellis::io {
namespace {

constexpr std::int64_t piece_sites = 2048;  // 1.1 MiB in double precision

bool finite(const double* u, Precision precision) {
  return std::all_of(u, u + 18, [&](double x) {
    return precision == Precision::single_ ? std::isfinite(static_cast<float>(x)) : std::isfinite(x);
  });
}

}  // namespace

void encode_links(const LinkCoding& coding, const LinkSource& source,
                  const std::function<void(std::int64_t, std::span<const std::byte>)>& sink) {
  const auto sites = volume(coding.size);
  if (!sites) fail_input("a lattice of {} is not possible", to_string(coding.size));
  const std::size_t bytes = link_bytes(1, coding.rows, coding.precision) / 4;
  std::vector<double> links;
  std::vector<std::byte> raw;
  for (std::int64_t first = 0; first < *sites; first += piece_sites) {
    const auto n = static_cast<std::size_t>(std::min(piece_sites, *sites - first));
    links.resize(n * 72);
    raw.resize(n * 4 * bytes);
    source(first, links);
    for (std::size_t i = 0; i < n * 4; ++i) {
      const double* u = links.data() + 18 * i;
      if (!finite(u, coding.precision)) {
        fail("the link at site {}, direction {} is not finite and is not written",
             first + static_cast<std::int64_t>(i / 4), i % 4);
      }
      encode_link(u, coding.rows, coding.precision, coding.byte_order, raw.data() + i * bytes);
    }
    sink(first, raw);
  }
}

LinkSource as_stored(const LinkCoding& coding, const LinkSource& source) {
  return [coding, source](std::int64_t first, std::span<double> out) {
    source(first, out);
    std::array<std::byte, 144> raw{};
    Matrix u;
    for (std::size_t at = 0; at < out.size(); at += 18) {
      encode_link(out.data() + at, coding.rows, coding.precision, coding.byte_order, raw.data());
      decode_link(raw.data(), coding.rows, coding.precision, coding.byte_order, u);
      std::copy(u.begin(), u.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
    }
  };
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/link_stream.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/io/formats/link_algebra.hpp"

namespace trellis::io {
namespace {

constexpr std::int64_t piece_sites = 2048;  // 1.1 MiB in double precision

bool finite(const double* u, Precision precision) {
  return std::all_of(u, u + 18, [&](double x) {
    return precision == Precision::single ? std::isfinite(static_cast<float>(x)) : std::isfinite(x);
  });
}

}  // namespace

std::int64_t site_in_lattice(const comm::Block& block, std::int64_t site) {
  const auto& [lattice, origin, extents] = block;
  if (extents == lattice) return site;
  std::int64_t number = 0, stride = 1;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    number += stride * (origin[mu] + site % extents[mu]);
    site /= extents[mu];
    stride *= lattice[mu];
  }
  return number;
}

void fail_not_finite(std::int64_t site, int mu) {
  fail("the link at site {}, direction {} is not finite and is not written", site, mu);
}

void encode_links(const LinkCoding& coding, const LinkSource& source,
                  const std::function<void(std::int64_t, std::span<const std::byte>)>& sink) {
  const auto sites = volume(coding.size);
  if (!sites) fail_input("a lattice of {} is not possible", to_string(coding.size));
  std::vector<std::byte> raw;
  for (std::int64_t first = 0; first < *sites; first += piece_sites) {
    raw.resize(static_cast<std::size_t>(std::min(piece_sites, *sites - first)) * coding.site_bytes());
    encode_sites(coding, source, first, raw);
    sink(first, raw);
  }
}

void encode_sites(const LinkCoding& coding, const LinkSource& source, std::int64_t first, std::span<std::byte> out) {
  const std::size_t bytes = coding.site_bytes() / 4, count = out.size() / coding.site_bytes();
  std::vector<double> links;
  for (std::size_t done = 0; done < count; done += piece_sites) {
    const auto n = std::min<std::size_t>(piece_sites, count - done);
    const auto from = first + static_cast<std::int64_t>(done);
    links.resize(n * 72);
    source(from, links);
    for (std::size_t i = 0; i < n * 4; ++i) {
      const double* u = links.data() + 18 * i;
      if (!finite(u, coding.precision)) {
        fail_not_finite(from + static_cast<std::int64_t>(i / 4), static_cast<int>(i % 4));
      }
      encode_link(u, coding.rows, coding.precision, coding.byte_order, out.data() + (done * 4 + i) * bytes);
    }
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

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/link_stream.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/formats/encoded_numbers.hpp"
#include "trellis/io/formats/link_algebra.hpp"

namespace trellis::io {
namespace {

constexpr std::int64_t sites_a_piece = 16384;  // 9 MiB in double precision
constexpr std::int64_t encoded_sites_a_task = 64;

// Calls f(first site of a task, sites of it) in all threads.
template <class F>
void in_encoding_tasks(const char* name, std::int64_t sites, double bytes, const F& f) {
  parallel_for({name, bytes},
               RangePolicy<DefaultHostExecutionSpace>(0, (sites + encoded_sites_a_task - 1) / encoded_sites_a_task),
               [&](Index task) {
                 f(task * encoded_sites_a_task, std::min(encoded_sites_a_task, sites - task * encoded_sites_a_task));
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

namespace {

// Encodes a link's rows. False if one of its numbers, also in rows that are not stored, is not finite.
template <class Real>
bool encode_rows(const double* u, const LinkCoding& coding, std::byte* out) {
  if (coding.rows == 3) return encode_numbers<Real>(u, 18, coding.byte_order, out);
  std::byte all[18 * sizeof(Real)];
  const bool is_finite = encode_numbers<Real>(u, 18, coding.byte_order, all);
  std::memcpy(out, all, static_cast<std::size_t>(coding.rows) * 6 * sizeof(Real));
  return is_finite;
}

bool encode_one(const double* u, const LinkCoding& coding, std::byte* out) {
  return coding.precision == Precision::single ? encode_rows<float>(u, coding, out)
                                               : encode_rows<double>(u, coding, out);
}

// Encodes consecutive sites, the first of which has this number; replaces the links by what a reader will see of them
// if that is asked for.
void encode_sites(const LinkCoding& coding, std::int64_t first, std::span<double> links, bool as_stored,
                  std::span<std::byte> out) {
  const std::size_t bytes = coding.site_bytes() / 4;
  const auto count = static_cast<std::int64_t>(links.size() / 72);
  const bool round = as_stored && !coding.keeps_numbers();
  std::atomic<std::int64_t> bad{std::numeric_limits<std::int64_t>::max()};  // the first link that is not finite
  in_encoding_tasks("links to file", count, double(links.size_bytes()) + double(out.size()),
                    [&](std::int64_t begin, std::int64_t sites) {
                      Matrix stored;
                      for (std::int64_t i = 4 * begin; i < 4 * (begin + sites); ++i) {
                        double* const u = links.data() + 18 * i;
                        std::byte* const to = out.data() + static_cast<std::size_t>(i) * bytes;
                        if (!encode_one(u, coding, to)) {
                          auto known = bad.load();
                          while (i < known && !bad.compare_exchange_weak(known, i)) {
                          }
                        }
                        if (!round) continue;
                        decode_link(to, coding.rows, coding.precision, coding.byte_order, stored);
                        std::ranges::copy(stored, u);
                      }
                    });
  if (const auto i = bad.load(); i != std::numeric_limits<std::int64_t>::max())
    fail_not_finite(first + i / 4, static_cast<int>(i % 4));
}

}  // namespace

void encode_links(const LinkCoding& coding, const LinkSource& source, const PassingOn::Sink& sink) {
  const auto sites = volume(coding.size);
  if (!sites) fail_input("a lattice of {} is not possible", to_string(coding.size));
  PassingOn on(sink);
  std::vector<double> links;
  for (std::int64_t first = 0; first < *sites; first += sites_a_piece) {
    const auto count = static_cast<std::size_t>(std::min(sites_a_piece, *sites - first));
    links.resize(count * 72);
    source(first, links);
    encode_sites(coding, first, links, false, on.next(count * coding.site_bytes()));
    on.pass(first);
  }
  on.finish();
}

Loops encode_and_measure(const LinkCoding& coding, const LinkSource& source, const PassingOn::Sink& sink) {
  PassingOn on(sink);
  const auto loops = measure_loops(coding.size, [&](std::int64_t first, std::span<double> slice) {
    const auto sites = static_cast<std::int64_t>(slice.size() / 72);
    for (std::int64_t at = 0; at < sites; at += sites_a_piece) {
      const auto count = static_cast<std::size_t>(std::min(sites_a_piece, sites - at));
      const auto links = slice.subspan(static_cast<std::size_t>(at) * 72, count * 72);
      source(first + at, links);
      encode_sites(coding, first + at, links, true, on.next(count * coding.site_bytes()));
      on.pass(first + at);
    }
  });
  on.finish();
  return loops;
}

LinkSource as_stored(const LinkCoding& coding, const LinkSource& source) {
  if (coding.keeps_numbers()) return source;
  return [coding, source](std::int64_t first, std::span<double> out) {
    source(first, out);
    in_encoding_tasks("links as in a file", static_cast<std::int64_t>(out.size() / 72), double(out.size_bytes()),
                      [&](std::int64_t begin, std::int64_t sites) {
                        std::array<std::byte, 144> raw{};
                        Matrix u;
                        for (auto i = static_cast<std::size_t>(4 * begin);
                             i < static_cast<std::size_t>(4 * (begin + sites)); ++i) {
                          double* const link = out.data() + 18 * i;
                          encode_link(link, coding.rows, coding.precision, coding.byte_order, raw.data());
                          decode_link(raw.data(), coding.rows, coding.precision, coding.byte_order, u);
                          std::ranges::copy(u, link);
                        }
                      });
  };
}

}  // namespace trellis::io

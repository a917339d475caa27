// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/link_stream.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <future>
#include <limits>
#include <vector>

#include "trellis/core/base/signals_blocked.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/formats/link_algebra.hpp"

namespace trellis::io {
namespace {

constexpr std::int64_t sites_a_piece = 16384;  // 9 MiB in double precision
constexpr std::int64_t encoded_sites_a_task = 64;

bool finite(const double* u, Precision precision) {
  return std::all_of(u, u + 18, [&](double x) {
    return precision == Precision::single ? std::isfinite(static_cast<float>(x)) : std::isfinite(x);
  });
}

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

void encode_links(const LinkCoding& coding, const LinkSource& source,
                  const std::function<void(std::int64_t, std::span<const std::byte>)>& sink) {
  const auto sites = volume(coding.size);
  if (!sites) fail_input("a lattice of {} is not possible", to_string(coding.size));
  std::vector<std::byte> now, before;
  std::future<void> passing_on;
  for (std::int64_t first = 0; first < *sites; first += sites_a_piece) {
    now.resize(static_cast<std::size_t>(std::min(sites_a_piece, *sites - first)) * coding.site_bytes());
    encode_sites(coding, source, first, now);
    // While the next piece is encoded.
    if (passing_on.valid()) passing_on.get();
    std::swap(now, before);
    const SignalsBlocked blocked;
    passing_on = std::async(std::launch::async, [&sink, &before, first] { sink(first, before); });
  }
  if (passing_on.valid()) passing_on.get();
}

void encode_sites(const LinkCoding& coding, const LinkSource& source, std::int64_t first, std::span<std::byte> out) {
  const std::size_t bytes = coding.site_bytes() / 4;
  const auto count = static_cast<std::int64_t>(out.size() / coding.site_bytes());
  std::vector<double> links(static_cast<std::size_t>(std::min(sites_a_piece, count)) * 72);
  for (std::int64_t done = 0; done < count; done += sites_a_piece) {
    const auto n = std::min(sites_a_piece, count - done);
    source(first + done, std::span(links).first(static_cast<std::size_t>(n) * 72));
    std::atomic<std::int64_t> bad{std::numeric_limits<std::int64_t>::max()};  // the first link that is not finite
    in_encoding_tasks("links to file", n, double(n) * (576 + double(coding.site_bytes())),
                      [&](std::int64_t begin, auto sites) {
                        for (std::int64_t i = 4 * begin; i < 4 * (begin + sites); ++i) {
                          const double* u = links.data() + 18 * i;
                          if (!finite(u, coding.precision)) {
                            auto known = bad.load();
                            while (i < known && !bad.compare_exchange_weak(known, i)) {
                            }
                          }
                          encode_link(u, coding.rows, coding.precision, coding.byte_order,
                                      out.data() + static_cast<std::size_t>(4 * done + i) * bytes);
                        }
                      });
    if (const auto i = bad.load(); i != std::numeric_limits<std::int64_t>::max())
      fail_not_finite(first + done + i / 4, static_cast<int>(i % 4));
  }
}

LinkSource as_stored(const LinkCoding& coding, const LinkSource& source) {
  if (coding.rows == 3 && coding.precision == Precision::double_) return source;
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

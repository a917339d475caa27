// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// openQCD "exported" configurations: four int32 (sizes t, x, y, z), the plaquette as a double, the links in double
// precision: odd sites, z fastest, then y, x, t; for each the links +t -t +x -x +y -y +z -z. Those of a Schroedinger
// functional: openqcd_functional.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <future>

#include "trellis/core/base/signals_blocked.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/link_algebra.hpp"
#include "trellis/io/formats/link_stream.hpp"
#include "trellis/io/formats/passing_on.hpp"

namespace trellis::io {
namespace {

constexpr std::uint64_t header_bytes = 24;
constexpr std::size_t matrix_bytes = 144;

Coordinate read_size(const InputFile& file, ByteOrder order) {
  std::array<std::byte, 16> h{};
  file.read(0, h, "the openQCD header");
  const auto n = [&](std::size_t i) { return load<std::int32_t>(h.data() + 4 * i, order); };
  return {n(1), n(2), n(3), n(0)};
}

// Whether the first four integers can be a lattice (even, 2 to 65536), and whether the file's length matches.
Likeness match_in_order(const InputFile& file, ByteOrder order) {
  if (file.size() < header_bytes) return Likeness::none;
  const auto size = read_size(file, order);
  for (const int n : size) {
    if (n < 2 || n > 65536 || n % 2 != 0) return Likeness::none;
  }
  const auto sites = volume(size);
  if (!sites) return Likeness::none;
  return file.size() - header_bytes == link_bytes(*sites, 3, Precision::double_) ? Likeness::certain
                                                                                 : Likeness::possible;
}

Likeness match_openqcd(const InputFile& file, std::string_view) {
  return std::max(match_in_order(file, ByteOrder::little), match_in_order(file, ByteOrder::big));
}

// The numbers of links in a file of a Schroedinger functional agree with those of its angles within this; openQCD asks
// for 1.4e-14.
constexpr double functional_tolerance = 1e-12;

// The links in space at the first odd site.
ConstantLinks links_on_first_slice(const InputFile& file, const GaugeLayout& layout) {
  std::array<std::byte, 8 * matrix_bytes> raw{};
  file.read(layout.data_offset, raw, "the links");
  ConstantLinks links{};
  for (std::size_t k = 0; k < 3; ++k)
    decode_link(raw.data() + (2 + 2 * k) * matrix_bytes, 3, Precision::double_, layout.info.byte_order, links[k]);
  return links;
}

// Completes the layout of a file with the slices of this functional.
void complete(const InputFile& file, const SchroedingerFunctional& functional, GaugeLayout& layout) {
  auto& info = layout.info;
  const int extent = functional.extent;
  if (!functional.phi_prime)
    fail_input(
        "{}: has {} time slices, as openQCD writes a Schroedinger functional of this extent; phi_prime has to say what "
        "is "
        "on slice {}",
        file.name(), extent, extent);
  const FunctionalBoundaries boundaries{extent, links_on_first_slice(file, layout),
                                        constant_links(*functional.phi_prime, info.size)};
  info.size[3] += 2;
  info.variant += " of a Schroedinger functional";
  if (info.plaquette) info.plaquette->value = plaquette_of_all_slices(boundaries, info.plaquette->value);
  info.notes.push_back(fmt::format("slices 0 to {} are in the file; slice {} is the boundary, and links beyond are 1",
                                   extent - 1, extent));
  layout.completed_by = boundaries;
}

// Those in space on slice 0 are constant.
void require_boundary(const InputFile& file, const FunctionalBoundaries& boundaries, std::int64_t slice_sites,
                      std::span<const Link> links) {
  for (const auto& link : links)
    if (link.mu < 3 && link.site < slice_sites &&
        !agree(link.u, boundaries.first[std::size_t(link.mu)], functional_tolerance))
      fail_input(
          "{}: the links in space on slice 0 differ, while those of a Schroedinger functional are constant; with "
          "open-SF "
          "boundaries files are not known",
          file.name());
}

GaugeLayout openqcd_layout(const InputFile& file, const ReadOptions& options) {
  const bool little = match_in_order(file, ByteOrder::little) >= match_in_order(file, ByteOrder::big);
  const auto order = little ? ByteOrder::little : ByteOrder::big;
  GaugeLayout layout;
  layout.data_offset = header_bytes;
  auto& info = layout.info;
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
    // A sum of rounded terms in a different order than ours.
    info.plaquette = Claim{"plaquette", fmt::format("{:.16g}", plaquette), plaquette / 3, 1e-13};
  } else {
    info.notes.emplace_back("the header's plaquette is not a number");
  }
  info.notes.emplace_back("this format has no checksum; the header's plaquette is its only check");
  info.conventions.emplace_back("the header's plaquette is the average of Re tr: 3 times ours");
  info.conventions.emplace_back("openQCD's directions 0, 1, 2, 3 are t, x, y, z");
  if (options.functional && options.functional->extent == info.size[3])
    complete(file, *options.functional, layout);
  else {
    const bool may_be = may_be_boundary(links_on_first_slice(file, layout));
    if (may_be)
      info.notes.emplace_back(
          "may be a Schroedinger functional without its last slice: see --time-extent and --phi-prime (in Python "
          "boundary=)");
    info.plaquette_advice = fmt::format(
        "; {}: --time-extent {} and --phi-prime A,B (in Python boundary=) say what is on its last slice",
        may_be ? "it seems to be of a Schroedinger functional" : "if it is of a Schroedinger functional", info.size[3]);
  }
  return layout;
}

// The n-th of the odd sites, which are stored with z fastest, then y, x, t. Of two sites that differ in the last bit of
// an even extent's z, one is odd.
Coordinate odd_site(std::int64_t n, const Coordinate& size) {
  Coordinate x{};
  n *= 2;
  for (const std::size_t mu : {2U, 1U, 0U, 3U}) {
    x[mu] = static_cast<int>(n % size[mu]);
    n /= size[mu];
  }
  if ((x[0] + x[1] + x[2] + x[3]) % 2 == 0) ++x[2];
  return x;
}

// Calls f(n) for the numbers below `sites`, in all threads.
template <class F>
void for_each_site(const char* name, std::int64_t sites, const F& f) {
  constexpr std::int64_t task_sites = 32;
  parallel_for({name, double(sites) * 8 * 2 * matrix_bytes},
               RangePolicy<DefaultHostExecutionSpace>(0, (sites + task_sites - 1) / task_sites), [&](Index task) {
                 for (auto n = task * task_sites; n < std::min<std::int64_t>((task + 1) * task_sites, sites); ++n) f(n);
               });
}

std::int64_t site_number(const Coordinate& x, const Coordinate& size) {
  return x[0] + std::int64_t{size[0]} * (x[1] + std::int64_t{size[1]} * (x[2] + std::int64_t{size[2]} * x[3]));
}

// Where the link is that starts or ends at an odd site.
Coordinate link_place(Coordinate x, std::size_t mu, bool ends_here, const Coordinate& size) {
  if (ends_here) x[mu] = (x[mu] + size[mu] - 1) % size[mu];
  return x;
}

void read_openqcd(const InputFile& file, const GaugeLayout& layout, const GaugeReader::Sink& sink) {
  const auto info = layout.stored();
  const std::int64_t slice_sites = volume(info.size).value() / info.size[3];
  constexpr std::int64_t piece_sites = 8192;
  const std::int64_t sites = volume(info.size).value() / 2;
  std::vector<std::byte> raw, next;
  std::vector<Link> batch;
  const auto read = [&](std::int64_t first) {
    next.resize(static_cast<std::size_t>(std::min(piece_sites, sites - first)) * 8 * matrix_bytes);
    file.read(layout.data_offset + static_cast<std::uint64_t>(first) * 8 * matrix_bytes, next, "the links");
  };
  read(0);
  for (std::int64_t first = 0; first < sites; first += piece_sites) {
    std::swap(raw, next);
    // The disk works while these links are decoded.
    std::future<void> reading;
    if (first + piece_sites < sites) {
      const SignalsBlocked blocked;
      reading = std::async(std::launch::async, read, first + piece_sites);
    }
    batch.resize(raw.size() / matrix_bytes);
    for_each_site("links from file", static_cast<std::int64_t>(batch.size() / 8), [&](std::int64_t n) {
      const auto odd = odd_site(first + n, info.size);
      for (std::size_t i = 0; i < 8; ++i) {
        const std::size_t direction = i / 2;  // 0..3 = t, x, y, z
        const std::size_t mu = direction == 0 ? 3 : direction - 1, at = static_cast<std::size_t>(n) * 8 + i;
        batch[at].site = site_number(link_place(odd, mu, i % 2 == 1, info.size), info.size);
        batch[at].mu = static_cast<int>(mu);
        decode_link(raw.data() + at * matrix_bytes, 3, Precision::double_, info.byte_order, batch[at].u);
      }
    });
    if (layout.completed_by) require_boundary(file, *layout.completed_by, slice_sites, batch);
    sink(batch);
    if (reading.valid()) reading.get();
  }
  if (layout.completed_by) complete_slices(*layout.completed_by, layout.info.size, sink);
}

// The odd site at x_mu = L_mu - 1 with 0 elsewhere; extents are even.
std::uint64_t crossing_link(const GaugeFileInfo& info, std::size_t mu) {
  std::int64_t number = info.size[mu] - 1;  // among all sites, z fastest
  for (const std::size_t faster : {2U, 1U, 0U, 3U}) {
    if (faster == mu) break;
    number *= info.size[faster];
  }
  const std::uint64_t direction = mu == 3 ? 0 : mu + 1;
  return header_bytes + (static_cast<std::uint64_t>(number / 2) * 8 + 2 * direction) * matrix_bytes;
}

std::string header_of(const Coordinate& size, double plaquette) {
  std::array<std::byte, header_bytes> h{};
  for (std::size_t i = 0; i < 4; ++i)
    store(h.data() + 4 * i, static_cast<std::int32_t>(size[(i + 3) % 4]), ByteOrder::little);
  store(h.data() + 16, 3 * plaquette, ByteOrder::little);
  return {reinterpret_cast<const char*>(h.data()), h.size()};
}

// Two time slices are in memory: backward links in time are those of the previous one.
struct TwoSlices {
  Coordinate size;
  std::span<const double> before, now;

  std::int64_t odd_sites() const { return static_cast<std::int64_t>(now.size() / 144); }

  // The links at the odd sites of slice t, which is `now`.
  void encode(std::int64_t t, std::span<std::byte> out) const {
    const std::int64_t sites = odd_sites();
    for_each_site("links to file", sites, [&](std::int64_t n) {
      const auto odd = odd_site(t * sites + n, size);
      std::byte* to = out.data() + static_cast<std::size_t>(n) * 8 * matrix_bytes;
      for (const std::size_t mu : {3U, 0U, 1U, 2U})
        for (const bool ends_here : {false, true}) {
          const auto& slice = ends_here && mu == 3 ? before : now;
          const auto at = site_number(link_place(odd, mu, ends_here, size), size) % (2 * sites);
          encode_link(slice.data() + at * 72 + static_cast<std::ptrdiff_t>(mu) * 18, 3, Precision::double_,
                      ByteOrder::little, to);
          to += matrix_bytes;
        }
    });
  }
};

std::vector<ChecksumClaim> write_openqcd(const std::filesystem::path& path, const WriteParameters& p,
                                         const LinkSource& source) {
  for (const int extent : p.size)
    if (extent < 2 || extent % 2 != 0)
      fail_input("{}: the lattice is {}; openQCD files have even extents only", path.string(), to_string(p.size));
  const auto slice_sites = volume(p.size).value() / p.size[3];
  AtomicFile file(path);
  file.leave_room(header_bytes);
  PassingOn on([&](std::int64_t, std::span<const std::byte> bytes) { file.write(bytes); });
  std::vector<double> before(static_cast<std::size_t>(slice_sites) * 72);
  source(slice_sites * (p.size[3] - 1), before);
  const auto loops = measure_loops(p.size, [&](std::int64_t first, std::span<double> now) {
    source(first, now);
    if (const auto bad = std::ranges::find_if(now, [](double x) { return !std::isfinite(x); }); bad != now.end()) {
      const auto link = (bad - now.begin()) / 18;
      fail_not_finite(first + link / 4, static_cast<int>(link % 4));
    }
    TwoSlices{p.size, before, now}.encode(first / slice_sites,
                                          on.next(8 * matrix_bytes * std::size_t(slice_sites / 2)));
    on.pass(first);
    std::ranges::copy(now, before.begin());
  });
  on.finish();
  file.fill_room(header_of(p.size, p.plaquette.value_or(loops.plaquette)));
  file.commit(p.check);
  return {};
}

}  // namespace

FileFormat openqcd_format() {
  return {.name = "openqcd",
          .title = "openQCD",
          .match = match_openqcd,
          .layout = openqcd_layout,
          .read = read_openqcd,
          .crossing_link = crossing_link,
          .write = write_openqcd,
          .only = Precision::double_,
          .extensions = {"openqcd"}};
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// openQCD "exported" configurations: four int32 (sizes t, x, y, z), the plaquette as a double, the links in double
// precision: odd sites, z fastest, then y, x, t; for each the links +t -t +x -x +y -y +z -z.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/link_algebra.hpp"
#include "trellis/io/formats/link_stream.hpp"

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

GaugeLayout openqcd_layout(const InputFile& file, const ReadOptions&) {
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
  return layout;
}

// Goes through the odd sites, z fastest, then y, x, t.
class OpenqcdSites {
 public:
  explicit OpenqcdSites(const Coordinate& size) : size_(size) { to_odd(); }
  const Coordinate& site() const { return x_; }
  void advance() {
    step();
    to_odd();
  }

 private:
  void step() {
    for (const std::size_t mu : {2U, 1U, 0U, 3U}) {
      if (++x_[mu] < size_[mu]) return;
      x_[mu] = 0;
    }
  }
  void to_odd() {
    while ((x_[0] + x_[1] + x_[2] + x_[3]) % 2 == 0) step();
  }
  Coordinate size_;
  Coordinate x_{};
};

std::int64_t site_number(const Coordinate& x, const Coordinate& size) {
  return x[0] + std::int64_t{size[0]} * (x[1] + std::int64_t{size[1]} * (x[2] + std::int64_t{size[2]} * x[3]));
}

// Where the link is that starts or ends at an odd site.
Coordinate link_place(Coordinate x, std::size_t mu, bool ends_here, const Coordinate& size) {
  if (ends_here) x[mu] = (x[mu] + size[mu] - 1) % size[mu];
  return x;
}

void read_openqcd(const InputFile& file, const GaugeLayout& layout, const GaugeReader::Sink& sink) {
  const auto& info = layout.info;
  std::int64_t left = volume(info.size).value() / 2;
  std::uint64_t offset = layout.data_offset;
  OpenqcdSites odd(info.size);
  std::vector<std::byte> raw;
  std::vector<Link> batch;
  while (left > 0) {
    const auto n = static_cast<std::size_t>(std::min<std::int64_t>(left, (1 << 20) / (8 * matrix_bytes)));
    raw.resize(n * 8 * matrix_bytes);
    batch.resize(n * 8);
    file.read(offset, raw, "the links");
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::size_t direction = i % 8 / 2;  // 0..3 = t, x, y, z
      const std::size_t mu = direction == 0 ? 3 : direction - 1;
      batch[i].site = site_number(link_place(odd.site(), mu, i % 2 == 1, info.size), info.size);
      batch[i].mu = static_cast<int>(mu);
      decode_link(raw.data() + i * matrix_bytes, 3, Precision::double_, info.byte_order, batch[i].u);
      if (i % 8 == 7) odd.advance();
    }
    sink(batch);
    left -= static_cast<std::int64_t>(n);
    offset += raw.size();
  }
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
std::vector<ChecksumClaim> write_openqcd(const std::filesystem::path& path, const WriteParameters& p,
                                         const LinkSource& source) {
  for (const int extent : p.size)
    if (extent < 2 || extent % 2 != 0)
      fail_input("{}: the lattice is {}; openQCD files have even extents only", path.string(), to_string(p.size));
  const auto slice_sites = volume(p.size).value() / p.size[3];
  const auto fetch = [&](int t) {
    std::vector<double> slice(static_cast<std::size_t>(slice_sites) * 72);
    source(slice_sites * t, slice);
    if (const auto bad = std::ranges::find_if(slice, [](double x) { return !std::isfinite(x); }); bad != slice.end()) {
      const auto link = (bad - slice.begin()) / 18;
      fail_not_finite(slice_sites * t + link / 4, static_cast<int>(link % 4));
    }
    return slice;
  };
  AtomicFile file(path);
  file.write(header_of(p.size, measure_loops(p.size, source).plaquette));
  OpenqcdSites odd(p.size);
  auto before = fetch(p.size[3] - 1);
  std::vector<std::byte> raw(8 * matrix_bytes * static_cast<std::size_t>(slice_sites / 2));
  for (int t = 0; t < p.size[3]; ++t) {
    auto now = fetch(t);
    std::byte* to = raw.data();
    for (; to != raw.data() + raw.size(); odd.advance()) {
      for (const std::size_t mu : {3U, 0U, 1U, 2U})
        for (const bool ends_here : {false, true}) {
          const auto& slice = ends_here && mu == 3 ? before : now;
          const auto at = site_number(link_place(odd.site(), mu, ends_here, p.size), p.size) % slice_sites;
          encode_link(slice.data() + at * 72 + static_cast<std::ptrdiff_t>(mu) * 18, 3, Precision::double_,
                      ByteOrder::little, to);
          to += matrix_bytes;
        }
    }
    file.write(raw);
    before = std::move(now);
  }
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

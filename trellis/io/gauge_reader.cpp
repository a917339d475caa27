// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/gauge_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/gauge_layout.hpp"
#include "trellis/io/input_file.hpp"
#include "trellis/io/link_algebra.hpp"
#include "trellis/io/link_checks.hpp"
#include "trellis/io/text.hpp"

namespace trellis::io {
namespace {

constexpr std::uint64_t chunk_bytes = 1U << 20;

using Sink = GaugeReader::Sink;

void read_site_major(const InputFile& file, const GaugeLayout& layout, LinkChecks& checks, const Sink& sink) {
  const auto& info = layout.info;
  const std::int64_t sites = volume(info.size).value();
  const std::size_t site_bytes = link_bytes(1, info.rows, info.precision);
  const auto step = static_cast<std::int64_t>(chunk_bytes / site_bytes);
  std::vector<std::byte> raw;
  std::vector<Link> batch;
  for (std::int64_t first = 0; first < sites; first += step) {
    const auto n = static_cast<std::size_t>(std::min(step, sites - first));
    raw.resize(n * site_bytes);
    batch.resize(n * 4);
    file.read(layout.data_offset + static_cast<std::uint64_t>(first) * site_bytes, raw, "the links");
    checks.add_bytes(first, site_bytes, raw);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch[i].site = first + static_cast<std::int64_t>(i / 4);
      batch[i].mu = static_cast<int>(i % 4);
      decode_link(raw.data() + i * (site_bytes / 4), info.rows, info.precision, info.byte_order, batch[i].u);
    }
    checks.add_links(batch);
    sink(batch);
  }
}

// Walks the odd sites, z fastest, then y, x, t.
class OpenqcdSites {
 public:
  explicit OpenqcdSites(const Size& size) : size_(size) { to_odd(); }
  const Size& site() const { return x_; }
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
  Size size_;
  Size x_{};
};

std::int64_t site_number(const Size& x, const Size& size) {
  return x[0] + std::int64_t{size[0]} * (x[1] + std::int64_t{size[1]} * (x[2] + std::int64_t{size[2]} * x[3]));
}

void read_openqcd(const InputFile& file, const GaugeLayout& layout, LinkChecks& checks, const Sink& sink) {
  const auto& info = layout.info;
  const std::size_t matrix_bytes = 144;
  std::int64_t left = volume(info.size).value() / 2;
  std::uint64_t offset = layout.data_offset;
  OpenqcdSites odd(info.size);
  std::vector<std::byte> raw;
  std::vector<Link> batch;
  while (left > 0) {
    const auto n = static_cast<std::size_t>(std::min<std::int64_t>(left, chunk_bytes / (8 * matrix_bytes)));
    raw.resize(n * 8 * matrix_bytes);
    batch.resize(n * 8);
    file.read(offset, raw, "the links");
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::size_t direction = i % 8 / 2;  // 0..3 = t, x, y, z
      const std::size_t mu = direction == 0 ? 3 : direction - 1;
      Size x = odd.site();
      if (i % 2 == 1) x[mu] = (x[mu] + info.size[mu] - 1) % info.size[mu];  // the link that ends at the odd site
      batch[i].site = site_number(x, info.size);
      batch[i].mu = static_cast<int>(mu);
      decode_link(raw.data() + i * matrix_bytes, 3, Precision::double_, info.byte_order, batch[i].u);
      if (i % 8 == 7) odd.advance();
    }
    checks.add_links(batch);
    sink(batch);
    left -= static_cast<std::int64_t>(n);
    offset += raw.size();
  }
}

// Hands out the numbers of a text file one by one, reading it in pieces.
class Numbers {
 public:
  explicit Numbers(const InputFile& file) : file_(file) {}

  // The next number, or nothing at the end of the file.
  std::optional<double> next() {
    std::string token;
    for (;;) {
      if (at_ == text_.size() && !refill()) break;
      const char c = text_[at_];
      const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (blank && !token.empty()) break;
      ++at_;
      if (!blank) token += c;
      if (token.size() > 100) break;
    }
    if (token.empty()) return std::nullopt;
    ++found_;
    const auto value = parse_double(token);
    if (!value) fail_input("{}: number {} is '{}', expected a number", file_.name(), found_, printable(token));
    return value;
  }
  std::int64_t found() const { return found_; }

 private:
  bool refill() {
    offset_ += text_.size();
    text_ = file_.text(offset_, std::min<std::uint64_t>(chunk_bytes, file_.size() - offset_), "the links");
    at_ = 0;
    return !text_.empty();
  }
  const InputFile& file_;
  std::uint64_t offset_ = 0;
  std::string text_;
  std::size_t at_ = 0;
  std::int64_t found_ = 0;
};

void read_text(const InputFile& file, const GaugeLayout& layout, LinkChecks& checks, const Sink& sink) {
  const std::int64_t sites = volume(layout.info.size).value();
  Numbers numbers(file);
  for (std::int64_t site = 0; site < sites; ++site) {
    std::array<Link, 4> batch;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      batch[mu].site = site;
      batch[mu].mu = static_cast<int>(mu);
      for (double& x : batch[mu].u) {
        const auto value = numbers.next();
        if (!value) {
          fail_input("{}: the file is truncated: {} numbers, but a {} lattice has {}", file.name(), numbers.found(),
                     to_string(layout.info.size), sites * 72);
        }
        x = *value;
      }
    }
    checks.add_links(batch);
    sink(batch);
  }
  if (numbers.next()) {
    fail_input("{}: has more than the {} numbers of a {} lattice", file.name(), sites * 72,
               to_string(layout.info.size));
  }
}

}  // namespace

GaugeReader::GaugeReader(GaugeReader&&) noexcept = default;
GaugeReader::~GaugeReader() = default;

// Links that were not brought back to SU(3) before they were written in single precision are off by up to 1e-5, those
// that were by 5e-7. Files in double precision hold links of either kind that were in single precision once; links that
// never were are off by 1e-10 or less.
double ReadOptions::tolerance_of(const GaugeFileInfo& info) const {
  return tolerance.value_or(info.precision == Precision::single_ ? 1e-4 : 1e-5);
}

const GaugeFileInfo& GaugeReader::info() const { return layout_->info; }

ChecksumReport GaugeReader::read(const Sink& sink) const {
  const auto report = read_all(sink);
  if (options_.strict) require_sound(file_->path(), report, options_.tolerance_of(info()));
  return report;
}

ChecksumReport GaugeReader::read_all(const Sink& sink) const {
  LinkChecks checks(layout_->info);
  switch (layout_->order) {
    case LinkOrder::site_major:
      read_site_major(*file_, *layout_, checks, sink);
      break;
    case LinkOrder::openqcd:
      read_openqcd(*file_, *layout_, checks, sink);
      break;
    case LinkOrder::text:
      read_text(*file_, *layout_, checks, sink);
      break;
  }
  return checks.report();
}

void require_sound(const std::filesystem::path& path, const ChecksumReport& report, double tolerance) {
  for (const auto& c : report.checksums) {
    if (!c.agrees()) {
      fail_input("{}: the data are damaged: checksum {} is {:08x}, expected {:08x} as the file states", path.string(),
                 c.kind, c.computed, c.claimed);
    }
  }
  if (report.non_finite > 0) {
    fail_input("{}: {} links hold NaN or infinity (or overflow), expected SU(3) matrices", path.string(),
               report.non_finite);
  }
  if (report.stray_zero > 0) {
    fail_input("{}: {} links are zero, which only all links across an open boundary may be: data are lost",
               path.string(), report.stray_zero);
  }
  if (report.max_unitarity_violation > tolerance) {
    fail_input("{}: links are not unitary: |U U^+ - 1| reaches {:.3g}, expected at most {:.3g}", path.string(),
               report.max_unitarity_violation, tolerance);
  }
  if (report.det_minus_one > 0) {
    fail_input(
        "{}: {} links have determinant -1, expected 1: staggered phases or an antiperiodic boundary are folded in",
        path.string(), report.det_minus_one);
  }
  if (report.max_det_violation > tolerance) {
    fail_input("{}: links are not in SU(3): |det U - 1| reaches {:.3g}, expected at most {:.3g}", path.string(),
               report.max_det_violation, tolerance);
  }
}

LoadedLinks load_links(const std::filesystem::path& path, const ReadOptions& options) {
  const GaugeReader reader(path, options);
  LoadedLinks loaded;
  loaded.info = reader.info();
  // The header's size has been checked against the file's length.
  loaded.links.resize(static_cast<std::size_t>(volume(loaded.info.size).value()) * 72);
  loaded.report = reader.read([&](std::span<const Link> batch) {
    for (const auto& link : batch) {
      const auto at = static_cast<std::ptrdiff_t>(link.site) * 72 + link.mu * 18;
      std::copy(link.u.begin(), link.u.end(), loaded.links.begin() + at);
    }
  });
  return loaded;
}

}  // namespace trellis::io

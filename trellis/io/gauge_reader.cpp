// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/gauge_reader.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/base/signals_blocked.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/link_algebra.hpp"
#include "trellis/io/formats/site_bytes.hpp"
#include "trellis/io/input_file.hpp"
#include "trellis/io/link_checks.hpp"

namespace trellis::io {
namespace {

constexpr std::uint64_t chunk_bytes = 1U << 23;

using Sink = GaugeReader::Sink;

void read_site_major(const InputFile& file, const GaugeLayout& layout, LinkChecks& checks, const Sink& sink) {
  const auto& info = layout.info;
  const std::int64_t sites = volume(info.size).value();
  const std::size_t site_bytes = link_bytes(1, info.rows, info.precision);
  const auto step = static_cast<std::int64_t>(chunk_bytes / site_bytes);
  std::vector<std::byte> raw, next;
  std::vector<Link> batch;
  const auto read = [&](std::int64_t first) {
    next.resize(static_cast<std::size_t>(std::min(step, sites - first)) * site_bytes);
    file.read(layout.data_offset + static_cast<std::uint64_t>(first) * site_bytes, next, "the links");
  };
  read(0);
  for (std::int64_t first = 0; first < sites; first += step) {
    std::swap(raw, next);
    // The disk works while these links are decoded.
    std::future<void> reading;
    if (first + step < sites) {
      const SignalsBlocked blocked;
      reading = std::async(std::launch::async, read, first + step);
    }
    batch.resize(raw.size() / site_bytes * 4);
    decode_sites(info, [first](std::int64_t n) { return first + n; }, raw, batch, checks);
    sink(batch);
    if (reading.valid()) reading.get();
  }
}

}  // namespace

GaugeReader::GaugeReader(GaugeReader&&) noexcept = default;
GaugeReader::~GaugeReader() = default;

// Links that were not projected back to SU(3) before they were written in single precision deviate by up to 1e-5, those
// that were by 5e-7. Files in double precision may contain links of either kind that were once in single precision;
// other links deviate by at most 1e-10.
double ReadOptions::tolerance_of(const GaugeFileInfo& info) const {
  return tolerance.value_or(info.precision == Precision::single ? 1e-4 : 1e-5);
}

const GaugeFileInfo& GaugeReader::info() const { return layout_->info; }

const FunctionalBoundaries* GaugeReader::completed_by() const {
  return layout_->completed_by ? &*layout_->completed_by : nullptr;
}

std::array<bool, 4> GaugeReader::seems_open() const {
  std::array<bool, 4> open{};
  const auto info = layout_->stored();
  const auto& format = *layout_->format;
  if (format.read != nullptr && format.crossing_link == nullptr) return open;
  // The last site is at the boundary in every direction.
  const auto last = static_cast<std::uint64_t>(volume(info.size).value() - 1);
  const auto bytes = link_bytes(1, info.rows, info.precision) / 4;
  std::vector<std::byte> raw(bytes);
  comm::together(ranks_, "look at the boundaries", [&] {
    for (std::size_t mu = 0; mu < 4; ++mu) {
      file_->read(
          format.read != nullptr ? format.crossing_link(info, mu) : layout_->data_offset + (4 * last + mu) * bytes, raw,
          "a link at the boundary");
      Link link;
      decode_link(raw.data(), info.rows, info.precision, info.byte_order, link.u);
      open[mu] = examine(link.u).zero;
    }
  });
  return open;
}

bool GaugeReader::has_sites_in_order() const { return layout_->format->read == nullptr; }

void GaugeReader::read_sites(std::int64_t first, std::span<double> out) const {
  const auto& info = layout_->info;
  if (!has_sites_in_order()) fail("{}: its sites are not in order", file_->name());
  const std::size_t bytes = link_bytes(1, info.rows, info.precision) / 4;
  std::vector<std::byte> raw(out.size() / 18 * bytes);
  file_->read(layout_->data_offset + static_cast<std::uint64_t>(first) * 4 * bytes, raw, "the links");
  Matrix u;
  for (std::size_t n = 0; n < out.size() / 18; ++n) {
    decode_link(raw.data() + n * bytes, info.rows, info.precision, info.byte_order, u);
    std::ranges::copy(u, out.begin() + static_cast<std::ptrdiff_t>(18 * n));
  }
}

ChecksumReport GaugeReader::read(const Sink& sink) const {
  const auto report = read_all(sink);
  if (options_.strict) require_sound(file_->path(), report, options_.tolerance_of(info()));
  return report;
}

ChecksumReport GaugeReader::read_all(const Sink& sink) const {
  const auto& format = *layout_->format;
  LinkChecks checks(layout_->info, format.checksum);
  if (format.read == nullptr)
    read_site_major(*file_, *layout_, checks, sink);
  else
    format.read(*file_, *layout_, [&](std::span<const Link> batch) {
      check_links(batch, checks);
      sink(batch);
    });
  return checks.report();
}

void require_sound(const std::filesystem::path& path, const ChecksumReport& report, double tolerance) {
  for (const auto& c : report.checksums) {
    if (!c.agrees()) {
      fail_input("{}: the data are damaged: checksum {} is {:08x}, expected {:08x} as the {} states", path.string(),
                 c.kind, c.computed, c.claimed, c.source == "header" ? "file" : c.source);
    }
  }
  if (report.non_finite > 0) {
    fail_input("{}: {} NaN or infinity (or overflow), expected SU(3) matrices", path.string(),
               plural(report.non_finite, "link", "holds", "hold"));
  }
  if (report.stray_zero > 0) {
    fail_input("{}: {} zero, but not in an open boundary: data are lost", path.string(),
               plural(report.stray_zero, "link", "is", "are"));
  }
  if (report.max_unitarity_violation > tolerance) {
    fail_input("{}: links are not unitary: |U U^+ - 1| reaches {:.3g}, expected at most {:.3g}", path.string(),
               report.max_unitarity_violation, tolerance);
  }
  if (report.det_minus_one > 0) {
    fail_input("{}: {} determinant -1, expected 1: staggered phases or an antiperiodic boundary are folded in",
               path.string(), plural(report.det_minus_one, "link", "has", "have"));
  }
  if (report.max_det_violation > tolerance) {
    fail_input("{}: links are not in SU(3): |det U - 1| reaches {:.3g}, expected at most {:.3g}", path.string(),
               report.max_det_violation, tolerance);
  }
}

void require_no_open_boundary(const std::filesystem::path& path, const GaugeReader& reader,
                              const ChecksumReport* report) {
  constexpr std::array<const char*, 4> axis{"x", "y", "z", "t"};
  const auto open = reader.seems_open();
  const bool allowed = reader.options().open_in_time;
  std::string where;
  for (std::size_t mu = 0; mu < (allowed ? 3 : 4); ++mu)
    if (open[mu]) where += fmt::format(" in {}", axis[mu]);
  if (where.empty() && (allowed || report == nullptr || report->zero == 0)) return;
  fail_input(
      "{}: the boundary{} is open (the links across it are zero), which is not known here; `trellis inspect` and "
      "`trellis convert` read such files, and [configurations] of `trellis measure` those that are open in t",
      path.string(), where);
}

LoadedLinks load_links(const std::filesystem::path& path, const ReadOptions& options) {
  const GaugeReader reader(path, options);
  LoadedLinks loaded;
  loaded.info = reader.info();
  if (reader.is_completed()) loaded.functional_extent = reader.completed_by()->extent;
  // The header's size has already been checked against the file's length.
  loaded.links.resize(static_cast<std::size_t>(volume(loaded.info.size).value()) * 72);
  loaded.report = reader.read([&](std::span<const Link> batch) {
    for (const auto& link : batch) {
      const auto at = static_cast<std::ptrdiff_t>(link.site) * 72 + link.mu * 18;
      std::copy(link.u.begin(), link.u.end(), loaded.links.begin() + at);
    }
  });
  if (loaded.report.single_numbers) allow_single_precision(loaded.info);
  return loaded;
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Reading one configuration on several ranks.
#include <algorithm>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/field_links.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/link_stream.hpp"
#include "trellis/io/formats/site_bytes.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/link_checks.hpp"

namespace trellis::io {
namespace {

constexpr std::uint64_t most_outside = 1U << 20;  // number of bytes before the links, and after them, that are compared
constexpr std::int64_t samples = 16;              // sites

// Length and CRC-32 of a file's beginning, of its end, and of some sites between, if the links are stored as bytes.
std::string glance(const InputFile& file, const GaugeLayout& layout) {
  const auto info = layout.stored();
  std::uint32_t crc = 0;
  std::vector<std::byte> bytes;
  const auto add = [&](std::uint64_t from, std::uint64_t count) {
    bytes.resize(count);
    file.read(from, bytes, "its parts");
    crc = add_crc32(crc, bytes);
  };
  if (info.decimal_text) {
    add(0, std::min(file.size(), most_outside));
  } else {
    const std::int64_t sites = volume(info.size).value();
    const auto site_bytes = link_bytes(1, info.rows, info.precision);
    const auto end = layout.data_offset + link_bytes(sites, info.rows, info.precision);
    add(0, std::min(layout.data_offset, most_outside));
    add(end, std::min(file.size() - end, most_outside));
    const std::int64_t step = std::max<std::int64_t>(1, sites / samples);
    for (std::int64_t site = 0; site < sites; site += step)
      add(layout.data_offset + static_cast<std::uint64_t>(site) * site_bytes, site_bytes);
  }
  // Claims from a file beside it.
  for (const auto* claim : {&info.plaquette, &info.plaquette_spatial, &info.plaquette_temporal, &info.link_trace})
    if (*claim) crc = add_crc32(crc, std::as_bytes(std::span((*claim)->text)));
  return fmt::format("{} bytes, CRC-32 of parts {:08x}", file.size(), crc);
}

void require_same(const comm::Communicator& ranks, const std::string& name, const std::string& found) {
  const auto expected = ranks.broadcast("a configuration's bytes", found);
  ranks.agree("a configuration's bytes",
              found == expected ? ""
                                : fmt::format("{}: this rank finds a different file ({}) than rank 0 ({}); all "
                                              "must see the same",
                                              name, found, expected));
}

// Whether a site of the lattice is in the block.
bool inside(std::int64_t site, const comm::Block& own) {
  bool in = true;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto x = static_cast<int>(site % own.lattice[mu]) - own.origin[mu];
    in = in && x >= 0 && x < own.extents[mu];
    site /= own.lattice[mu];
  }
  return in;
}

}  // namespace

GaugeReader::GaugeReader(const std::filesystem::path& path, const ReadOptions& options, const comm::Communicator& ranks)
    : options_(options), ranks_(ranks) {
  std::string found;
  comm::together(ranks, "open a configuration", [&] {
    file_ = std::make_unique<InputFile>(path);
    layout_ = std::make_unique<GaugeLayout>(find_layout(*file_, options));
    if (ranks.size() > 1) found = glance(*file_, *layout_);
  });
  require_same(ranks, path.string(), found);
}

ChecksumReport GaugeReader::read_block(const comm::Block& own, const Sink& sink) const {
  if (own.lattice != info().size)
    fail("{}: a block of a {} lattice was requested, but the file has {}", file_->name(), to_string(own.lattice),
         to_string(info().size));
  if (ranks_.size() == 1 && own.extents == own.lattice) return read(sink);
  const auto report = layout_->format->read == nullptr ? read_own_sites(own, sink) : read_and_pick(own, sink);
  if (options_.strict) require_sound(file_->path(), report, options_.tolerance_of(info()));
  return report;
}

// Each rank reads its own bytes.
ChecksumReport GaugeReader::read_own_sites(const comm::Block& own, const Sink& sink) const {
  const auto& info = layout_->info;
  const std::size_t site_bytes = link_bytes(1, info.rows, info.precision);
  LinkChecks checks(info, layout_->format->checksum);
  auto file = comm::ParallelFile::open(ranks_, file_->path());
  std::vector<std::byte> raw;
  std::vector<Link> batch;
  for_each_box(own, [&](std::int64_t, const comm::Block& box) {
    raw.resize(box.sites() * site_bytes);
    file.read_block(layout_->data_offset, site_bytes, box, raw);
    comm::together(ranks_, "links of a configuration", [&] {
      batch.resize(box.sites() * 4);
      decode_sites(info, [&](std::int64_t n) { return site_in_lattice(box, n); }, raw, batch, checks);
      sink(batch);
    });
  });
  file.close();
  checks.join(ranks_);
  return checks.report();
}

// Each rank reads the complete file, and passes on its own part.
ChecksumReport GaugeReader::read_and_pick(const comm::Block& own, const Sink& sink) const {
  ChecksumReport report;
  std::uint32_t crc = 0;
  comm::together(ranks_, "links of a configuration", [&] {
    std::vector<Link> mine;
    std::vector<char> is_mine;
    report = read_all([&](std::span<const Link> batch) {
      is_mine.resize(batch.size());
      constexpr std::int64_t links_per_task = 512;
      const auto links = static_cast<std::int64_t>(batch.size());
      parallel_for(
          {"links of this rank", double(links)},
          RangePolicy<DefaultHostExecutionSpace>(0, (links + links_per_task - 1) / links_per_task), [&](Index task) {
            for (auto n = task * links_per_task; n < std::min<std::int64_t>((task + 1) * links_per_task, links); ++n)
              is_mine[static_cast<std::size_t>(n)] = inside(batch[static_cast<std::size_t>(n)].site, own);
          });
      mine.clear();
      for (std::size_t n = 0; n < batch.size(); ++n) {
        crc = add_crc32(crc, std::as_bytes(std::span(batch[n].u)));
        if (is_mine[n] != 0) mine.push_back(batch[n]);
      }
      sink(mine);
    });
  });
  // These formats have no checksums.
  require_same(ranks_, file_->name(), fmt::format("CRC-32 of its links {:08x}", crc));
  return report;
}

}  // namespace trellis::io

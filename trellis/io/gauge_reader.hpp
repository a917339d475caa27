// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the links of a gauge configuration file, whichever the format:
//   NERSC        4D_SU3_GAUGE (two rows) and 4D_SU3_GAUGE_3x3; IEEE32, IEEE64, with BIG, LITTLE or neither
//   LIME         ILDG and SciDAC (QIO single file), with or without checksum, headers as sloppy as they are met
//   MILC         version 5 (magic 20103) in both byte orders with its checksums, and versions 1 to 4 (magic 59354)
//   openQCD      "exported" configurations, both byte orders
//   Bridge++     text, when the size is given
//
// GaugeReader(path) reads the header only. read(sink) passes over the data once, in pieces of about 1 MiB, and hands
// over each link exactly once, in the file's order, in batches. Memory does not grow with the lattice, offsets are
// 64-bit. A two-row file's third row is rebuilt. Checksums are computed on the way, and every link is examined.
//
// With options.strict (the default) read() throws InputError after the last link if a checksum differs, if a link is
// not finite, or if it is not in SU(3) within the tolerance; links that are exactly zero (open boundaries) are only
// counted. openQCD files have no checksum: compare the plaquette with info().plaquette, as inspect() does.
//
// On several ranks all construct a GaugeReader of the same file, and read_block() gives each the links of its own block
// of the lattice. Formats that store site after site in bytes (all but openQCD and text) are read in parallel, and the
// checksums of the parts joined; of the others each rank reads the whole file and keeps its part. Ranks that find
// different files under one name are an error. What is wrong on one rank is thrown on all.
//
// Throws InputError (exit code 2) for a file that is missing, unreadable, of no known format, truncated or
// contradictory; whatever the sink throws passes through. Cost: one read of the file, 400 flop a link.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/io/gauge_file.hpp"

namespace trellis::io {

struct ReadOptions {
  std::optional<Coordinate> size;  // needed by files that do not say theirs; must agree with those that do
  bool strict = true;              // throw when checksums differ or links are not SU(3)
  // Of |U U^+ - 1| and |det U - 1|; nothing: as the file's precision allows.
  std::optional<double> tolerance = {};
  double tolerance_of(const GaugeFileInfo& info) const;
};

struct GaugeLayout;
class InputFile;

class GaugeReader {
 public:
  using Sink = std::function<void(std::span<const Link>)>;

  explicit GaugeReader(const std::filesystem::path& path, const ReadOptions& options = {},
                       const comm::Communicator& ranks = {});
  GaugeReader(GaugeReader&&) noexcept;
  ~GaugeReader();

  const GaugeFileInfo& info() const;
  // All links, on each rank that calls it.
  ChecksumReport read(const Sink& sink) const;
  // Those of this rank's block; all ranks call it. The report is of the whole file.
  ChecksumReport read_block(const comm::Block& own, const Sink& sink) const;

 private:
  ChecksumReport read_all(const Sink& sink) const;
  ChecksumReport read_own_sites(const comm::Block& own, const Sink& sink) const;
  ChecksumReport read_and_pick(const comm::Block& own, const Sink& sink) const;

  std::unique_ptr<InputFile> file_;
  std::unique_ptr<GaugeLayout> layout_;
  ReadOptions options_;
  comm::Communicator ranks_;
};

// Throws InputError if the report of file `path` shows a wrong checksum or links outside SU(3).
void require_sound(const std::filesystem::path& path, const ChecksumReport& report, double tolerance);

// A whole configuration in memory: 72 doubles a site, (site, mu, row, column, re/im) with the last index fastest.
struct LoadedLinks {
  GaugeFileInfo info;
  ChecksumReport report;
  std::vector<double> links;
};
LoadedLinks load_links(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace trellis::io

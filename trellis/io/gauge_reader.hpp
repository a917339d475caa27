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
// not finite, or if it is not in SU(3) within options.tolerance; links that are exactly zero (open boundaries) are only
// counted. openQCD files have no checksum: compare the plaquette with info().plaquette, as inspect() does.
//
// Throws InputError (exit code 2) for a file that is missing, unreadable, of no known format, truncated or
// contradictory; whatever the sink throws passes through. Cost: one read of the file, 400 flop a link.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "trellis/io/gauge_file.hpp"

namespace trellis::io {

struct ReadOptions {
  std::optional<Size> size;  // needed by files that do not say theirs; must agree with those that do
  bool strict = true;        // throw when checksums differ or links are not SU(3)
  double tolerance = 1e-4;   // of |U U^+ - 1| and |det U - 1|: files in single precision reach 1e-5
};

struct GaugeLayout;
class InputFile;

class GaugeReader {
 public:
  explicit GaugeReader(const std::filesystem::path& path, const ReadOptions& options = {});
  GaugeReader(GaugeReader&&) noexcept;
  ~GaugeReader();

  const GaugeFileInfo& info() const;
  ChecksumReport read(const std::function<void(std::span<const Link>)>& sink) const;

 private:
  std::unique_ptr<InputFile> file_;
  std::unique_ptr<GaugeLayout> layout_;
  ReadOptions options_;
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

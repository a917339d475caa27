// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the links of a gauge configuration file of any of these formats:
//   NERSC        4D_SU3_GAUGE (two rows) and 4D_SU3_GAUGE_3x3; IEEE32, IEEE64, with BIG, LITTLE or neither
//   LIME         ILDG and SciDAC (QIO single file), with or without checksum, including sloppy headers
//   MILC         version 5 (magic 20103) in both byte orders with its checksums, and versions 1 to 4 (magic 59354)
//   openQCD      "exported" configurations, both byte orders
//   Bridge++     text, if the size is given
//
// GaugeReader(path) only reads the header. read(sink) goes through the data once, in pieces of about 8 MiB, and passes
// on each link exactly once, in the file's order, in batches. Memory does not grow with the lattice; offsets are
// 64-bit. All threads decode and check, while the next piece is read. A two-row file's third row is rebuilt. Checksums
// are computed on the way, and every link is examined.
//
// With options.strict (the default) read() throws InputError after the last link if a checksum differs, or if a link is
// not finite or not in SU(3) within the tolerance; links that are exactly zero (open boundaries) are only counted.
// openQCD files have no checksum: compare the plaquette with info().plaquette, as inspect() does.
//
// On several ranks all construct a GaugeReader for the same file, and read_block() gives each the links of its own
// block of the lattice. Formats that store the bytes of one site after another (all except openQCD and text) are read
// in parallel, and the checksums of the parts combined; otherwise each rank reads the complete file and keeps its part.
// It is an error if ranks find different files under one name. An error on one rank is thrown on all.
//
// Throws InputError (exit code 2) for a file that is missing, unreadable, of unknown format, truncated or
// contradictory; exceptions of the sink pass through. Cost: one read of the file, 400 flops per link.

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/io/gauge_file.hpp"

namespace trellis::io {

// Of extent T. openQCD's files have its slices 0 to T - 1; as a lattice of T + 2 they get slice T, whose links in space
// are exp(i diag(phi') / L), and one beyond; all other links there are 1.
struct SchroedingerFunctional {
  int extent = 0;
  std::optional<std::array<double, 3>> phi_prime = {};  // needed for such files
};

struct ReadOptions {
  std::optional<Coordinate> size = {};  // needed for files that do not state it; must agree with those that do
  bool strict = true;                   // throw if checksums differ or links are not in SU(3)
  bool open_in_time = false;            // the boundary in t may be open
  std::optional<SchroedingerFunctional> functional = {};  // files of openQCD with its slices are completed
  // For |U U^+ - 1| and |det U - 1|; by default what the file's precision allows.
  std::optional<double> tolerance = {};
  double tolerance_of(const GaugeFileInfo& info) const;
};

struct GaugeLayout;
struct FunctionalBoundaries;
class InputFile;

class GaugeReader {
 public:
  using Sink = std::function<void(std::span<const Link>)>;

  explicit GaugeReader(const std::filesystem::path& path, const ReadOptions& options = {},
                       const comm::Communicator& ranks = {});
  GaugeReader(GaugeReader&&) noexcept;
  ~GaugeReader();

  const GaugeFileInfo& info() const;
  const ReadOptions& options() const { return options_; }
  // Whether the last slices are not in the file, but from ReadOptions::functional.
  bool is_completed() const { return completed_by() != nullptr; }
  // The boundaries of such a file; null of others.
  const FunctionalBoundaries* completed_by() const;
  // Whether a link that crosses the boundary in x, y, z, t is zero, as open boundaries are stored. Reads one link for
  // each direction; never true for text, and not a proof: after read() the number of zero links is known.
  std::array<bool, 4> seems_open() const;
  // Whether the file has the links of one site after another, in our order: all formats except openQCD and text.
  bool has_sites_in_order() const;
  // The links of consecutive sites of such a file, 72 numbers each, as many as fill `out`, without any check. Several
  // threads may call it at the same time.
  void read_sites(std::int64_t first, std::span<double> out) const;
  // All links, on each rank that calls it.
  ChecksumReport read(const Sink& sink) const;
  // The links of this rank's block; all ranks must call it. The report is for the complete file.
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

// Throws InputError if a boundary is open, except one in t that ReadOptions::open_in_time allows: links from such a
// file in a field would be taken for periodic ones. report, if given, is that of all links.
void require_no_open_boundary(const std::filesystem::path& path, const GaugeReader& reader,
                              const ChecksumReport* report = nullptr);

// A complete configuration in memory: 72 doubles per site, (site, mu, row, column, re/im) with the last index fastest.
struct LoadedLinks {
  GaugeFileInfo info;
  ChecksumReport report;
  std::vector<double> links;
  int functional_extent = 0;  // if ReadOptions::functional completed the file
};
LoadedLinks load_links(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes gauge configurations, in pieces of about 9 MiB of links from a LinkSource, through AtomicFile: the file
// appears completely or not at all, and is read back before it gets its name.
//
// write_ildg: a LIME file that QIO and ILDG readers take: scidac-private-file-xml, scidac-file-xml,
//   scidac-private-record-xml, scidac-record-xml, ildg-format, ildg-data-lfn, ildg-binary-data, scidac-checksum,
//   followed by messages of our own that other readers skip: trellis-input, trellis-provenance and those in `records`.
// write_nersc: NERSC archive with plaquette, link trace and checksum of the numbers as stored in the file; three time
//   slices are in memory. BOUNDARY_4 is PERIODIC, OPEN if all links across the boundary in t are zero, or FIXED.
// write_milc: MILC version 5, which is always in single precision, and beside it the text file NAME.info with time
//   stamp, checksums, plaquettes (spatial, temporal, of 3), link trace and the NERSC checksum of two rows; three time
//   slices are in memory.
// The source is read once.
//
// With FieldLinks all ranks write together: write_ildg each a part of the file, from a copy of the links as bytes
// (packed_links.hpp), the others through the first rank, to which the others send their links. `check` is called on
// the first.
//
// start_ildg begins to write such a file and returns; it appears as files_under_way.hpp says.
//
// The same links and parameters give the same bytes, on any number of ranks: there are no time stamps. Throws
// InputError for an impossible size or XML that is not well-formed, Error if a link is not finite or the file cannot be
// written.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/io/files_under_way.hpp"
#include "trellis/io/formats/field_links.hpp"
#include "trellis/io/formats/packed_links.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/gauge_file.hpp"
#include "trellis/io/loops.hpp"

namespace trellis::io {

// Called with the name of the finished file before it replaces its target; may throw to refuse it.
using FileCheck = std::function<void(const std::filesystem::path& written)>;

struct IldgParameters {
  Coordinate size{};
  Precision precision = Precision::double_;
  std::string lfn = "lfn://trellis/configuration";                // logical file name
  std::string input;                                              // the resolved input, TOML; empty: no record
  std::string provenance;                                         // program, version, ...; empty: no record
  std::vector<std::pair<std::string, std::string>> records = {};  // further text records: type and text
  // More such records, written once the checksums of the links are known.
  std::function<std::vector<std::pair<std::string, std::string>>(const std::vector<ChecksumClaim>&)> last_records = {};
  std::string file_xml = "<trellis/>";                // scidac-file-xml
  std::optional<double> plaquette, link_trace;        // Re tr / 3; stored in scidac-record-xml for readers to check
  std::string date = "Thu Jan  1 00:00:00 1970 UTC";  // QIO requires one; a real one would make equal runs differ
  FileCheck check;
};

// Parameters common to all writable formats (file_formats.hpp): three rows per matrix; big-endian, openQCD and MILC
// little-endian.
struct WriteParameters {
  Coordinate size{};
  Precision precision = Precision::double_;
  std::string provenance;                           // ignored if a format has no place for it
  std::string input = {}, earlier_provenance = {};  // records of an ILDG file that is converted; for ILDG
  std::vector<std::string> accepted = {};           // GaugeFileInfo; ignored by openQCD's format
  // Of a converted file (GaugeFileInfo): MILC keeps its own, ILDG the logical file name, NERSC the ensemble's.
  std::vector<std::pair<std::string, std::string>> header = {};
  std::vector<std::pair<std::string, std::string>> origin = {};  // ConvertOptions; for MILC's .info file
  std::string functional = {};           // functional_text() of links of a Schroedinger functional; for NERSC and MILC
  std::optional<double> plaquette = {};  // for an openQCD file of a Schroedinger functional, instead of the average
  FileCheck check;
};

struct NerscParameters {
  Coordinate size{};
  Precision precision = Precision::double_;
  ByteOrder byte_order = ByteOrder::big;
  int rows = 3;                                               // 3: 4D_SU3_GAUGE_3x3, 2: 4D_SU3_GAUGE
  std::vector<std::pair<std::string, std::string>> comments;  // further header keys, e.g. ENSEMBLE_ID
  bool fixed_in_time = false;                                 // a Schroedinger functional
  FileCheck check;
};

struct MilcParameters {
  Coordinate size{};
  ByteOrder byte_order = ByteOrder::little;
  std::string time_stamp = no_time_stamp;                 // at most 63 characters
  std::vector<std::pair<std::string, std::string>> info;  // further keys of the .info file, before the plaquettes
  FileCheck check;
};

// All return the checksums that were written to the file.
std::vector<ChecksumClaim> write_ildg(const std::filesystem::path& path, const IldgParameters& parameters,
                                      const LinkSource& source);
std::vector<ChecksumClaim> write_nersc(const std::filesystem::path& path, const NerscParameters& parameters,
                                       const LinkSource& source);
std::vector<ChecksumClaim> write_milc(const std::filesystem::path& path, const MilcParameters& parameters,
                                      const LinkSource& source);
std::vector<ChecksumClaim> write_ildg(const std::filesystem::path& path, const IldgParameters& parameters,
                                      const FieldLinks& links);
std::vector<ChecksumClaim> write_nersc(const std::filesystem::path& path, const NerscParameters& parameters,
                                       const FieldLinks& links);
std::vector<ChecksumClaim> write_milc(const std::filesystem::path& path, const MilcParameters& parameters,
                                      const FieldLinks& links);

// By all ranks together. The links must have the size and precision of the parameters.
void start_ildg(FilesUnderWay& files, const std::filesystem::path& path, const IldgParameters& parameters,
                const std::shared_ptr<const PackedLinks>& links, const std::function<void()>& when_there = {});

}  // namespace trellis::io

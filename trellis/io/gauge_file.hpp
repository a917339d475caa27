// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a gauge configuration file claims about itself: plain data, the same for every format.
//
// Conventions: directions 0..3 = x, y, z, t; sites are numbered x + X (y + Y (z + Z t)); a link is 18 doubles, row by
// row, real part before imaginary part, and goes from the site to its neighbour in direction mu. Plaquettes and link
// traces are averages of Re tr / 3, whatever the file's own convention.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/comm/coordinate.hpp"
#include "trellis/core/base/precision.hpp"

namespace trellis::io {

enum class ByteOrder { little, big };

struct Link {
  std::int64_t site = 0;
  int mu = 0;
  std::array<double, 18> u{};
};

// A number stated in a header. `text` is as printed there; `value` is converted to our convention and accurate to
// within `tolerance`: half a unit of the last printed digit, but at least the resolution of links in single precision.
struct Claim {
  std::string key;
  std::string text;
  double value = 0;
  double tolerance = 0;
  std::string source = "header";
};

// kind: "nersc", "scidac a", "scidac b", "milc sum29", "milc sum31", "nersc of two rows".
struct ChecksumClaim {
  std::string kind;
  std::uint32_t value = 0;
  std::string source = "header";
};

struct LimeRecord {
  std::string type;
  std::uint64_t offset = 0;  // of the data within the file
  std::uint64_t length = 0;  // as stated in the header
  bool message_begin = false;
  bool message_end = false;
  std::string oddity;  // what is unusual about it, or empty
};

struct GaugeFileInfo {
  std::string format;   // its name in file_formats.hpp; "ildg" for every LIME file with links, also SciDAC
  std::string variant;  // "ILDG with SciDAC records", "MILC version 5", ...
  Coordinate size{};
  Precision precision = Precision::double_;
  ByteOrder byte_order = ByteOrder::big;
  int rows = 3;               // rows of each matrix in the file; if two, the third is rebuilt
  bool decimal_text = false;  // numbers are text, so precision and byte order have no meaning
  std::uint64_t file_bytes = 0;
  std::vector<std::pair<std::string, std::string>> header;  // keys and values, in the order found
  std::optional<Claim> plaquette, plaquette_spatial, plaquette_temporal, link_trace;
  std::vector<ChecksumClaim> checksums;
  std::vector<LimeRecord> records;
  std::array<std::string, 4> boundary;   // claimed, as written; empty if the file does not say
  std::vector<std::string> conventions;  // how the file's numbers and order map to ours
  std::vector<std::string> notes;        // harmless oddities
  // How the links differed from the header of a file from which they were converted all the same, as this file tells.
  std::vector<std::string> accepted;
  std::string plaquette_advice;  // what may be the reason if the plaquette differs, and what to do
};

struct ChecksumResult {
  std::string kind;
  std::uint32_t claimed = 0;
  std::uint32_t computed = 0;
  std::string source = "header";
  bool agrees() const { return claimed == computed; }
};

// Results of a pass over all links.
struct ChecksumReport {
  std::vector<ChecksumResult> checksums;
  double max_unitarity_violation = 0;  // max over links and elements of |U U^+ - 1|, for finite non-zero links
  double max_det_violation = 0;        // max |det U - 1|, for the same links
  std::int64_t non_finite = 0;         // links with a NaN or an infinity
  std::int64_t zero = 0;               // links that are exactly 0, as open boundaries are stored
  std::int64_t stray_zero = 0;         // of those, not in a completely open boundary: lost data
  std::int64_t det_minus_one = 0;      // links with det = -1: a sign is folded into them
  // All numbers of the first two rows are numbers in single precision, whatever the file's.
  bool single_numbers = true;
  bool checksums_agree() const;
};

// A header may refer to links before they were rounded to single precision, or have sums in single precision: claims
// about such links have a tolerance of at least 1e-6.
void allow_single_precision(GaugeFileInfo& info);

std::string_view name_of(ByteOrder order);

// Number of sites. A size may come from a broken header: empty for an entry below 1 or a volume above 2^40, so that
// byte counts computed from it cannot overflow.
std::optional<std::int64_t> volume(const Coordinate& size);

// Bytes of all links: 4 V rows 3 2 (4 or 8).
std::uint64_t link_bytes(std::int64_t volume, int rows, Precision precision);

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the links are in a file, found from its header alone. One function a format; find_layout() looks at the first
// bytes and calls the right one. To add a format: a value of Format, a function here, and, unless its links are stored
// site by site like most, a loop in gauge_reader.cpp.
//
// All throw InputError naming file, record or key, what was found and what was expected; sizes and lengths are checked
// against the file's length before anything is allocated.

#include "trellis/io/gauge_file.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/input_file.hpp"

namespace trellis::io {

enum class LinkOrder {
  site_major,  // sites as we number them; in each mu = 0..3; in each the rows
  openqcd,     // odd sites, z fastest then y, x, t; in each eight links +t -t +x -x +y -y +z -z
  text         // site_major, one decimal number after another
};

struct GaugeLayout {
  GaugeFileInfo info;
  std::uint64_t data_offset = 0;
  LinkOrder order = LinkOrder::site_major;
};

GaugeLayout find_layout(const InputFile& file, const ReadOptions& options);

GaugeLayout nersc_layout(const InputFile& file);
GaugeLayout lime_layout(const InputFile& file, const ReadOptions& options);
GaugeLayout milc_layout(const InputFile& file);
GaugeLayout openqcd_layout(const InputFile& file, ByteOrder order);
GaugeLayout text_layout(const InputFile& file, const ReadOptions& options);

// MILC: the magic numbers, in both byte orders, that milc_layout knows or refuses by name.
bool is_milc_magic(std::uint32_t word);

// openQCD: whether the first four integers can be a lattice (even, 2 to 65536), and whether the file's length fits.
enum class OpenqcdMatch { no, sizes, length };
OpenqcdMatch match_openqcd(const InputFile& file, ByteOrder order);

// The number of sites of a size that `where` claims; throws if it is impossible or if the links do not take exactly
// `available` bytes.
std::int64_t require_fit(const InputFile& file, std::string_view where, const GaugeFileInfo& info,
                         std::uint64_t available);

// Max |U U^+ - 1| of the file's first matrix read in a byte order; infinite if it is not finite.
double first_link_violation(const InputFile& file, const GaugeLayout& layout, ByteOrder order);

}  // namespace trellis::io

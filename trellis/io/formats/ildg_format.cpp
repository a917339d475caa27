// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Gauge fields in LIME files: ILDG (ildg-format + ildg-binary-data), SciDAC (QIO private records +
// scidac-binary-data), both at once, or ildg-binary-data alone.
#include <fmt/format.h>

#include <algorithm>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/lime.hpp"
#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/formats/link_stream.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

// Collects the records of one LIME file into a layout.
struct LimeGauge : LimeText {
  GaugeLayout& layout;
  bool size_known = false, precision_known = false;

  Keys keys(const LimeRecord& record) {
    const auto [found, problem] = xml_leaves(text(record));
    if (!problem.empty() && !found.empty())
      layout.info.notes.push_back(
          fmt::format("mended: {} is not XML ({}); elements read as text", printable(record.type), problem));
    for (const auto& [key, value] : found) {
      if (layout.info.header.size() < most_header_keys) layout.info.header.emplace_back(record.type + "/" + key, value);
    }
    return found;
  }

  void set_size(const LimeRecord& record, const Coordinate& size) {
    auto& info = layout.info;
    if (size_known && info.size != size) {
      bad(record,
          fmt::format("the lattice is {}, but {} elsewhere in the file", to_string(size), to_string(info.size)));
    }
    info.size = size;
    size_known = true;
  }

  void set_precision(const LimeRecord& record, std::string_view value, std::string_view single, std::string_view dbl) {
    if (value != single && value != dbl) {
      bad(record, fmt::format("precision is '{}', expected {} or {}", printable(value), single, dbl));
    }
    const auto precision = value == single ? Precision::single : Precision::double_;
    if (precision_known && precision != layout.info.precision) {
      bad(record, fmt::format("the precision is {}, but {} elsewhere in the file", name_of(precision),
                              name_of(layout.info.precision)));
    }
    layout.info.precision = precision;
    precision_known = true;
  }

  void read_ildg_format(const LimeRecord& record) {
    const auto found = keys(record);
    // What is missing may follow from the rest of the file; its length decides whether all of it fits.
    const auto mended = [&](std::string_view key, std::string_view instead) {
      layout.info.notes.push_back(fmt::format("mended: {} has no {}: {}", printable(record.type), key, instead));
    };
    if (const auto* field = find_key(found, "field"); field == nullptr)
      mended("field", "taken as su3gauge");
    else if (*field != "su3gauge")
      bad(record, fmt::format("field is '{}', expected su3gauge", printable(*field)));
    if (const auto* precision = find_key(found, "precision"))
      set_precision(record, *precision, "32", "64");
    else
      mended("precision", "from other records, or the length of the data");
    Coordinate size{};
    constexpr std::array<const char*, 4> names{"lx", "ly", "lz", "lt"};
    for (std::size_t mu = 0; mu < 4; ++mu) {
      if (find_key(found, names[mu]) == nullptr)
        return mended(names[mu], "the size is from other records, or the one given");
      const auto& value = *find_key(found, names[mu]);
      const auto n = parse_int(value);
      if (!n || *n < 1)
        bad(record, fmt::format("{} is '{}', expected a positive integer", names[mu], printable(value)));
      size[mu] = *n;
    }
    set_size(record, size);
  }

  void read_private_file(const LimeRecord& record) {
    const auto found = keys(record);
    set_size(record, whole_lattice(record, found));
  }

  void read_private_record(const LimeRecord& record) {
    const auto found = keys(record);
    set_precision(record, require(record, found, "precision"), "F", "D");
    const std::string expected_size = layout.info.precision == Precision::single ? "72" : "144";
    const auto size = require(record, found, "typesize");
    const auto count = require(record, found, "datacount");
    if (size != expected_size || count != "4") {
      const auto* type = find_key(found, "datatype");
      bad(record,
          fmt::format("the field is {} with {} values of {} bytes a site, expected 4 colour matrices of {} bytes",
                      type != nullptr ? printable(*type) : "unnamed", printable(count), printable(size),
                      expected_size));
    }
  }

  void read_record_xml(const LimeRecord& record) {
    auto& info = layout.info;
    const auto found = keys(record);
    for (const auto& [key, value] : found) {
      if (key == "plaquette" || key == "plaq") {
        info.plaquette = parse_claim(key, value);
        // Both conventions occur in usqcdInfo; an average of Re tr / 3 cannot exceed 1.
        if (info.plaquette && info.plaquette->value > 1.0001) info.plaquette = parse_claim(key, value, 1.0 / 3);
      } else if (key == "linkTrace" || key == "linktr") {
        info.link_trace = parse_claim(key, value);
      }
    }
  }

  void read_xlf_info(const LimeRecord& record) {
    auto lines = text(record);
    std::replace(lines.begin(), lines.end(), ',', '\n');  // "beta = 5.69, kappa = 0.125" on one line
    Keys found;
    parse_key_values(lines, found);
    if (const auto* v = find_key(found, "plaquette")) layout.info.plaquette = parse_claim("xlf-info plaquette", *v);
    for (const auto& [key, value] : found) layout.info.header.emplace_back("xlf-info/" + key, value);
  }

  void read_checksum(const LimeRecord& record) { layout.info.checksums = checksums(record, keys(record)); }
};

bool is_data(const LimeRecord& r) { return r.type == "ildg-binary-data" || r.type == "scidac-binary-data"; }

// The first record of type ildg-binary-data; if there is none, the first scidac-binary-data.
std::size_t find_data(const InputFile& file, GaugeFileInfo& info) {
  const auto& records = info.records;
  const auto first = [&](std::string_view type) {
    return static_cast<std::size_t>(
        std::find_if(records.begin(), records.end(), [&](const LimeRecord& r) { return r.type == type; }) -
        records.begin());
  };
  auto data = first("ildg-binary-data");
  if (data == records.size()) data = first("scidac-binary-data");
  if (data == records.size()) {
    std::string types;
    for (const auto& r : records) {
      if (types.size() < 200) types += (types.empty() ? "" : ", ") + printable(r.type);
    }
    fail_input("{}: LIME file without gauge data (ildg-binary-data or scidac-binary-data); its records: {}",
               file.name(), types);
  }
  if (const auto n = std::count_if(records.begin(), records.end(), is_data); n > 1) {
    info.notes.push_back(fmt::format("holds {} data records, of which number {} is read", n, data + 1));
  }
  return data;
}

// Without a header, the length decides between single and double precision.
void guess_precision(const InputFile& file, const LimeRecord& data, LimeGauge& gauge, const ReadOptions& options) {
  auto& info = gauge.layout.info;
  if (!gauge.size_known) {
    if (!options.size) {
      fail_input(
          "{}: LIME record '{}' of {} bytes: nothing in the file says the lattice size: add --size 4,4,4,4 (x,y,z,t), "
          "or size = [4, 4, 4, 4] to an input's [configurations], or in Python size=(4, 4, 4, 4)",
          file.name(), data.type, data.length);
    }
    info.size = *options.size;
    info.notes.emplace_back("the file does not say the lattice size: the one given is used");
  }
  if (gauge.precision_known) return;
  const auto sites = volume(info.size);
  const bool single = sites && link_bytes(*sites, 3, Precision::single) == data.length;
  info.precision = single ? Precision::single : Precision::double_;
  info.notes.emplace_back("the file does not say the precision: it follows from the length of the data");
}

GaugeLayout ildg_layout(const InputFile& file, const ReadOptions& options) {
  GaugeLayout layout;
  auto& info = layout.info;
  info.byte_order = ByteOrder::big;
  auto contents = scan_lime(file);
  info.records = std::move(contents.records);
  info.notes = std::move(contents.notes);
  const auto data = find_data(file, info);

  LimeGauge gauge{{file}, layout};
  bool ildg = false, scidac = false, checksum = false;
  // Records that describe the data come before them (the last one counts), except the checksum, the first one after
  // them.
  const LimeRecord* private_record = nullptr;
  for (std::size_t i = 0; i < info.records.size(); ++i) {
    const auto& r = info.records[i];
    if (r.type == "ildg-format" && !ildg) {
      gauge.read_ildg_format(r);
      ildg = true;
    } else if (r.type == "scidac-private-file-xml" && i < data && !scidac) {
      gauge.read_private_file(r);
      scidac = true;
    } else if (r.type == "scidac-private-record-xml" && i < data) {
      private_record = &r;
    } else if (r.type == "scidac-record-xml" && i < data && r.length <= longest_xml) {
      gauge.read_record_xml(r);
    } else if (r.type == "xlf-info" && r.length <= longest_xml) {
      gauge.read_xlf_info(r);
    } else if (r.type == "scidac-checksum" && i > data && !checksum) {
      gauge.read_checksum(r);
      checksum = true;
    } else if (r.type == provenance_record && r.length <= longest_xml) {
      info.accepted = accepted_lines(gauge.text(r));
    } else if (r.type == "ildg-data-lfn") {
      info.header.emplace_back(r.type, trim(gauge.text(r)));
    }
  }
  if (private_record != nullptr) gauge.read_private_record(*private_record);
  if (!checksum) info.notes.emplace_back("there is no SciDAC checksum");

  const auto& record = info.records[data];
  guess_precision(file, record, gauge, options);
  info.variant = ildg && scidac ? "LIME: ILDG with SciDAC records"
                 : ildg         ? "LIME: ILDG"
                 : scidac       ? "LIME: SciDAC"
                                : "LIME: only links";
  layout.data_offset = record.offset;
  require_fit(file, fmt::format("LIME record '{}'", record.type), info, record.length);
  return layout;
}

Likeness match_lime(const InputFile&, std::string_view start) {
  const bool same =
      start.size() >= 4 && load<std::uint32_t>(std::as_bytes(std::span(start)).data(), ByteOrder::big) == lime_magic;
  return same ? Likeness::certain : Likeness::none;
}

void add_to_scidac_sums(const GaugeFileInfo&, std::int64_t first_site, std::size_t site_bytes,
                        std::span<const std::byte> bytes, std::span<std::uint32_t> sums) {
  ScidacChecksum checksum{sums[0], sums[1]};
  checksum.add(first_site, site_bytes, bytes);
  sums[0] = checksum.a;
  sums[1] = checksum.b;
}

std::vector<ChecksumClaim> write_with_loops(const std::filesystem::path& path, const WriteParameters& p,
                                            const LinkSource& source) {
  const auto loops = measure_loops(p.size, as_stored({p.size, p.precision, ByteOrder::big, 3}, source));
  IldgParameters parameters;
  parameters.size = p.size;
  parameters.precision = p.precision;
  if (const auto* lfn = find_key(p.header, "ildg-data-lfn"); lfn != nullptr && !lfn->empty()) parameters.lfn = *lfn;
  parameters.input = p.input;
  parameters.provenance = p.earlier_provenance + p.provenance;
  parameters.plaquette = loops.plaquette;
  parameters.link_trace = loops.link_trace;
  parameters.check = p.check;
  return write_ildg(path, parameters, source);
}

}  // namespace

FileFormat ildg_format() {
  return {.name = "ildg",
          .title = "ILDG/SciDAC",
          .match = match_lime,
          .layout = ildg_layout,
          .checksum = {{{"scidac a", true}, {"scidac b", true}}, add_to_scidac_sums},
          .write = write_with_loops,
          .extensions = {"ildg", "lime", "scidac"}};
}

}  // namespace trellis::io

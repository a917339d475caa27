// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/field_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/fields/hdf5_fields.hpp"
#include "trellis/io/fields/openqcd_spinors.hpp"
#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

constexpr int most_objects = 10000;  // at a site

constexpr std::array<FieldTypeName, 6> type_names{{{FieldType::real, "real number", "Real", 1},
                                                   {FieldType::complex, "complex number", "Complex", 2},
                                                   {FieldType::colour_vector, "colour vector", "ColorVector", 6},
                                                   {FieldType::colour_matrix, "colour matrix", "ColorMatrix", 18},
                                                   {FieldType::spinor, "spinor", "DiracFermion", 24, 4},
                                                   {FieldType::propagator, "propagator", "DiracPropagator", 288, 4}}};

bool is_lime(const InputFile& file) {
  std::array<std::byte, 4> word{};
  if (file.size() < lime_header_bytes) return false;
  file.read(0, word, "the start of the file");
  return load<std::uint32_t>(word.data(), ByteOrder::big) == lime_magic;
}

bool is_data(const LimeRecord& record) { return record.type == "scidac-binary-data"; }

struct FieldRecords : LimeText {
  FieldFileInfo& info;

  Keys keys(const LimeRecord& record) const {
    const auto [found, problem] = xml_leaves(text(record));
    if (!problem.empty() && !found.empty())
      info.notes.push_back(
          fmt::format("mended: {} is not XML ({}); elements read as text", printable(record.type), problem));
    return found;
  }

  int positive(const LimeRecord& record, const Keys& found, std::string_view key, int most) const {
    const auto value = require(record, found, key);
    const auto n = parse_int(value);
    if (!n || *n < 1 || *n > most)
      bad(record, fmt::format("{} is '{}', expected 1 to {}", key, printable(value), most));
    return *n;
  }

  // What scidac-private-record-xml says.
  FieldInfo field(const LimeRecord& record) const {
    const auto found = keys(record);
    FieldInfo field;
    for (const char* kind : {"globaldata", "recordtype"})
      if (const auto* value = find_key(found, kind); value != nullptr && *value != "0")
        bad(record, fmt::format("{} is {}: not a field on all sites, expected 0", kind, printable(*value)));
    const auto precision = require(record, found, "precision");
    if (precision != "F" && precision != "D")
      bad(record, fmt::format("precision is '{}', expected F or D", printable(precision)));
    field.precision = precision == "F" ? Precision::single : Precision::double_;
    field.count = positive(record, found, "datacount", most_objects);
    if (const auto* text = find_key(found, "datatype")) field.datatype = *text;
    if (const auto* text = find_key(found, "date")) field.date = *text;
    const int bytes = positive(record, found, "typesize", 1 << 20);
    const int number = field.precision == Precision::single ? 4 : 8;
    const auto type = std::ranges::find_if(type_names, [&](const auto& t) { return t.reals * number == bytes; });
    if (type == type_names.end())
      bad(record, fmt::format("objects of type '{}' have {} bytes in {} precision, which no known type has",
                              printable(field.datatype), bytes, name_of(field.precision)));
    for (const auto& other : type_names)
      if (field.datatype.ends_with(std::string("_") + other.datatype) && other.type != type->type)
        bad(record, fmt::format("the datatype is {}, of {} bytes, but typesize is {}", printable(field.datatype),
                                other.reals * number, bytes));
    field.type = type->type;
    if (const auto* colours = find_key(found, "colors");
        colours != nullptr && *colours != "3" && *colours != "0" && type->reals > 2)
      bad(record, fmt::format("colors is {}, expected 3", printable(*colours)));
    return field;
  }
};

}  // namespace

std::span<const FieldTypeName> field_types() { return type_names; }

const FieldTypeName& name_of(FieldType type) { return type_names[static_cast<std::size_t>(type)]; }

FieldFileInfo field_file(const InputFile& file) {
  if (is_hdf5(file)) return hdf5_field_file(file);
  if (begins_as_openqcd(file)) return openqcd_spinor_file(file);
  if (!is_lime(file))
    fail_input(
        "{}: not a SciDAC file: it does not begin as LIME files do, nor with the even extents of a lattice, as "
        "openQCD's "
        "spinor fields do",
        file.name());
  FieldFileInfo info;
  info.format = "LIME: SciDAC";
  info.file_bytes = file.size();
  auto contents = scan_lime(file);
  info.records = std::move(contents.records);
  info.notes = std::move(contents.notes);
  const FieldRecords records{{file}, info};
  std::optional<FieldInfo> next;
  bool has_size = false, awaits_checksum = false;
  for (const auto& record : info.records) {
    if (record.type == "scidac-private-file-xml" && !has_size) {
      info.size = records.whole_lattice(record, records.keys(record));
      if (!volume(info.size)) records.bad(record, fmt::format("a lattice of {} is not possible", to_string(info.size)));
      has_size = true;
    } else if (record.type == "scidac-file-xml") {
      info.text = trim(records.text(record));
    } else if (record.type == "scidac-private-record-xml") {
      if (!has_size) records.bad(record, "comes before scidac-private-file-xml");
      next = records.field(record);
      awaits_checksum = false;
    } else if (record.type == "scidac-record-xml" && next) {
      next->text = trim(records.text(record));
    } else if (is_data(record)) {
      if (!next) records.bad(record, "no scidac-private-record-xml describes it");
      next->offset = record.offset;
      const auto sites = static_cast<std::uint64_t>(*volume(info.size));
      if (record.length != sites * next->site_bytes())
        records.bad(record, fmt::format("{} bytes; a {} lattice with {} takes {}", record.length, to_string(info.size),
                                        describe(*next), sites * next->site_bytes()));
      info.fields.push_back(*std::exchange(next, std::nullopt));
      awaits_checksum = true;
    } else if (record.type == "scidac-checksum" && awaits_checksum) {
      info.fields.back().checksums = records.checksums(record, records.keys(record));
      awaits_checksum = false;
    }
  }
  if (info.fields.empty()) fail_input("{}: a LIME file without SciDAC fields (scidac-binary-data)", file.name());
  return info;
}

std::string describe(const FieldInfo& field) {
  const auto& type = name_of(field.type);
  const std::string name = field.count == 1                         ? std::string("one ") + type.name
                           : field.type == FieldType::colour_matrix ? fmt::format("{} colour matrices", field.count)
                                                                    : fmt::format("{} {}s", field.count, type.name);
  return fmt::format("{} a site, {} precision", name, name_of(field.precision));
}

namespace {

enum class Content { links, matrices_or_links, fields };

Content content_of_lime(const InputFile& file) {
  if (!is_lime(file)) return Content::links;
  const auto records = scan_lime(file).records;
  const bool ildg = std::ranges::any_of(records, [](const LimeRecord& r) { return r.type.starts_with("ildg-"); });
  const auto fields = std::ranges::count_if(records, is_data);
  const auto described = std::ranges::find(records, "scidac-private-record-xml", &LimeRecord::type);
  if (ildg || fields == 0 || described == records.end()) return Content::links;
  if (fields > 1) return Content::fields;
  const auto keys = xml_leaves(LimeText{file}.text(*described)).keys;
  const auto *count = find_key(keys, "datacount"), *bytes = find_key(keys, "typesize");
  if (count == nullptr || bytes == nullptr) return Content::links;
  return *count == "4" && (*bytes == "72" || *bytes == "144") ? Content::matrices_or_links : Content::fields;
}

}  // namespace

bool holds_fields(const InputFile& file) {
  if (is_hdf5(file)) return holds_hdf5_fields(file);
  return holds_openqcd_spinors(file) || content_of_lime(file) == Content::fields;
}
bool may_hold_general_matrices(const InputFile& file) { return content_of_lime(file) == Content::matrices_or_links; }

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/inspect_fields.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/tables/clean_text.hpp"

namespace trellis::io {
namespace {

constexpr double never_in_su3 = 0.1;

FieldInspection examined(const std::filesystem::path& path) {
  const FieldReader reader(path);
  FieldInspection result{path.string(), reader.info(), {}, {}};
  const comm::Block all{result.info.size, {}, result.info.size};
  for (std::size_t n = 0; n < result.info.fields.size(); ++n) {
    const auto& report =
        result.reports.emplace_back(reader.read(n, all, [](std::int64_t, std::span<const double>) {}, false));
    for (const auto& sum : report.checksums)
      if (!sum.agrees())
        result.problems.push_back(fmt::format("field {}: checksum {} is {:08x}, but the file says {:08x}", n + 1,
                                              sum.kind, sum.computed, sum.claimed));
    if (report.square_norm && !report.square_norm->agrees())
      result.problems.push_back(fmt::format("field {}: the square norm is {:.17g}, but the file says {:.17g}", n + 1,
                                            report.square_norm->computed, report.square_norm->claimed));
    if (report.non_finite > 0)
      result.problems.push_back(
          fmt::format("field {}: numbers of {} are not finite", n + 1, plural(report.non_finite, "site")));
  }
  return result;
}

std::string summary(const FieldInspection& inspection) {
  std::vector<std::string> kinds;
  std::size_t same = 0;
  for (const auto& field : inspection.info.fields) {
    const auto kind = describe(field);
    if (!kinds.empty() && kinds.back() == kind) {
      ++same;
      continue;
    }
    if (same > 0) kinds.back() += fmt::format(" ({} fields)", same + 1);
    same = 0;
    kinds.push_back(kind);
  }
  if (same > 0) kinds.back() += fmt::format(" ({} fields)", same + 1);
  return joined(kinds, "; ");
}

}  // namespace

std::optional<FieldInspection> inspect_fields(const std::filesystem::path& path) {
  const InputFile file(path);
  if (holds_fields(file)) return examined(path);
  if (!may_hold_general_matrices(file)) return std::nullopt;
  FieldInspection result;
  try {
    result = examined(path);
  } catch (const InputError&) {
    return std::nullopt;  // the reader of configurations says what is wrong, or can read it
  }
  const auto& report = result.reports.front();
  if (report.checksums.empty() || !report.checksums_agree() || report.unitarity <= never_in_su3) return std::nullopt;
  return result;
}

std::string to_text(const FieldInspection& inspection) {
  const auto& info = inspection.info;
  std::string text = clean(inspection.path) + "\n";
  const auto line = [&](std::string_view key, std::string_view value) {
    text += fmt::format("  {:<12} {}\n", key, value);
  };
  line("format", fmt::format("{} fields, {} bytes", info.format, info.file_bytes));
  line("lattice", to_string(info.size) + " (x y z t)");
  line("holds", summary(inspection));
  if (!info.text.empty()) line("file text", clip(info.text));
  for (std::size_t n = 0; n < info.fields.size(); ++n) {
    const auto& field = info.fields[n];
    const auto& report = inspection.reports[n];
    line(fmt::format("field {}", n + 1), fmt::format("{}, datatype {}{}", describe(field), clip(field.datatype),
                                                     field.date.empty() ? "" : ", " + clip(field.date)));
    if (!field.text.empty()) line("", clip(field.text));
    line("",
         fmt::format(
             "largest number {:.6g}, {} zero, {} not finite{}", report.largest,
             plural(report.zero, "site", "is", "are"), report.non_finite,
             field.type == FieldType::colour_matrix ? fmt::format(", |U U^+ - 1| <= {:.2e}", report.unitarity) : ""));
    if (report.checksums.empty() && !report.square_norm) line("", "there is no SciDAC checksum");
    if (const auto& norm = report.square_norm)
      line("claim", fmt::format("square norm: header {:.17g}, recomputed {:.17g}: {}", norm->claimed, norm->computed,
                                norm->agrees() ? "agrees" : "DIFFERS"));
    for (const auto& sum : report.checksums)
      line("claim", fmt::format("checksum {}: header {:08x}, recomputed {:08x}: {}", sum.kind, sum.claimed,
                                sum.computed, sum.agrees() ? "agrees" : "DIFFERS"));
  }
  for (const auto& record : info.records)
    line("record", fmt::format("{}, {} bytes{}{}", clip(record.type), record.length, record.oddity.empty() ? "" : ", ",
                               record.oddity));
  for (const auto& note : info.notes) line("note", clip(note));
  for (const auto& problem : inspection.problems) line("PROBLEM", problem);
  line("verdict", inspection.sound() ? "sound" : "not sound");
  return text;
}

std::string to_line(const FieldInspection& inspection) {
  return fmt::format("{}  fields  {}  {}  {}\n", clean(inspection.path), to_string(inspection.info.size),
                     summary(inspection), inspection.sound() ? "sound" : "NOT SOUND: " + inspection.problems.front());
}

nlohmann::ordered_json to_json(const FieldInspection& inspection) {
  const auto& info = inspection.info;
  nlohmann::ordered_json json{
      {"path", clean(inspection.path)}, {"format", "fields"},       {"size", info.size},
      {"bytes", info.file_bytes},       {"text", clean(info.text)}, {"fields", nlohmann::ordered_json::array()}};
  for (std::size_t n = 0; n < info.fields.size(); ++n) {
    const auto& field = info.fields[n];
    const auto& report = inspection.reports[n];
    auto sums = nlohmann::ordered_json::array();
    for (const auto& sum : report.checksums)
      sums.push_back({{"kind", sum.kind},
                      {"claimed", fmt::format("{:08x}", sum.claimed)},
                      {"recomputed", fmt::format("{:08x}", sum.computed)},
                      {"agrees", sum.agrees()}});
    json["fields"].push_back({{"type", name_of(field.type).name},
                              {"count", field.count},
                              {"precision", name_of(field.precision)},
                              {"datatype", clean(field.datatype)},
                              {"text", clean(field.text)},
                              {"largest", report.largest},
                              {"zero_sites", report.zero},
                              {"non_finite_sites", report.non_finite},
                              {"checksums", sums}});
    if (const auto& norm = report.square_norm)
      json["fields"].back()["square_norm"] = {
          {"claimed", norm->claimed}, {"recomputed", norm->computed}, {"agrees", norm->agrees()}};
  }
  auto problems = nlohmann::ordered_json::array(), notes = nlohmann::ordered_json::array();
  for (const auto& problem : inspection.problems) problems.push_back(clean(problem));
  for (const auto& note : info.notes) notes.push_back(clean(note));
  json["notes"] = notes;
  json["problems"] = problems;
  json["sound"] = inspection.sound();
  return json;
}

}  // namespace trellis::io

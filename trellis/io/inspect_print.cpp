// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "trellis/core/base/plural.hpp"
#include "trellis/io/inspect.hpp"
#include "trellis/io/tables/clean_text.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

using Json = nlohmann::ordered_json;

Json strings(const std::vector<std::string>& lines) {
  Json all = Json::array();
  for (const auto& line : lines) all.push_back(clean(line));
  return all;
}

}  // namespace

std::string to_text(const Inspection& inspection) {
  const auto& info = inspection.info;
  std::string text;
  const auto line = [&](std::string_view key, std::string_view value) {
    text += fmt::format("  {:<12} {}\n", key, value);
  };
  text += clean(inspection.path) + "\n";
  line("format", fmt::format("{}, {} bytes", info.variant, info.file_bytes));
  line("lattice", to_string(info.size) + " (x y z t)");
  line("numbers", info.decimal_text ? "decimal text"
                                    : fmt::format("{} precision, {}-endian, {} rows of each matrix",
                                                  name_of(info.precision), name_of(info.byte_order), info.rows));
  line("plaquette", fmt::format("{:.12f} (spatial {:.10f}, temporal {:.10f})", inspection.loops.plaquette,
                                inspection.loops.plaquette_spatial, inspection.loops.plaquette_temporal));
  line("rectangle", fmt::format("{:.12f}", inspection.large_loops.rectangle));
  line("Polyakov", fmt::format("{:.10f} {:+.10f} i", inspection.large_loops.polyakov.real(),
                               inspection.large_loops.polyakov.imag()));
  line("link trace", fmt::format("{:.12f}", inspection.loops.link_trace));
  line("SU(3)", fmt::format("|U U^+ - 1| <= {:.2e}, |det U - 1| <= {:.2e}, {} not finite, {} zero",
                            inspection.report.max_unitarity_violation, inspection.report.max_det_violation,
                            plural(inspection.report.non_finite, "link"), inspection.report.zero));
  constexpr std::array<const char*, 4> axis{"x", "y", "z", "t"};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto claimed = info.boundary[mu].empty() ? "" : fmt::format("; the header says {}", clip(info.boundary[mu]));
    line(fmt::format("boundary {}", axis[mu]), inspection.boundary[mu] + claimed);
  }
  for (const auto& c : inspection.comparisons) {
    line("claim", fmt::format("{}: {} {}, recomputed {}: {}", c.what, c.source, clip(c.claimed), c.recomputed,
                              c.agrees ? "agrees" : "DIFFERS"));
  }
  for (const auto& [key, value] : inspection.origin) line("made by", fmt::format("{} = {}", clip(key), clip(value)));
  for (const auto& what : info.accepted) line("accepted", "damage, when it was converted: " + clean(what));
  for (const auto& [key, value] : info.header) line("header", fmt::format("{} = {}", clip(key), clip(value)));
  for (const auto& record : info.records) {
    line("record",
         fmt::format("{}, {} bytes{}{}{}{}", clip(record.type), record.length,
                     record.message_begin ? ", begins a message" : "", record.message_end ? ", ends a message" : "",
                     record.oddity.empty() ? "" : ", ", record.oddity));
  }
  for (const auto& note : info.conventions) line("convention", note);
  for (const auto& note : info.notes) line("note", clip(note));
  for (const auto& problem : inspection.problems) line("PROBLEM", problem);
  line("verdict", inspection.sound() ? "sound" : "not sound");
  return text;
}

std::string to_line(const Inspection& inspection) {
  const auto& info = inspection.info;
  const auto* trajectory = find_key(inspection.origin, "trajectory");
  std::string remarks;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (inspection.boundary[mu] != "periodic")
      remarks += fmt::format("  boundary {}: {}", "xyzt"[mu], inspection.boundary[mu]);
  if (!info.accepted.empty()) remarks += "  damage was accepted when it was converted";
  return fmt::format(
      "{}  {}  {}  {}  plaquette {:.12f}  rectangle {:.12f}  Polyakov {:.8f} {:+.8f} i{}{}  {}\n",
      clean(inspection.path), info.format, to_string(info.size), info.decimal_text ? "text" : name_of(info.precision),
      inspection.loops.plaquette, inspection.large_loops.rectangle, inspection.large_loops.polyakov.real(),
      inspection.large_loops.polyakov.imag(), trajectory != nullptr ? "  trajectory " + clip(*trajectory) : "", remarks,
      inspection.sound() ? "sound" : "NOT SOUND: " + inspection.problems.front());
}

nlohmann::ordered_json to_json(const Inspection& inspection) {
  const auto& info = inspection.info;
  Json j;
  j["path"] = clean(inspection.path);
  j["format"] = info.format;
  j["variant"] = info.variant;
  j["bytes"] = info.file_bytes;
  j["size"] = info.size;
  j["precision"] = name_of(info.precision);
  j["byte_order"] = name_of(info.byte_order);
  j["rows"] = info.rows;
  j["plaquette"] = inspection.loops.plaquette;
  j["plaquette_spatial"] = inspection.loops.plaquette_spatial;
  j["plaquette_temporal"] = inspection.loops.plaquette_temporal;
  j["rectangle"] = inspection.large_loops.rectangle;
  j["polyakov"] = {inspection.large_loops.polyakov.real(), inspection.large_loops.polyakov.imag()};
  j["link_trace"] = inspection.loops.link_trace;
  j["unitarity_violation"] = inspection.report.max_unitarity_violation;
  j["determinant_violation"] = inspection.report.max_det_violation;
  j["links_not_finite"] = inspection.report.non_finite;
  j["links_zero"] = inspection.report.zero;
  j["boundary"] = inspection.boundary;
  j["claims"] = Json::array();
  for (const auto& c : inspection.comparisons) {
    j["claims"].push_back(
        {{"what", c.what}, {"header", clean(c.claimed)}, {"recomputed", c.recomputed}, {"agrees", c.agrees}});
  }
  j["origin"] = Json::object();
  for (const auto& [key, value] : inspection.origin) j["origin"][clean(key)] = clean(value);
  j["accepted_damage"] = strings(info.accepted);
  j["header"] = Json::array();
  for (const auto& [key, value] : info.header) j["header"].push_back({{"key", clean(key)}, {"value", clean(value)}});
  j["records"] = Json::array();
  for (const auto& record : info.records) {
    j["records"].push_back({{"type", clean(record.type)},
                            {"bytes", record.length},
                            {"message_begin", record.message_begin},
                            {"message_end", record.message_end},
                            {"oddity", record.oddity}});
  }
  j["conventions"] = strings(info.conventions);
  j["notes"] = strings(info.notes);
  j["problems"] = strings(inspection.problems);
  j["sound"] = inspection.sound();
  return j;
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "trellis/io/inspect.hpp"

namespace trellis::io {
namespace {

// Text of a file on its way to a terminal or to JSON, which must be UTF-8: other bytes than printable ASCII become '?'.
std::string clean(std::string_view text) {
  std::string s(text);
  for (char& c : s) {
    if (c == '\n' || c == '\t') c = ' ';
    if (c < ' ' || c > '~') c = '?';
  }
  return s;
}

std::string clip(std::string_view text) {
  auto s = clean(text);
  if (s.size() > 90) s = s.substr(0, 87) + "...";
  return s;
}

using Json = nlohmann::ordered_json;

Json strings(const std::vector<std::string>& lines) {
  Json all = Json::array();
  for (const auto& line : lines) all.push_back(clean(line));
  return all;
}

}  // namespace

std::string to_text(const Inspection& r) {
  const auto& info = r.info;
  std::string text;
  const auto line = [&](std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(text), "  {:<12} {}\n", key, value);
  };
  text += clean(r.path) + "\n";
  line("format", fmt::format("{}, {} bytes", info.variant, info.file_bytes));
  line("lattice", to_string(info.size) + " (x y z t)");
  const bool is_text = info.format == Format::bridge_text;
  line("numbers", is_text ? "decimal text"
                          : fmt::format("{} precision, {}-endian, {} rows of each matrix", name(info.precision),
                                        name(info.byte_order), info.rows));
  line("plaquette", fmt::format("{:.12f} (spatial {:.10f}, temporal {:.10f})", r.loops.plaquette,
                                r.loops.plaquette_spatial, r.loops.plaquette_temporal));
  line("link trace", fmt::format("{:.12f}", r.loops.link_trace));
  line("SU(3)",
       fmt::format("|U U^+ - 1| <= {:.2e}, |det U - 1| <= {:.2e}, {} links not finite, {} zero",
                   r.report.max_unitarity_violation, r.report.max_det_violation, r.report.non_finite, r.report.zero));
  constexpr std::array<const char*, 4> axis{"x", "y", "z", "t"};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto claimed = info.boundary[mu].empty() ? "" : fmt::format("; the header says {}", clip(info.boundary[mu]));
    line(fmt::format("boundary {}", axis[mu]), r.boundary[mu] + claimed);
  }
  for (const auto& c : r.comparisons) {
    line("claim", fmt::format("{}: header {}, recomputed {}: {}", c.what, clip(c.claimed), c.recomputed,
                              c.agrees ? "agrees" : "DIFFERS"));
  }
  for (const auto& [key, value] : info.header) line("header", fmt::format("{} = {}", clip(key), clip(value)));
  for (const auto& record : info.records) {
    line("record",
         fmt::format("{}, {} bytes{}{}{}{}", clip(record.type), record.length,
                     record.message_begin ? ", begins a message" : "", record.message_end ? ", ends a message" : "",
                     record.oddity.empty() ? "" : ", ", record.oddity));
  }
  for (const auto& note : info.conventions) line("convention", note);
  for (const auto& note : info.notes) line("note", clip(note));
  for (const auto& problem : r.problems) line("PROBLEM", problem);
  line("verdict", r.sound() ? "sound" : "not sound");
  return text;
}

nlohmann::ordered_json to_json(const Inspection& r) {
  const auto& info = r.info;
  Json j;
  j["path"] = clean(r.path);
  j["format"] = name(info.format);
  j["variant"] = info.variant;
  j["bytes"] = info.file_bytes;
  j["size"] = info.size;
  j["precision"] = name(info.precision);
  j["byte_order"] = name(info.byte_order);
  j["rows"] = info.rows;
  j["plaquette"] = r.loops.plaquette;
  j["plaquette_spatial"] = r.loops.plaquette_spatial;
  j["plaquette_temporal"] = r.loops.plaquette_temporal;
  j["link_trace"] = r.loops.link_trace;
  j["unitarity_violation"] = r.report.max_unitarity_violation;
  j["determinant_violation"] = r.report.max_det_violation;
  j["links_not_finite"] = r.report.non_finite;
  j["links_zero"] = r.report.zero;
  j["boundary"] = r.boundary;
  j["claims"] = Json::array();
  for (const auto& c : r.comparisons) {
    j["claims"].push_back(
        {{"what", c.what}, {"header", clean(c.claimed)}, {"recomputed", c.recomputed}, {"agrees", c.agrees}});
  }
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
  j["problems"] = strings(r.problems);
  j["sound"] = r.sound();
  return j;
}

}  // namespace trellis::io

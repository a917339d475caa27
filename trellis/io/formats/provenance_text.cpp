// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/provenance_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "trellis/io/tables/clean_text.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view accepted_mark = "accepted: ";

template <class F>
void for_each_line(std::string_view text, const F& f) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> own_lines(std::string_view provenance) {
  std::vector<std::pair<std::string, std::string>> lines;
  bool of_other_file = false;
  for_each_line(provenance, [&](std::string_view line) {
    if (line.starts_with(accepted_mark)) return;
    for (const auto& [mark, key] :
         {std::pair{"converted from ", "converted_from"}, {"transformed from ", "transformed_from"}})
      if (line.starts_with(mark)) {
        of_other_file = false;
        lines.emplace_back(key, trim(line.substr(std::string_view(mark).size())));
        return;
      }
    of_other_file = of_other_file || line.starts_with("format = ");
    if (!of_other_file) parse_key_values(line, lines);
  });
  return lines;
}

std::string run_text(const Lines& milc_header) {
  constexpr std::string_view of_run = ".info/trellis.";
  // functional_lines() and GaugeFileInfo::accepted have the others.
  const auto is_elsewhere = [](std::string_view name) {
    return name == "accepted" || std::ranges::count(functional_key_names, name) > 0;
  };
  std::string text;
  for (const auto& [key, value] : milc_header)
    if (const auto name = key.substr(std::min(of_run.size(), key.size()));
        key.starts_with(of_run) && !is_elsewhere(name))
      text += fmt::format("{} = {}\n", name, value);
  const auto* const gauge = find_key(milc_header, std::string(".info/") + milc_gauge_key);
  if (gauge != nullptr && find_key(milc_header, std::string(of_run) + "gauge") == nullptr)
    text += fmt::format("gauge = {}\n", lower_case(clean_ascii(*gauge)));
  if (const auto* stamp = find_key(milc_header, time_stamp_key); stamp != nullptr && *stamp != no_time_stamp)
    text += fmt::format("{} = {}\n", time_stamp_key, clean_ascii(*stamp));
  return text;
}

std::vector<std::string> accepted_lines(std::string_view provenance) {
  std::vector<std::string> accepted;
  for_each_line(provenance, [&](std::string_view line) {
    if (line.starts_with(accepted_mark)) accepted.emplace_back(trim(line.substr(accepted_mark.size())));
  });
  return accepted;
}

std::string accepted_text(const std::vector<std::string>& accepted) {
  std::string text;
  for (const auto& what : accepted) text += fmt::format("{}{}\n", accepted_mark, what);
  return text;
}

std::string functional_text(int extent, const std::optional<std::array<double, 3>>& phi,
                            const std::optional<std::array<double, 3>>& phi_prime) {
  auto text = fmt::format("boundary = \"schroedinger_functional\"\ntime_extent = {}\n", extent);
  for (const auto& [key, angles] : {std::pair{"phi", &phi}, {"phi_prime", &phi_prime}})
    if (*angles) text += fmt::format("{} = [{}, {}]\n", key, (**angles)[0], (**angles)[1]);
  return text;
}

Lines functional_keys(std::string_view functional) {
  Lines lines;
  parse_key_values(functional, lines);
  for (auto& line : lines) std::erase(line.second, '"');
  return lines;
}

Lines functional_lines(const Lines& header) {
  Lines lines;
  for (const auto& [key, value] : header) {
    std::string_view name = key;
    // What MILC's .info file says of a run has the keys of its input.
    for (const std::string_view prefix : {"TRELLIS_", ".info/trellis.", "lattice."})
      if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    if (name.size() == key.size()) continue;
    const auto lower = lower_case(std::string(name));
    for (const std::string known : functional_key_names)
      if (lower == lower_case(known))
        lines.emplace_back(known, known.starts_with("boundary") ? fmt::format("\"{}\"", value) : value);
  }
  return find_key(lines, "boundary") != nullptr ? lines : Lines();
}

}  // namespace trellis::io

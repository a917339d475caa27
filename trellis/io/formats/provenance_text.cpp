// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/provenance_text.hpp"

#include <fmt/format.h>

#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

constexpr std::string_view accepted_mark = "accepted: ";

template <class F>
void for_each_line(std::string_view text, const F& f) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
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

}  // namespace trellis::io

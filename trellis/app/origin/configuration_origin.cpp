// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/configuration_origin.hpp"

#include <algorithm>
#include <array>

#include "trellis/app/input/toml_value.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"

namespace trellis::app {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

// The text's other sections say how the chain was run, not what it samples.
void add_physics(const std::string& input, Lines& lines) {
  constexpr std::array sections{"action.", "flavours[", "smearing.", "boundary.", "background.", "start."};
  for (auto& line : flatten(parse_toml(input, "trellis-input")))
    if (std::ranges::any_of(sections, [&](const char* section) { return line.first.starts_with(section); }))
      lines.push_back(std::move(line));
}

}  // namespace

Lines configuration_origin(const std::filesystem::path& file) {
  Lines lines;
  try {
    lines = io::read_provenance_lines(file);
    if (lines.empty()) lines.emplace_back("trajectory", io::read_checkpoint_text(file).value("completed"));
    add_physics(io::read_input_text(file), lines);
  } catch (const Error&) {  // no such record
    return {};
  }
  return lines;
}

}  // namespace trellis::app

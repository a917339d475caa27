// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/configuration_origin.hpp"

#include <algorithm>
#include <array>

#include "trellis/app/input/toml_value.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::app {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

// The text's other sections say how the chain was run, not what it samples.
void add_physics(const std::string& input, Lines& lines) {
  constexpr std::array sections{
      "action.",    "flavours[", "smearing.",        "boundary.",           "background.", "topological_potential.",
      "tempering.", "start.",    "lattice.boundary", "lattice.time_extent", "lattice.phi"};
  for (auto& line : flatten(parse_toml(input, "trellis-input")))
    if (std::ranges::any_of(sections, [&](const char* section) { return line.first.starts_with(section); }))
      lines.push_back(std::move(line));
}

}  // namespace

Lines configuration_origin(const std::filesystem::path& file) {
  Lines lines;
  try {
    const auto records = io::read_run_records(file);
    lines = io::own_lines(records.provenance);
    if (lines.empty()) lines.emplace_back("trajectory", io::read_checkpoint_text(file).value("completed"));
    if (!records.input.empty()) add_physics(records.input, lines);
  } catch (const Error&) {  // no such record, or a damaged one
    return {};
  }
  return lines;
}

bool was_in_single_precision(const std::filesystem::path& file) {
  // Each conversion to another precision says which.
  return io::GaugeReader(file).info().precision == Precision::double_ &&
         io::find_key(io::read_provenance_lines(file), "precision") != nullptr;
}

}  // namespace trellis::app

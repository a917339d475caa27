// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/file_origin.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/app/input/read_options.hpp"
#include "trellis/app/version.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::app {
namespace {

std::vector<std::string> flavour_texts(const QuarkInput& quarks) {
  std::vector<std::string> texts;
  for (const auto& flavour : quarks.flavours)
    texts.push_back(
        fmt::format("{}: mass {}, {}{}{}{}{}", flavour.name, flavour.mass, plural(flavour.tastes, "taste"),
                    flavour.charge != 0 ? fmt::format(", charge {} e/3", flavour.charge) : "",
                    flavour.imaginary_mu != 0 ? fmt::format(", mu_I {} pi T", flavour.imaginary_mu) : "",
                    flavour.space_angles_over_pi != std::array<double, 3>{}
                        ? fmt::format(", angles {} pi in space", joined(flavour.space_angles_over_pi, ", "))
                        : "",
                    flavour.naik_epsilon != 0 ? fmt::format(", Naik epsilon {}", flavour.naik_epsilon) : ""));
  return texts;
}

auto find_in(TomlEntries& entries, const std::string& key) {
  return std::find_if(entries.begin(), entries.end(), [&](const TomlEntry& entry) { return entry.key == key; });
}

}  // namespace

void set_key(TomlEntries& document, const std::string& table, const std::string& key,
             const std::optional<TomlValue>& value) {
  auto section = find_in(document, table);
  if (section == document.end()) {
    if (!value) return;
    document.push_back({table, {TomlEntries{}, {}}, {}});
    section = std::prev(document.end());
  }
  auto& entries = std::get<TomlEntries>(section->value.content);
  const auto found = find_in(entries, key);
  if (!value) {
    if (found != entries.end()) entries.erase(found);
  } else if (found != entries.end()) {
    found->value = *value;
  } else {
    entries.push_back({key, *value, {}});
  }
}

TomlEntries input_of_results(const TomlEntries& resolved) {
  auto kept = resolved;
  std::erase_if(kept, [](const TomlEntry& entry) { return entry.key == "machine" || entry.key == "output"; });
  for (const auto* key : {"trajectories", "checkpoint_every", "save_every", "save_precision", "time_budget_minutes",
                          "stop_file", "stop_when"})
    set_key(kept, "chain", key, std::nullopt);
  return kept;
}

void end_chain_at(TomlEntries& resolved, std::int64_t last) {
  set_key(resolved, "chain", "trajectories", TomlValue{last, {}});
  const auto chain = find_in(resolved, "chain");
  auto& entries = std::get<TomlEntries>(chain->value.content);
  const auto thermalisation = find_in(entries, "thermalisation");
  if (thermalisation == entries.end()) return;
  if (auto* number = std::get_if<std::int64_t>(&thermalisation->value.content)) *number = std::min(*number, last);
}

FileOrigin origin_of(const RunInput& input) {
  return {.command = "trellis run",
          .table = input.output.name + ".csv",
          .size = input.size,
          .seed = input.chain.seed,
          .flavours = flavour_texts(input.quarks),
          .input = input_of_results(input.resolved)};
}

FileOrigin origin_of(const MeasureInput& input, const std::optional<Coordinate>& size) {
  return {.command = "trellis measure",
          .table = input.output.name + ".csv",
          .size = size,
          .seed = std::nullopt,
          .flavours = flavour_texts(input.quarks),
          .input = input_of_results(input.resolved)};
}

std::optional<Coordinate> common_size(const MeasureInput& input) try {
  std::optional<Coordinate> size;
  for (const auto& file : expand_files(input.files)) {
    const auto found = io::GaugeReader(file, read_options(input)).info().size;
    if (size && *size != found) return std::nullopt;
    size = found;
  }
  return size;
} catch (const InputError&) {
  return std::nullopt;
}

void describe_file(io::Hdf5File& file, const FileOrigin& origin, std::int64_t last) {
  file.set_attribute("/", "program", version_text());
  file.set_attribute("/", "commit", std::string(commit()));
  file.set_attribute("/", "command", origin.command);
  file.set_attribute("/", "table", origin.table);
  if (origin.size)
    file.set_attribute("/", "lattice", std::vector<std::int64_t>(origin.size->begin(), origin.size->end()));
  if (!origin.flavours.empty()) file.set_attribute("/", "flavours", origin.flavours);
  auto input = origin.input;
  if (origin.seed) {
    file.set_attribute("/", "seed", *origin.seed);
    end_chain_at(input, last);
  }
  file.set_attribute("/", "input", write_toml(input));
}

void describe_array(io::Hdf5File& file, const std::string& array, const std::string& long_name,
                    const std::string& units, const std::vector<std::string>& dimensions) {
  file.set_attribute(array, "long_name", long_name);
  file.set_attribute(array, "units", units);
  file.set_attribute(array, "DIMENSION_LABELS", dimensions);
}

}  // namespace trellis::app

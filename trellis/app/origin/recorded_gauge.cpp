// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/recorded_gauge.hpp"

#include <algorithm>
#include <cctype>

#include "trellis/core/error.hpp"
#include "trellis/gauge/fixing/gauge_fixing.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::app {

std::optional<std::string> recorded_gauge(const std::filesystem::path& file) try {
  const auto lines = io::read_provenance_lines(file);
  const io::GaugeReader reader(file);
  const auto& header = reader.info().header;
  for (const auto* found : {io::find_key(lines, "gauge"), io::find_key(header, ".info/trellis.gauge"),
                            io::find_key(header, ".info/gauge.fix.description")}) {
    if (found == nullptr) continue;
    auto name = *found;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::ranges::find(gauge::gauges, name, &NamedValue<gauge::Gauge>::name) != gauge::gauges.end()) return name;
  }
  return std::nullopt;
} catch (const Error&) {  // what is wrong with the file is said where it is read
  return std::nullopt;
}

}  // namespace trellis::app

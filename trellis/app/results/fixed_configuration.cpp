// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/fixed_configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "trellis/app/command.hpp"
#include "trellis/app/origin/recorded_boundary.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/io/formats/file_content.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {

namespace fs = std::filesystem;

gauge::GaugeFixingParameters fixing_parameters(const GaugeFixingInput& input) {
  return {.gauge = named("gauge", gauge::gauges, input.gauge).value,
          .residual = input.residual,
          .overrelaxation = input.overrelaxation,
          .max_iterations = static_cast<int>(input.max_iterations)};
}

std::vector<std::string> fixing_columns() { return {"gauge_functional", "gauge_residual", "gauge_iterations"}; }

std::vector<io::CsvCell> fixing_cells(const std::optional<gauge::GaugeFixingReport>& report) {
  if (!report) return {{}, {}, {}};
  return {report->reached.functional, report->reached.residual, std::int64_t{report->iterations}};
}

fs::path fixed_file(const RunFolder& folder, const GaugeFixingInput& input, const fs::path& source) {
  // lat.100 keeps its number, lat.100.ildg does not keep the name of a format.
  auto extension = source.extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  const bool of_format = std::ranges::any_of(
      io::file_formats(), [&](const auto& format) { return std::ranges::count(format.extensions, extension) > 0; });
  const auto name = (of_format ? source.stem() : source.filename()).string();
  return folder.directory / fmt::format("{}-{}-{}.ildg", folder.name, input.gauge, name);
}

void require_different_files(const RunFolder& folder, const GaugeFixingInput& input,
                             const std::vector<fs::path>& sources) {
  std::map<fs::path, fs::path> taken;
  for (const auto& source : sources) {
    const auto file = fixed_file(folder, input, source);
    if (const auto [place, is_new] = taken.emplace(file, source); !is_new)
      fail_input("gauge_fixing.save: {} and {} would both be saved as {}", place->second.string(), source.string(),
                 file.string());
  }
  for (const auto& source : sources) {
    std::error_code code;
    for (const auto& [file, from] : taken)
      if (fs::equivalent(file, source, code))
        fail_input("gauge_fixing.save: {} would replace {}, which is to be measured; choose another output.name",
                   from.string(), source.string());
  }
}

template <int W>
void write_fixed_configuration(const fs::path& file, const GaugeFixingInput& input,
                               const gauge::GaugeFixingReport& report, const fs::path& source,
                               const io::GaugeFileInfo& info, const gauge::Boundary& boundary,
                               const GaugeField<double, W>& u) {
  io::IldgParameters p;
  p.size = u.lattice().size();
  p.plaquette = gauge::plaquette(u).average;
  p.link_trace = gauge::link_trace(u);
  p.lfn = fmt::format("lfn://trellis/{}", file.stem().string());
  p.provenance = fmt::format(
      "program = {} measure\ngauge = {}\ngauge_functional = {}\ngauge_residual = {}\ngauge_iterations = {}\n"
      "overrelaxation = {}\ntransformed from {}\ncontent = {}\n{}{}format = {}\n",
      version_text(), input.gauge, report.reached.functional, report.reached.residual, report.iterations,
      input.overrelaxation, source.filename().string(), io::content_of(source), functional_text(boundary),
      io::accepted_text(info.accepted), info.variant);
  for (const auto& [key, value] : info.header) p.provenance += fmt::format("{} = {}\n", key, value);
  io::write_ildg(file, p, io::link_source(u));
}

#define TRELLIS_INSTANTIATE(W)                                                                    \
  template void write_fixed_configuration<W>(                                                     \
      const fs::path&, const GaugeFixingInput&, const gauge::GaugeFixingReport&, const fs::path&, \
      const io::GaugeFileInfo&, const gauge::Boundary&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app

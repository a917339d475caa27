// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/gauge/loop_tables.hpp"

namespace trellis::app {

measure::WilsonLoopSelection wilson_loop_selection(const WilsonLoopInput& input) {
  return {.directions = input.directions,
          .distance = static_cast<int>(input.distance),
          .time = static_cast<int>(input.time),
          .ape_alpha = input.ape_alpha,
          .levels = {input.ape_levels.begin(), input.ape_levels.end()},
          .hyp_alpha = input.time_links == "hyp" ? input.hyp_alpha : std::vector<double>{},
          .boundary_distance = static_cast<int>(input.boundary_distance)};
}

measure::GlueballSelection glueball_selection(const GlueballInput& input) {
  return {.ape_alpha = input.ape_alpha, .levels = {input.ape_levels.begin(), input.ape_levels.end()}};
}

std::vector<std::string> wilson_loop_columns(const std::string& number) {
  return {number, "direction", "distance", "loop_time", "level", "other_level", "wilson_loop"};
}

std::vector<std::string> glueball_columns(const std::string& number) {
  return {number, "level", "time_slice", "scalar", "tensor_1", "tensor_2", "pseudoscalar_glueball"};
}

std::vector<std::vector<io::CsvCell>> wilson_loop_rows(std::int64_t number,
                                                       const std::vector<measure::WilsonLoop>& loops) {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& loop : loops)
    rows.push_back({number, loop.direction, std::int64_t{loop.distance}, std::int64_t{loop.time},
                    std::int64_t{loop.level}, std::int64_t{loop.other_level}, loop.value});
  return rows;
}

std::vector<std::vector<io::CsvCell>> glueball_rows(std::int64_t number,
                                                    const std::vector<measure::GlueballOperators>& operators) {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& o : operators)
    rows.push_back(
        {number, std::int64_t{o.level}, std::int64_t{o.time}, o.scalar, o.tensor_1, o.tensor_2, o.pseudoscalar});
  return rows;
}

std::size_t wilson_loop_row_count(const measure::WilsonLoopSelection& s) {
  const auto levels = s.levels.size();
  return s.directions.size() * static_cast<std::size_t>(s.distance * s.time) * levels * (levels + 1) / 2;
}

std::size_t glueball_row_count(const measure::GlueballSelection& s, int times) {
  return s.levels.size() * static_cast<std::size_t>(times);
}

}  // namespace trellis::app

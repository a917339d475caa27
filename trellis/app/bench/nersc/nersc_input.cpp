// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/nersc/nersc_input.hpp"

#include <algorithm>
#include <sstream>

#include "trellis/app/input/nearest.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/origin/file_origin.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

constexpr const char* example_name = "examples/nersc_medium.toml";

TomlValue numbers(const Coordinate& size) {
  TomlArray array;
  for (const int extent : size) array.push_back({std::int64_t{extent}, {}});
  return {array, {}};
}

}  // namespace

const std::vector<NerscCase>& nersc_cases() {
  static const std::vector<NerscCase> cases{
      {"small", {18, 18, 18, 36}},
      {"medium", {36, 36, 36, 72}, {{1, 2260}, {2, 1319}, {4, 700}, {8, 394}}},
      {"large", {72, 72, 72, 144}, {{32, 1913}}},
  };
  return cases;
}

NerscCase nersc_case(const std::string& size) {
  std::vector<std::string> names;
  for (const auto& one : nersc_cases()) {
    if (one.name == size) return one;
    names.push_back(one.name);
  }
  if (size.find_first_of("0123456789") == std::string::npos)
    fail_input("bench nersc: --size: found '{}'{}; a lattice is written as 8,8,8,16", size, suggestion(size, names));
  const Coordinate lattice = parse_four(size, "bench nersc: --size", "8,8,8,16");
  for (const auto& one : nersc_cases())
    if (one.size == lattice) return one;
  for (const int extent : lattice)
    if (extent < 4 || extent % 2 != 0)
      fail_input("bench nersc: --size: found the extent {}, expected even ones from 4", extent);
  return {"", lattice, {}};
}

Coordinate nersc_first_lattice(const Coordinate& size, const std::string& option) {
  const auto divides = [&](const Coordinate& first) {
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (size[mu] % first[mu] != 0) return false;
    return true;
  };
  if (option.empty()) return divides(nersc_cases().front().size) ? nersc_cases().front().size : size;
  const Coordinate first = parse_four(option, "bench nersc: --first", "X,Y,Z,T");
  if (!divides(first))
    fail_input("bench nersc: --first: found {}; its extents must divide those of {}", to_string(first),
               to_string(size));
  return first;
}

RunInput nersc_input(const Coordinate& size, const std::optional<std::filesystem::path>& start, int warm_up) {
  auto input = parse_toml(nersc_example, example_name);
  set_key(input, "lattice", "size", numbers(size));
  set_key(input, "start", "kind", TomlValue{std::string(start ? "file" : "cold"), {}});
  set_key(input, "start", "file", start ? std::optional(TomlValue{start->string(), {}}) : std::nullopt);
  set_key(input, "chain", "thermalisation", TomlValue{std::int64_t{warm_up}, {}});
  const auto whole = parse_run_input(std::string(nersc_example), example_name);
  set_key(input, "chain", "trajectories", TomlValue{whole.chain.trajectories + warm_up, {}});
  return parse_run_input(write_toml(input), example_name);
}

std::vector<std::string> nersc_differences() {
  std::vector<std::string> items;
  std::istringstream lines{std::string(nersc_example)};
  bool in_list = false;
  for (std::string line; std::getline(lines, line) && line.starts_with('#');) {
    if (line.starts_with("# - ")) {
      in_list = true;
      items.push_back(line.substr(4));
    } else if (in_list && line.starts_with("#   ") && !line.starts_with("#   trellis")) {
      items.back() += line.substr(3);
    } else {
      in_list = false;
    }
  }
  return items;
}

}  // namespace trellis::app

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The output of a program in this folder: rows that compare Trellis with the hand-written version, printed as a table
// and saved as JSON for examples/figures.py (which describes the format).
//   Result result{.program = "stream", .setup = "2^25 doubles"};
//   result.rows.push_back(rate_row("triad", "GB/s", 1e-9 * bytes, compare(...)));
//   print(result);
//   if (!json_file.empty()) write_json(result, json_file);
// require_writable(json_file), called first, throws InputError before the work instead of after it.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "examples/comparison.hpp"
#include "trellis/core/error.hpp"

namespace examples {

// "1 thread", "2 threads"
inline std::string counted(long count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

struct Row {
  std::string name;
  std::string unit;
  double trellis = 0;  // in `unit`
  std::optional<double> by_hand{};
  std::optional<double> fraction{};      // time by hand / time of Trellis: 1 is equally fast
  std::optional<double> seconds{};       // per call of Trellis' version, median
  std::optional<double> hand_seconds{};  // of the hand-written version
  std::optional<int> ranks{};            // where rows are the same work on more and more ranks
};

struct Result {
  std::string program;
  std::string setup{};    // sizes and threads, in words
  std::string machine{};  // free text for the figure's title
  std::vector<Row> rows{};
};

// `work` units of work per call (1e-9 * bytes for "GB/s", 1e-9 * flops for "GFLOP/s").
inline Row rate_row(std::string name, std::string unit, double work, const Comparison& c) {
  return {std::move(name), std::move(unit), work / c.trellis, work / c.by_hand, c.fraction(), c.trellis, c.by_hand};
}

inline void print(const Result& result) {
  fmt::print("{}\n{:<24} {:>12} {:>12} {:>10} {:>10} {:>8} {:>20}\n", result.setup, "", "Trellis, s", "by hand, s",
             "Trellis", "by hand", "", "Trellis is, of by hand");
  const auto number = [](const std::optional<double>& x, const char* format) {
    return x ? fmt::format(fmt::runtime(format), *x) : std::string("-");
  };
  for (const Row& row : result.rows) {
    fmt::print("{:<24} {:>12} {:>12} {:>10} {:>10} {:<8} {:>20}\n", row.name, number(row.seconds, "{:.6f}"),
               number(row.hand_seconds, "{:.6f}"), number(row.trellis, "{:.2f}"), number(row.by_hand, "{:.2f}"),
               row.unit, row.fraction ? fmt::format("{:.1f} %", 100 * *row.fraction) : "-");
  }
}

// `path` may be empty: then nothing will be written.
inline void require_writable(const std::string& path) {
  if (path.empty()) return;
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (std::filesystem::is_directory(path) || access(folder.c_str(), W_OK) != 0) {
    trellis::fail_input("--json {}: cannot be written", path);
  }
}

inline void write_json(const Result& result, const std::string& path) {
  using Json = nlohmann::ordered_json;
  const auto number = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  Json json{{"program", result.program}, {"machine", result.machine}, {"setup", result.setup}};
  json["rows"] = Json::array();
  for (const Row& row : result.rows) {
    json["rows"].push_back({{"name", row.name},
                            {"trellis", row.trellis},
                            {"by_hand", number(row.by_hand)},
                            {"unit", row.unit},
                            {"fraction", number(row.fraction)},
                            {"seconds", number(row.seconds)},
                            {"hand_seconds", number(row.hand_seconds)}});
    if (row.ranks) json["rows"].back()["ranks"] = *row.ranks;
  }
  std::ofstream file(path);
  file << json.dump(2) << '\n';
  if (!file.flush()) trellis::fail_input("--json {}: cannot be written", path);
}

}  // namespace examples

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/dslash_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "trellis/core/base/joined.hpp"

namespace trellis::app {
namespace {

constexpr double good_reuse = 7;  // each neighbour is read from memory only the first time

// R, or nothing where it is meaningless: far below 0, bandwidth is not the limit.
std::optional<double> reuse_of(const DslashRow& row) {
  const double r = row.model().reuse(row.flops(), row.bandwidth);
  return r < -4 || r > 20 ? std::nullopt : std::optional(r);
}

std::string reuse_text(const DslashRow& row) {
  const auto r = reuse_of(row);
  return r ? fmt::format("{:.1f}", *r) : "-";
}

std::string variant_text(const DslashRow& row) {
  const auto& v = row.run.variant;
  if (row.run.production) return v.lanes == 1 ? "scalar" : fmt::format("{} lanes", v.lanes);
  return fmt::format("{} {}", v.lanes, name_of(v.filling));
}

// "blocked 0,2,2,0", "team 64", "flat, 4 blocks"
std::string traversal_text(const bench::study::WilsonVariant& v) {
  if (v.least_blocks > 0) return fmt::format("{}, {} blocks", name_of(v.traversal), v.least_blocks);
  if (v.traversal == bench::study::Traversal::team && v.team_size > 0)
    return fmt::format("{} {}", name_of(v.traversal), v.team_size);
  if (v.traversal != bench::study::Traversal::blocked) return name_of(v.traversal);
  return fmt::format("{} {}", name_of(v.traversal), joined(v.tile, ","));
}

}  // namespace

bench::DslashModel DslashRow::model() const {
  return bench::dslash_model(run.precision, run.variant.links, run.vectors, figure.streaming);
}

std::string dslash_heading() {
  return fmt::format("{:<12} {:<9} {:>5} {:>4} {:>5} {:>9} {:>9} {:>7} {:>7} {:>8} {:>8} {:>6} {:>8} {:>6}\n",
                     "lattice", "precision", "links", "rhs", "lanes", "ms", "GFLOP/s", "GB/s", "of MIX", "of triad",
                     "of peak", "reused", "expected", "tuned");
}

std::string dslash_line(const DslashRow& row) {
  const auto& v = row.run.variant;
  if (!row.run.why_not.empty())
    return fmt::format("{:<12} {:<9} {:>5} {:>4} {:>5}  not run: {}\n", to_string(row.run.size),
                       name_of(row.run.precision), int(v.links), row.run.vectors, v.lanes, row.run.why_not);
  std::string line = fmt::format(
      "{:<12} {:<9} {:>5} {:>4} {:>5} {:>9.3f} {:>9.1f} {:>7.1f} {:>6.0f}% {:>7.0f}% {:>7.0f}% {:>6} {:>8.1f} {:>6}",
      to_string(row.run.size), name_of(row.run.precision), int(v.links), row.run.vectors, v.lanes,
      row.figure.seconds * 1e3, row.flops() * 1e-9, row.figure.bytes / row.figure.seconds * 1e-9,
      100 * row.figure.of_mix, 100 * row.of_bandwidth(), 100 * row.flops() / row.peak, reuse_text(row),
      row.model().intensity(good_reuse) * row.bandwidth * 1e-9, row.tuned ? "yes" : "no");
  if (!row.run.production) line += "   " + bench::study::description(v);
  return line + "\n";
}

std::string comparison_heading() {
  return fmt::format("{:<16} {:>5} {:>4} {:<12} {:<7} {:<16} {:>9} {:>9} {:>7} {:>7} {:>10}\n", "filling", "lanes",
                     "rhs", "complex", "layout", "traversal", "ms", "GFLOP/s", "of MIX", "of peak", "of scalar");
}

std::string comparison_line(const DslashRow& row, double baseline) {
  const auto& v = row.run.variant;
  const std::string what = fmt::format("{:<16} {:>5} {:>4} {:<12} {:<7} {:<16}", name_of(v.filling), v.lanes,
                                       row.run.vectors, name_of(v.complex), name_of(v.layout), traversal_text(v));
  if (!row.run.why_not.empty()) return fmt::format("{} {}\n", what, row.run.why_not);
  return fmt::format("{} {:>9.3f} {:>9.1f} {:>6.0f}% {:>6.0f}% {:>10}\n", what, row.figure.seconds * 1e3,
                     row.flops() * 1e-9, 100 * row.figure.of_mix, 100 * row.flops() / row.peak,
                     baseline > 0 ? fmt::format("{:.1f}x", row.flops() / baseline) : "-");
}

nlohmann::ordered_json to_json(const DslashRow& row) {
  const auto& v = row.run.variant;
  nlohmann::ordered_json out = {{"lattice", to_string(row.run.size)},
                                {"precision", name_of(row.run.precision)},
                                {"links", int(v.links)},
                                {"rhs", row.run.vectors},
                                {"lanes", v.lanes},
                                {"filling", name_of(v.filling)},
                                {"complex", name_of(v.complex)},
                                {"layout", name_of(v.layout)},
                                {"neighbours", name_of(v.neighbours)},
                                {"traversal", name_of(v.traversal)}};
  if (v.traversal == bench::study::Traversal::blocked) out["tile"] = v.tile;
  if (v.traversal == bench::study::Traversal::team) out["team"] = v.team_size;
  if (v.least_blocks > 0) out["least_blocks"] = v.least_blocks;
  if (!row.run.why_not.empty()) {
    out["not_run"] = row.run.why_not;
    return out;
  }
  const auto model = row.model();
  out.update({{"production", row.run.production},
              {"tuned", row.tuned},
              {"seconds", row.figure.seconds},
              {"flops", row.figure.flops},
              {"bytes", row.figure.bytes},
              {"gflops", row.flops() * 1e-9},
              {"gbytes", row.figure.bytes / row.figure.seconds * 1e-9},
              {"streaming_stores", row.figure.streaming},
              {"mix_seconds", row.figure.mix_seconds},
              {"of_mix", row.figure.of_mix},
              {"bandwidth", row.bandwidth},
              {"of_bandwidth", row.of_bandwidth()},
              {"of_peak", row.flops() / row.peak},
              {"reuse", nullptr},
              {"intensity_at_7", model.intensity(good_reuse)},
              {"predicted_gflops_at_7", model.intensity(good_reuse) * row.bandwidth * 1e-9}});
  if (const auto reuse = reuse_of(row)) out["reuse"] = *reuse;
  return out;
}

plot::Roofline roofline_of(const std::vector<DslashRow>& rows, const bench::PeakFlops& peak) {
  plot::Roofline r;
  std::map<Coordinate, double> bandwidths;  // per lattice, the largest of its rows
  bool single = false, twice = false;
  for (const DslashRow& row : rows) {
    if (!row.run.why_not.empty()) continue;
    double& widest = bandwidths[row.run.size];
    widest = std::max(widest, row.bandwidth);
    const bool is_double = row.run.precision == Precision::double_;
    (is_double ? twice : single) = true;
    std::string label =
        fmt::format("{} {}, {} reals", to_string(row.run.size), name_of(row.run.precision), int(row.run.variant.links));
    if (row.run.vectors > 1) label += fmt::format(", {} rhs", row.run.vectors);
    if (!row.run.production) label += fmt::format(", {}", variant_text(row));
    label += fmt::format(": {:.1f} ({:.0f} % of MIX)", row.flops() * 1e-9, 100 * row.figure.of_mix);
    r.points.push_back({label, row.figure.flops / row.figure.bytes, row.flops(),
                        is_double                                ? 0
                        : row.run.precision == Precision::single ? 1
                                                                 : 2});
  }
  // Lattices whose bandwidths nearly coincide share a line.
  for (const auto& [size, rate] : bandwidths) {
    const auto near = std::find_if(r.bandwidths.begin(), r.bandwidths.end(),
                                   [x = rate](const plot::Roof& other) { return std::abs(other.rate / x - 1) < 0.05; });
    if (near == r.bandwidths.end())
      r.bandwidths.push_back({fmt::format("triad, arrays of {}: {:.0f} GB/s", to_string(size), rate * 1e-9), rate});
  }
  if (single)
    r.peaks.push_back({fmt::format("multiply-adds, single: {:.0f} GFLOP/s", peak.single * 1e-9), peak.single});
  if (twice)
    r.peaks.push_back({fmt::format("multiply-adds, double: {:.0f} GFLOP/s", peak.double_ * 1e-9), peak.double_});
  return r;
}

}  // namespace trellis::app

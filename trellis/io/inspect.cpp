// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/formats/link_algebra.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

// Determinants of the links of one direction, separately for those that cross the boundary and the others.
struct Determinants {
  std::int64_t crossing = 0, crossing_zero = 0, crossing_minus = 0, crossing_plus = 0;
  std::int64_t inside_minus = 0;
  double re = 0, im = 0;  // sum over crossing links

  void add(const LinkQuality& q, bool crosses) {
    const bool minus = std::hypot(q.det_re + 1, q.det_im) < 0.01;
    if (!crosses) {
      inside_minus += minus;
      return;
    }
    ++crossing;
    crossing_zero += q.zero;
    crossing_minus += minus;
    crossing_plus += std::hypot(q.det_re - 1, q.det_im) < 0.01;
    re += q.det_re;
    im += q.det_im;
  }

  std::string describe() const {
    if (crossing_zero == crossing) return "open (links are zero)";
    if (inside_minus > 0)
      return fmt::format("signs inside the lattice ({} of det -1)", plural(inside_minus + crossing_minus, "link"));
    if (crossing_plus == crossing) return "periodic";
    if (crossing_minus == crossing) return "antiperiodic (sign folded into the links)";
    const double n = static_cast<double>(crossing);
    if (std::abs(std::hypot(re, im) / n - 1) < 0.01) {
      return fmt::format("phase {:.6f} (or that plus a multiple of 2 pi / 3) folded into the links",
                         std::atan2(im, re) / 3);
    }
    return "not determined (links outside SU(3))";
  }
};

std::array<std::string, 4> find_boundary(const LoadedLinks& loaded) {
  std::array<Determinants, 4> found;
  const auto& size = loaded.info.size;
  std::size_t at = 0;
  Coordinate x{};
  for (x[3] = 0; x[3] < size[3]; ++x[3]) {
    for (x[2] = 0; x[2] < size[2]; ++x[2]) {
      for (x[1] = 0; x[1] < size[1]; ++x[1]) {
        for (x[0] = 0; x[0] < size[0]; ++x[0]) {
          for (std::size_t mu = 0; mu < 4; ++mu, at += 18) {
            Matrix u;
            std::copy_n(loaded.links.begin() + static_cast<std::ptrdiff_t>(at), 18, u.begin());
            found[mu].add(examine(u), x[mu] == size[mu] - 1);
          }
        }
      }
    }
  }
  std::array<std::string, 4> text;
  for (std::size_t mu = 0; mu < 4; ++mu) text[mu] = found[mu].describe();
  return text;
}

void compare(std::vector<Comparison>& comparisons, const char* what, const std::optional<Claim>& claim,
             double recomputed) {
  if (!claim) return;
  // Converted back to the header's convention, so that comparable numbers are printed.
  const double printed = parse_double(claim->text).value_or(0);
  const double scale = claim->value != 0 ? printed / claim->value : 1;
  const bool agrees = std::abs(claim->value - recomputed) <= claim->tolerance;
  comparisons.push_back({fmt::format("{} ({})", what, claim->key), claim->text,
                         fmt::format("{:.12g}", recomputed * scale), agrees, claim->source});
}

void find_problems(Inspection& result, double tolerance) {
  const auto& report = result.report;
  for (const auto& c : result.comparisons) {
    if (!c.agrees) {
      result.problems.push_back(disagreement(c) + c.advice);
    }
  }
  if (report.non_finite > 0)
    result.problems.push_back(fmt::format("{} not finite", plural(report.non_finite, "link", "is", "are")));
  if (report.stray_zero > 0)
    result.problems.push_back(
        fmt::format("{} zero and in no open boundary: data are lost", plural(report.stray_zero, "link", "is", "are")));
  if (report.max_unitarity_violation > tolerance) {
    result.problems.push_back(
        fmt::format("links are not unitary: |U U^+ - 1| reaches {:.3g}", report.max_unitarity_violation));
  }
  if (report.det_minus_one > 0) {
    result.problems.push_back(
        fmt::format("{} determinant -1: a sign is folded in", plural(report.det_minus_one, "link", "has", "have")));
  } else if (report.max_det_violation > tolerance) {
    result.problems.push_back(fmt::format("|det U - 1| reaches {:.3g}", report.max_det_violation));
  }
}

}  // namespace

std::vector<Comparison> compare_loops(const GaugeFileInfo& info, const Loops& loops) {
  std::vector<Comparison> comparisons;
  compare(comparisons, "plaquette", info.plaquette, loops.plaquette);
  if (!comparisons.empty()) comparisons.back().advice = info.plaquette_advice;
  compare(comparisons, "spatial plaquette", info.plaquette_spatial, loops.plaquette_spatial);
  compare(comparisons, "temporal plaquette", info.plaquette_temporal, loops.plaquette_temporal);
  compare(comparisons, "link trace", info.link_trace, loops.link_trace);
  return comparisons;
}

std::string disagreement(const Comparison& c) {
  return fmt::format("{} is {}, but the {} says {}", c.what, c.recomputed, c.source, c.claimed);
}

Inspection inspect(const std::filesystem::path& path, const ReadOptions& options) {
  auto lenient = options;
  lenient.strict = false;
  const auto loaded = load_links(path, lenient);
  Inspection result;
  result.path = path.string();
  result.info = loaded.info;
  result.report = loaded.report;
  result.loops = measure_loops(loaded.info.size, source_of(loaded.links));
  result.large_loops = measure_large_loops(loaded.info.size, loaded.links);
  result.boundary = find_boundary(loaded);
  if (loaded.functional_extent > 0)
    result.boundary[3] = fmt::format("Schroedinger functional of extent {}", loaded.functional_extent);
  for (const auto& c : result.report.checksums) {
    result.comparisons.push_back({"checksum " + c.kind, fmt::format("{:08x}", c.claimed),
                                  fmt::format("{:08x}", c.computed), c.agrees(), c.source});
  }
  for (auto& comparison : compare_loops(result.info, result.loops)) result.comparisons.push_back(std::move(comparison));
  find_problems(result, options.tolerance_of(result.info));
  return result;
}

}  // namespace trellis::io

// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/openqcd_functional.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/su3/abelian.hpp"

namespace trellis::io {
namespace {

constexpr std::array<double, 18> one{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0};

// Re tr / 3, added up over the three directions.
double traces(const ConstantLinks& links) {
  double sum = 0;
  for (const auto& u : links) sum += (u[0] + u[8] + u[16]) / 3;
  return sum;
}

// Of each point in space, the plaquettes of the periodic lattice that are not in openQCD's sum: those in space on slice
// T + 1, and those in time that leave the slices T and T + 1.
double plaquettes_beyond(const FunctionalBoundaries& b) { return 3 + traces(b.last) + traces(b.first); }

bool is_diagonal(std::span<const double> u, double tolerance) {
  for (std::size_t k = 0; k < 18; ++k)
    if (k != 0 && k != 1 && k != 8 && k != 9 && k != 16 && k != 17 && !(std::abs(u[k]) <= tolerance)) return false;
  return true;
}

}  // namespace

ConstantLinks constant_links(const std::array<double, 3>& angles, const Coordinate& size) {
  ConstantLinks links{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto u = abelian_link(angles, size[k]);
    for (std::size_t n = 0; n < 9; ++n) {
      links[k][2 * n] = u.e[n / 3][n % 3].re;
      links[k][2 * n + 1] = u.e[n / 3][n % 3].im;
    }
  }
  return links;
}

std::optional<std::array<double, 3>> angles_of(const ConstantLinks& links, const Coordinate& size) {
  std::array<double, 3> angles{};
  for (const std::size_t k : {0U, 1U}) angles[k] = size[0] * std::atan2(links[0][8 * k + 1], links[0][8 * k]);
  angles[2] = -angles[0] - angles[1];
  const auto expected = constant_links(angles, size);
  for (std::size_t k = 0; k < 3; ++k)
    if (!agree(links[k], expected[k], 1e-10)) return std::nullopt;
  return angles;
}

bool may_be_boundary(const ConstantLinks& links) {
  return std::ranges::all_of(links, [](const auto& u) { return is_diagonal(u, 0); }) &&
         !std::ranges::all_of(links, [](const auto& u) { return u == one; });
}

bool agree(std::span<const double> a, std::span<const double> b, double tolerance) {
  for (std::size_t k = 0; k < 18; ++k)
    if (!(std::abs(a[k] - b[k]) <= tolerance)) return false;
  return true;
}

double plaquette_of_all_slices(const FunctionalBoundaries& b, double plaquette) {
  return (6.0 * b.extent * plaquette + plaquettes_beyond(b)) / (6.0 * (b.extent + 2));
}

double plaquette_in_file(const FunctionalBoundaries& b, double plaquette) {
  return (6.0 * (b.extent + 2) * plaquette - plaquettes_beyond(b)) / (6.0 * b.extent);
}

void complete_slices(const FunctionalBoundaries& boundaries, const Coordinate& size, const GaugeReader::Sink& sink) {
  const std::int64_t slice = std::int64_t{size[0]} * size[1] * size[2], first = slice * boundaries.extent;
  constexpr std::int64_t sites_together = 4096;
  std::vector<Link> batch;
  for (std::int64_t site = first; site < first + 2 * slice; ++site) {
    for (int mu = 0; mu < 4; ++mu)
      batch.push_back({site, mu, mu < 3 && site < first + slice ? boundaries.last[std::size_t(mu)] : one});
    if (std::int64_t(batch.size()) < 4 * sites_together && site + 1 < first + 2 * slice) continue;
    sink(batch);
    batch.clear();
  }
}

FunctionalBoundaries boundaries_of(const std::filesystem::path& path, int extent, const Coordinate& size,
                                   double tolerance, const LinkSource& source) {
  const int least = extent + 1;
  if (extent < 2 || size[3] != least + least % 2)
    fail_input("{}: the lattice is {}; a Schroedinger functional of extent {} takes {} time slices", path.string(),
               to_string(size), extent, least + least % 2);
  const std::int64_t slice = std::int64_t{size[0]} * size[1] * size[2];
  FunctionalBoundaries boundaries{.extent = extent};
  std::vector<double> links(std::size_t(slice) * 72);
  for (const int t : {0, extent, extent + 1}) {
    if (t >= size[3]) continue;
    source(slice * t, links);
    const auto link = [&](std::int64_t site, std::size_t mu) {
      return std::span(links).subspan(std::size_t(site) * 72 + 18 * mu, 18);
    };
    ConstantLinks constant{one, one, one};
    for (std::size_t mu = 0; t <= extent && mu < 3; ++mu) std::ranges::copy(link(0, mu), constant[mu].begin());
    bool as_expected = std::ranges::all_of(constant, [&](const auto& u) { return is_diagonal(u, tolerance); });
    for (std::int64_t site = 0; site < slice; ++site)
      for (std::size_t mu = 0; mu < 4; ++mu)
        if (mu < 3 || t > 0) as_expected = as_expected && agree(link(site, mu), mu < 3 ? constant[mu] : one, tolerance);
    if (!as_expected)
      fail_input("{}: the links on slice {} are not those of a Schroedinger functional of extent {}", path.string(), t,
                 extent);
    if (t <= extent) (t == 0 ? boundaries.first : boundaries.last) = constant;
  }
  return boundaries;
}

OpenqcdSlices openqcd_slices(const std::filesystem::path& path, int extent, Coordinate size, double tolerance,
                             const LinkSource& source) {
  if (extent % 2 != 0)
    fail_input("{}: openQCD's files are for Schroedinger functionals of even extent; this one is {}", path.string(),
               extent);
  const auto boundaries = boundaries_of(path, extent, size, tolerance, source);
  const double plaquette = plaquette_in_file(boundaries, measure_loops(size, source).plaquette);
  size[3] = extent;
  return {size, plaquette};
}

}  // namespace trellis::io
